"""A tiny reproduction from training to page: stopped and gone on with, nothing done twice."""

import csv
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from experiments.columns import read_results
from experiments.paper.discussion import CLAIMS
from experiments.paper.options import Options, Places
from experiments.paper.page import BEGIN, END, all_blocks, put_into
from experiments.paper.playing import complete
from experiments.paper.shown import read_shown
from experiments.paper.spec import read_reproduction
from experiments.paper.steps import reproduce

from whichword.errors import InputError
from whichword.planning.spec import Spec
from whichword.playing.make import Evaluated, evaluate
from whichword.scoring.run import judge

TINY = """
published = "published.csv"
results = "results"
methods = ["grad_1_s_dot", "lrp", "limsse_ms_s[samples=3000]", "random", "last"]
extra = ["limsse_ms_s"]

[group.agreement]
corpus = "grammar"
split = "sentences=1500"
game = "agreement"
[group.agreement.columns]
networks = ["lstm", "qgru"]
hit_target = ["C16", "C17"]
hit_feat_correct = ["C20", "C21"]
hit_feat_wrong = ["C24", "C25"]
[group.agreement.training]
embedding = 6
hidden = 6
batch = 32
epochs = 1
learning_rate = 0.01
[group.agreement.accuracy]
lstm = 0.99
"""
FIGURES = "column,game,model,method,accuracy\n" + "".join(
    f"{column},agreement,lstm,{method},{accuracy}\n"
    for column in ("C16", "C17", "C20", "C21", "C24", "C25")
    for method, accuracy in (("grad_1_s_dot", 0.5), ("lrp", 0.6), ("limsse_ms_s", 0.7), ("last", 0.1))
)


class Evaluator:
    """Counts its runs, and may be stopped in the middle of one."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.runs: list[str] = []
        self.stop_after = stop_after

    def __call__(self, spec: Spec, folder: Path, workers: int) -> Evaluated:
        if self.stop_after == len(self.runs):
            raise KeyboardInterrupt
        self.runs.append(folder.name)
        return evaluate(spec, folder, workers)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A quick reproduction that was stopped after its first run and gone on with."""
    base = tmp_path_factory.mktemp("tiny")
    (base / "paper.toml").write_text(TINY)
    (base / "published.csv").write_text(FIGURES)
    places = Places(read_reproduction(base / "paper.toml"), Options(base, base / "out", quick=True))
    first = Evaluator(stop_after=1)
    with pytest.raises(KeyboardInterrupt):
        list(reproduce(places, first))
    assert first.runs == ["agreement-lstm"]
    assert list(read_results(places.results)) == ["C16", "C20", "C24"]  # kept before the stop
    second = Evaluator()
    lines = list(reproduce(places, second))
    assert second.runs == ["agreement-qgru"]
    assert lines == ["agreement-lstm: C16, C20, C24 were there", "agreement-qgru: C17, C21, C25 done"]
    return places


def test_the_third_time_nothing_is_done(finished: Places) -> None:
    before = {path: path.read_bytes() for path in finished.results.glob("C*.json")}
    third = Evaluator()
    assert [line.rsplit(" ", 2)[1] for line in reproduce(finished, third)] == ["were", "were"]
    assert third.runs == []
    assert {path: path.read_bytes() for path in finished.results.glob("C*.json")} == before
    assert len(before) == 6


def test_a_lost_column_is_counted_again_from_its_run(finished: Places) -> None:
    path = finished.results / "C17.json"
    before = path.read_bytes()
    path.unlink()
    again = Evaluator()
    list(reproduce(finished, again))
    assert again.runs == []
    assert path.read_bytes() == before


def test_columns_are_the_runs_hits(finished: Places) -> None:
    playing = finished.spec.playings()[0]
    run = complete(finished, playing)
    assert run is not None
    judged = judge(run, "p00")
    for part, name in playing.columns.items():
        found = read_results(finished.results)[name]
        vectors = {label: hits[~np.isnan(hits)] for label, hits in judged.vectors(part).items()}
        assert found.accuracies == {label: pytest.approx(hits.mean()) for label, hits in vectors.items() if len(hits)}
        assert found.counted == len(vectors["lrp"])
        one, two = vectors["lrp"], vectors["last"]
        assert found.discordant("lrp", "last") == (int((one > two).sum()), int((one < two).sum()))
        assert "random" not in found.order
    assert (found.played, found.available) == (200, run.plan.sets[0].available)


