"""The data in a page against an independent recount from the run folder."""

import json
import zlib
from base64 import b64decode

import numpy as np
import pytest
from synthetic_run import Recipe, make_run

from whichword.games import GAMES
from whichword.reporting.page.data import page_data
from whichword.reporting.page.explorer import FULL, INFINITE, Numbered
from whichword.reporting.page.gather import gather
from whichword.reporting.tabulate import columns_of
from whichword.runs.run import open_run
from whichword.scoring.run import judge
from whichword.text.places import gaps

METHODS = ("omit_1", "lrp", "decomp")


def built(folder, most=24_000_000):
    run = open_run(folder)
    gathered = gather([("run", run)])
    return run, page_data(gathered, {gathered[0].name: columns_of(run, "run")}, most)


@pytest.fixture(scope="module", params=["hybrid", "agreement"])
def made(request, tmp_path_factory):
    classes = {"hybrid": ("north", "south", "east"), "agreement": ("singular", "plural")}[request.param]
    recipe = Recipe(methods=METHODS, game=request.param, classes=classes, broken="lrp", shard=17, note="a remark")
    return built(make_run(tmp_path_factory.mktemp("run"), recipe))


def array(data, name, dtype):
    return np.frombuffer(zlib.decompress(b64decode(data.blobs[name])), f"<{dtype}")


def value(data, name):
    return json.loads(zlib.decompress(b64decode(data.blobs[name])))


def bits(data, name):
    return np.unpackbits(array(data, name, "u1"), bitorder="little").astype(bool)


def test_words_and_keys(made):
    run, data = made
    items, vocabulary = run.items("s00"), value(data, "words")
    numbers = array(data, "s0/words", "u1")
    assert [vocabulary[number] for number in numbers] == [word for item in items for word in item.words]
    between = value(data, "gaps")
    packed = [between[number] for number in array(data, "s0/gaps", "u1")]
    assert packed == [gap for item in items for gap in gaps(item)]
    assert set(between) == {"", " "}
    assert array(data, "s0/lengths", "u4").tolist() == [len(item.words) for item in items]
    assert value(data, "s0/keys") == [item.key for item in items]
    assert value(data, "s0/gold") == [item.gold for item in items]
    assert value(data, "s0/facts") == [dict(item.facts) for item in items]


def test_texts_of_any_kind_come_back(tmp_path):
    recipe = Recipe(documents=9, methods=METHODS, gaps=("", " ", "\n\n", "\t", "<b>", "\u202e", "—"))
    run, data = built(make_run(tmp_path / "run", recipe))
    vocabulary, between = value(data, "words"), value(data, "gaps")
    words, gap_numbers = array(data, "s0/words", "u1").tolist(), array(data, "s0/gaps", "u1").tolist()
    for item in run.items("s00"):
        mixed = [between[gap_numbers.pop(0)] + vocabulary[words.pop(0)] for _ in item.words]
        assert "".join(mixed) + between[gap_numbers.pop(0)] == item.text
    assert words == gap_numbers == []


@pytest.mark.parametrize(("size", "dtype"), [(1, "u1"), (256, "u1"), (257, "u2"), (65536, "u2"), (65537, "u4")])
def test_numbers_take_as_few_bytes_as_they_need(size, dtype):
    strings = [str(number) for number in range(size)]
    numbered = Numbered([strings, strings[:1]])
    assert numbered.strings[0] == "0"  # the most frequent one
    packed = np.frombuffer(zlib.decompress(b64decode(numbered.pack([strings]))), f"<{dtype}")
    assert [numbered.strings[number] for number in packed] == strings


def test_heat_maps(made):
    run, data = made
    pairing, items = data.summary["pairings"][0], run.items("s00")
    heat = array(data, "p0/heat/0", "i1")
    assert pairing["starts"] == [0]
    found = {(one.key, one.method): one.values.astype(np.float64) for one in run.relevances("p00")}
    place = 0
    for item in items:
        for method in pairing["methods"]:
            phi, levels = found[item.key, method], heat[place : place + len(item.words)]
            place += len(item.words)
            finite = np.isfinite(phi)
            largest = np.abs(phi[finite]).max(initial=0)
            if largest:
                assert np.abs(levels[finite] / FULL - phi[finite] / largest).max() <= 0.5 / FULL + 1e-9
            assert (np.abs(levels[~finite].astype(int)) >= INFINITE).all()
    assert place == len(heat)


