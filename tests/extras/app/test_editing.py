"""Deleting and masking words: scores as omission and occlusion compute them, and as the copies themselves get them."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from web_shelf import TEXT, WORDS, events, make_network

from whichword import explain
from whichword.errors import InputError
from whichword.extras.app.jobs import EditableText
from whichword.model import Batch
from whichword.models import load
from whichword.networks import NETWORKS, Network
from whichword.types import Text

KINDS = tuple(NETWORKS.names())
SENTENCE = ("w1", "w2", "strange", "w3", "w1", "w9", "w12")


def editable(model: Network, words: Sequence[str]) -> EditableText:
    return EditableText(model, Text(tuple(words), " ".join(words)))


def scored(network: Network, words: Sequence[str], blank: Sequence[int] = ()) -> list[float]:
    """By hand: the vectors of these words, zeros for some."""
    batch = Batch.of([network.read(Text(tuple(words), " ".join(words)))])
    e = network.embed(batch)
    e[0, list(blank)] = 0.0
    return network.forward(e, batch)[0].tolist()


@pytest.fixture(scope="module", params=KINDS)
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Network:
    return load(make_network(tmp_path_factory.mktemp("double") / request.param, request.param, torch.float64))


@pytest.mark.parametrize(("edit", "method"), [("cut", "omit_1"), ("blank", "occ_1")])
def test_one_word_moves_the_score_by_its_relevance(network: Network, edit: str, method: str) -> None:
    reading = editable(network, SENTENCE)
    expected = explain(network, [SENTENCE], [method])[0]
    k = network.classes.index(expected.target)
    for t in range(len(SENTENCE)):
        after = reading.scores(**{edit: [t]})[k].item()
        assert expected.scores[expected.target] - after == pytest.approx(expected.relevance[method][t], abs=1e-12)


@pytest.mark.parametrize(("edit", "method"), [("cut", "omit_3"), ("blank", "occ_3")])
def test_neighbours_are_one_window(network: Network, edit: str, method: str) -> None:
    reading = editable(network, SENTENCE[:3])
    expected = explain(network, [SENTENCE[:3]], [f"{method}[edges=right]"])[0]
    k = network.classes.index(expected.target)
    moved = expected.scores[expected.target] - reading.scores(**{edit: [2, 0, 1]})[k].item()
    first = expected.relevance[f"{method}[edges=right]"][0]  # the window that covers all, over its three words
    assert moved / 3 == pytest.approx(first, abs=1e-12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from((*WORDS, "strange")), min_size=1, max_size=9), st.data())
def test_any_edits_give_the_scores_of_the_copy(network: Network, words: list[str], data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(("keep", "cut", "blank")), min_size=len(words), max_size=len(words)))
    cut, blank = ([t for t, kind in enumerate(kinds) if kind == name] for name in ("cut", "blank"))
    kept = [t for t in range(len(words)) if t not in cut]
    expected = scored(network, [words[t] for t in kept], [place for place, t in enumerate(kept) if t in blank])
    order = data.draw(st.permutations(cut))
    assert editable(network, words).scores(order, blank).tolist() == pytest.approx(expected, abs=1e-12)


def test_all_words_may_go(network: Network) -> None:
    empty = scored(network, [])
    assert editable(network, SENTENCE).scores(cut=range(len(SENTENCE))).tolist() == pytest.approx(empty, abs=1e-12)


@pytest.mark.parametrize("edits", [{"cut": [1, 1]}, {"cut": [1], "blank": [1]}, {"cut": [-1]}, {"blank": [7]}])
def test_impossible_edits_are_refused(tmp_path: Path, edits: dict) -> None:
    with pytest.raises(InputError):
        editable(load(make_network(tmp_path / "cnn", "cnn")), SENTENCE).scores(**edits)


def test_the_app_answers_with_scores_and_probabilities(client: TestClient) -> None:
    told = events(client, model=1, methods=["omit_1", "occ_1"], text=TEXT)
    result, target = told[0]["result"], told[0]["target"]
    relevance = {one["method"]: one["phi"] for one in told[1]["methods"]}
    for edit, method in (("cut", "omit_1"), ("blank", "occ_1")):
        for t in range(len(told[0]["words"])):
            after = client.post("/api/edit", json={"result": result, edit: [t]}).json()
            moved = told[0]["scores"][target] - after["scores"][target]
            assert moved == pytest.approx(relevance[method][t], abs=1e-5)
            assert sum(after["probabilities"].values()) == pytest.approx(1.0)
    unchanged = client.post("/api/edit", json={"result": result}).json()
    assert unchanged["scores"] == pytest.approx(told[0]["scores"])


@pytest.mark.parametrize(
    "edits", [{"cut": [99]}, {"cut": [0, 0]}, {"cut": [True]}, {"cut": [0.0]}, {"cut": "0"}, {"cut": None}]
)
def test_the_app_refuses_impossible_edits(client: TestClient, edits: dict) -> None:
    result = events(client, text=TEXT)[0]["result"]
    assert client.post("/api/edit", json={"result": result, **edits}).status_code == 400