def test_another_size_or_method_is_another_run(finished: Places) -> None:
    playing = finished.spec.playings()[0]
    assert complete(finished, playing) is not None
    fewer = replace(finished, spec=replace(finished.spec, extra=()))
    assert complete(fewer, playing) is None
    with pytest.raises(InputError, match="is another run; what changed: methods of agreement-lstm"):
        list(reproduce(fewer, Evaluator()))
    part = replace(playing, group=replace(playing.group, documents=210))
    assert complete(finished, part) is not None  # a quick run of it has 200 documents too
    full = replace(finished, options=replace(finished.options, quick=False))
    assert complete(full, part) is None
    assert full.run(playing) != finished.run(playing)


def test_without_training_a_missing_network_is_left_out(finished: Places, tmp_path: Path) -> None:
    shutil.copytree(finished.options.out / "models" / "agreement-lstm", tmp_path / "models" / "agreement-lstm")
    spec = replace(finished.spec, results=tmp_path / "results")
    places = Places(spec, replace(finished.options, out=tmp_path, train=False))
    lines = list(reproduce(places, Evaluator()))
    assert lines == [
        "agreement-lstm: C16, C20, C24 done",
        "agreement-qgru: left out, its network is not trained yet",
    ]
    again, before = (read_results(folder)["C16"] for folder in (places.results, finished.results))
    assert again.accuracies == before.accuracies
    assert again.wins == before.wins


def test_tallies_as_csv(finished: Places) -> None:
    with (finished.results / "table.csv").open() as file:
        cells = {(row["column"], row["method"]): row for row in csv.DictReader(file)}
    assert len(cells) == 6 * 6
    figure = read_results(finished.results)["C16"].figures["lrp"]
    cell = cells["C16", "lrp"]
    assert (float(cell["hits"]), int(cell["documents"]), cell["published"]) == (figure.hits, figure.total, "0.6")
    assert float(cell["low"]) <= float(cell["accuracy"]) <= float(cell["high"])
    assert cells["C16", "limsse_ms_s"]["published"] == ""  # the exact limit is no row of the paper's
    assert cells["C16", "limsse_ms_s[samples=3000]"]["published"] == "0.7"
    with (finished.results / "claims.csv").open() as file:
        assert {row["claim"] for row in csv.DictReader(file)} == {claim.key for claim in CLAIMS}


def test_another_seed_has_its_own_places(finished: Places) -> None:
    other = replace(finished, options=replace(finished.options, seed=4))
    playing = finished.spec.playings()[0]
    assert other.kind == "quick-seed4"
    assert {other.model(playing), other.run(playing), other.results}.isdisjoint(
        {finished.model(playing), finished.run(playing), finished.results}
    )


def test_tables_and_page(finished: Places, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Before\n\n{BEGIN}\nold\n{END}\n\nAfter\n")
    found = read_shown(finished.spec, "full", "quick")
    put_into(page, all_blocks(found))
    once = page.read_text()
    put_into(page, all_blocks(found))
    assert page.read_text() == once
    assert once.startswith("# Before\n")
    assert once.endswith(f"{END}\n\nAfter\n")
    assert "old" not in once
    row = next(line for line in once.splitlines() if line.startswith("| lrp |"))
    figure = found.results["C16"].figures["lrp"]
    assert f"{figure.accuracy:.2f}".removeprefix("0") in row
    assert row.split("|")[2].strip().endswith(".60")  # the paper's figure stands beside it
    assert "agreement-lstm" in once


def test_a_page_without_marks_is_refused(finished: Places, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("nothing here")
    with pytest.raises(InputError, match="no <!-- tables: begin -->"):
        put_into(tmp_path / "page.md", all_blocks(read_shown(finished.spec, "quick")))


def test_a_broken_result_is_named(finished: Places, tmp_path: Path) -> None:
    (tmp_path / "C01.json").write_text('{"format": "whichword column 1"}')
    with pytest.raises(InputError, match=r"C01\.json: not the result of a column"):
        read_results(tmp_path)