def test_ground_truth_hits_and_rmax(made):
    run, data = made
    judged, played = judge(run, "p00"), run.plan.sets[0]
    said = run.predictions("p00")
    width = len(judged.methods)
    assert array(data, "p0/rmax", "i4").reshape(-1, width).tolist() == judged.rmax.tolist()
    for number, part in enumerate(played.parts):
        flags = bits(data, f"p0/right/{number}")
        right = [
            t in (GAMES[played.game].rewarded(item, said[item.key].predicted)[part] or ())
            for item in run.items("s00")
            for t in range(len(item.words))
        ]
        assert flags[: len(right)].tolist() == right
        hits = array(data, f"p0/hits/{number}", "u1").reshape(-1, width)[:, : len(METHODS)]
        stored = judged.hits[part][:, : len(METHODS)]
        np.testing.assert_array_equal(np.where(hits == 2, np.nan, hits), stored)


def test_predictions_and_notes(made):
    run, data = made
    said = list(run.predictions("p00").values())
    classes = data.summary["pairings"][0]["classes"]
    assert [classes[i] for i in array(data, "p0/predicted", "u2")] == [one.predicted for one in said]
    unknown = [flag for one in said for flag in one.unknown]
    assert bits(data, "p0/unknown")[: len(unknown)].tolist() == unknown
    scores = np.exp([one.scores for one in said])
    expected = scores.max(axis=1) / scores.sum(axis=1)
    np.testing.assert_allclose(array(data, "p0/probability", "f4"), expected, rtol=1e-5)
    assert value(data, "p0/notes") == ["a remark"]
    notes = array(data, "p0/note", "u4").reshape(len(said), -1)
    assert notes[:, 0].tolist() == [1] * len(said)
    assert not notes[:, 1:].any()


def test_columns(made):
    run, data = made
    judged = judge(run, "p00")
    for column in data.summary["pairings"][0]["columns"]:
        hits = judged.hits[column["part"]]
        counted = hits[~np.isnan(hits[:, 0])]
        assert column["documents"] == len(counted)
        assert column["discarded"] == len(hits) - len(counted)
        assert [cell["accuracy"] for cell in column["cells"]] == pytest.approx(counted.mean(axis=0), abs=1e-4)
        pairs = {(pair["a"], pair["b"]): pair["difference"] for pair in column["apart"]}
        assert {name for pair in pairs for name in pair} == {*METHODS, "last"}  # random is an expectation
        means = dict(zip(judged.methods, counted.mean(axis=0), strict=True))
        assert all(gap == pytest.approx(means[a] - means[b], abs=1e-4) for (a, b), gap in pairs.items())


def test_slices(made):
    run, data = made
    judged, items = judge(run, "p00"), run.items("s00")
    for column in data.summary["pairings"][0]["columns"]:
        hits = judged.hits[column["part"]]
        name = {"hybrid": "fold", "agreement": "attractors"}[run.plan.sets[0].game]
        for one in column["slices"][name]:
            rows = [i for i, item in enumerate(items) if item.facts[name] == one["value"] and hits[i, 0] == hits[i, 0]]
            assert one["documents"] == len(rows)
            assert one["accuracy"] == pytest.approx(hits[rows].mean(axis=0), abs=1e-4)


def test_health_is_in(made):
    _, data = made
    health = {one["method"]: one for one in data.summary["pairings"][0]["health"]}
    assert health["lrp"]["nonfinite"] == 12
    assert health["omit_1"]["nonfinite"] == 0
    assert "not finite in 12 of 60 documents" in health["lrp"]["complaints"]


def test_a_page_stays_small_by_coarser_heat_maps_then_by_fewer_documents(tmp_path):
    folder = make_run(tmp_path / "run", Recipe(documents=200, methods=METHODS))
    _, all_of_it = built(folder)
    full = sum(map(len, all_of_it.blobs.values()))
    _, coarse = built(folder, most=int(full * 0.75))
    assert coarse.summary["steps"] < all_of_it.summary["steps"] == FULL
    assert coarse.summary["sets"]["s0"] == {"shown": 200, "documents": 200}
    _, few = built(folder, most=full // 6)
    assert few.summary["sets"]["s0"]["documents"] == 200
    assert 1 < few.summary["sets"]["s0"]["shown"] < 100
    keys = value(few, "s0/keys")
    assert len(keys) == few.summary["sets"]["s0"]["shown"]
    assert (
        few.summary["pairings"][0]["columns"][0]["documents"]
        == coarse.summary["pairings"][0]["columns"][0]["documents"]
    )
