"""Trainings that differ from the paper's in one thing: what differs, and the way from training to table."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from experiments.columns import read_results
from experiments.paper import variants
from experiments.paper.options import Options, Places
from experiments.paper.padding import ZEROS, PaddedTrainer, padded
from experiments.paper.shown import read_shown
from experiments.paper.spec import Reproduction, read_reproduction
from experiments.paper.variant_tables import variants as tables
from experiments.paper.variants import HERE, VARIANTS, Variant, folder_of, steps, varied
from test_reproduction_steps import FIGURES, TINY

import whichword
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.networks import NETWORKS, Config, Network
from whichword.sequences import Sequences
from whichword.text import Vocabulary
from whichword.training.loop import Trainer, train


@pytest.fixture
def spec(tmp_path: Path) -> Reproduction:
    (tmp_path / "paper.toml").write_text(TINY)
    (tmp_path / "published.csv").write_text(FIGURES)
    return read_reproduction(tmp_path / "paper.toml")


def test_zero_vectors_stand_around_the_words_and_count() -> None:
    data = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0))
    around = padded(Sequences(data, torch.tensor([3, 1])))
    assert around.lengths.tolist() == [3 + 2 * ZEROS, 1 + 2 * ZEROS]
    assert torch.equal(around.data[:, ZEROS : ZEROS + 1], data[:, :1])
    assert torch.equal(around.data[0, ZEROS : ZEROS + 3], data[0])
    assert int((around.data != 0).any(-1).sum()) == 4  # what stood in the padding is gone


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The plug-in, for the time of a test."""
    monkeypatch.setattr(NETWORKS, "_entries", dict(NETWORKS._entries))
    monkeypatch.setattr(NETWORKS, "_families", dict(NETWORKS._families))
    monkeypatch.delitem(sys.modules, "experiments.paper.gates", raising=False)
    return importlib.import_module("experiments.paper.gates")


def test_gates_are_piecewise_linear_and_the_candidate_is_not(gates: ModuleType) -> None:
    """h by the appendix's equations in numpy, with the other gates."""
    torch.manual_seed(0)
    encoder = gates.PiecewiseLSTM(3, 2).double().requires_grad_(False)
    for parameter in encoder.parameters():
        parameter.mul_(4.0)  # some gates are fully open or shut
    words = torch.randn(4, 3, dtype=torch.float64)
    values = {name: value.numpy() for name, value in encoder.named_parameters()}
    h, c = np.zeros(2), np.zeros(2)
    for e in words.numpy():
        z = {gate: values[f"V_{gate}"] @ e + values[f"U_{gate}"] @ h + values[f"b_{gate}"] for gate in "ifo"}
        i, f, o = (np.clip(z[gate] / 5.0 + 0.5, 0.0, 1.0) for gate in "ifo")
        c = f * c + i * np.tanh(values["V"] @ e + values["U"] @ h + values["b"])
        h = o * np.tanh(c)
    np.testing.assert_allclose(encoder(Sequences(words[None], torch.tensor([4])))[0].numpy(), h, atol=1e-12)
    assert gates.piecewise(torch.tensor([-3.0, 0.0, 3.0])).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.usefixtures("gates")
def test_every_method_explains_piecewise_gates() -> None:
    torch.manual_seed(0)
    network = Network.of(Config("piecewise-lstm", ("no", "yes"), 4, 3), Vocabulary(("a", "b")))
    explanation = whichword.explain(network.double().requires_grad_(False), ["a b a"])[0]
    shapes = {values.shape for values in explanation.relevance.values()}
    assert shapes == {(3,)}
    account = explanation.account("lrp")
    assert account.words + account.constants + account.epsilon == pytest.approx(account.score, abs=1e-10)


def test_a_variant_plays_its_own_columns_alone(spec: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        VARIANTS, "other", Variant("Other", "agreement", ("qgru",), {"epochs": 2}, methods=("lrp", "last"))
    )
    changed = varied(spec, "other")
    (group,) = changed.groups.values()
    assert (group.networks, group.columns["hit_target"]) == (("qgru",), ("C17",))
    assert (group.training["epochs"], group.training["batch"]) == (2, 32)
    assert (changed.methods, changed.extra) == (("lrp", "last"), ())
    assert changed.results == folder_of(spec, "other") != spec.results


def test_the_variants_that_there_are_fit_the_paper() -> None:
    paper = read_reproduction(HERE / "paper.toml")
    columns = {name: sorted(varied(paper, name).playings()[0].columns.values()) for name in VARIANTS}
    assert columns == {"padding": ["C07"], "gates": ["C18", "C22", "C26"], "sigmoid": ["C01"]}
    sigmoid = varied(paper, "sigmoid").groups["sentiment"]
    assert sigmoid.settings("cnn", Path("data"), 0).head == "sigmoid"


def test_from_training_to_table(spec: Reproduction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trained by its own trainer, resumed without anything done twice, shown beside the column as it is."""
    usual = Places(spec, Options(tmp_path, tmp_path / "out", quick=True, only=("agreement-qgru",)))
    list(steps(usual, Trainer))
    monkeypatch.setitem(VARIANTS, "tiny", Variant("Tiny zeros", "agreement", ("qgru",), trainer=PaddedTrainer))
    places = Places(varied(spec, "tiny"), replace(usual.options, out=tmp_path / "out" / "tiny"))
    first = list(steps(places, PaddedTrainer))
    assert [line.split(":")[0] for line in first] == ["agreement-qgru"] * 2
    assert list(steps(places, PaddedTrainer)) == ["agreement-qgru: C17, C21, C25 were there"]
    (playing,) = places.spec.playings()
    settings = playing.group.settings(playing.network, places.options.data, places.seed)
    with pytest.raises(InputError, match="holds another training: zero vectors was 20 before"):
        train(read_corpus("grammar[sentences=1500]"), settings, places.model(playing))
    results = [read_results(folder)["C17"] for folder in (usual.results, places.results)]
    trained = [whichword.load(str(each.model(playing))) for each in (usual, places)]
    assert not torch.equal(trained[0].embedding, trained[1].embedding)  # type: ignore[attr-defined]
    (table,) = tables(read_shown(spec, "quick"))
    row = next(row for row in table.rows if row[0] == "lrp")
    shares = [f"{result.accuracies['lrp']:.2f}".removeprefix("0") for result in results]
    assert (table.title, row[1]) == ("Tiny zeros", f"{shares[0]} {shares[1]} .60")
    assert table.header == ["method", "C17", "C21", "C25"]
    full = replace(places, options=replace(places.options, quick=False))
    list(steps(full, PaddedTrainer))
    (table,) = tables(read_shown(spec, "quick"))
    documents = next(row for row in table.rows if row[0] == "documents")
    assert documents[1] == f"- {read_results(full.results)['C17'].played}"  # all documents, where they were played


def test_an_unknown_variant_is_named() -> None:
    with pytest.raises(InputError, match="no variant is called 'gate'; known: padding, gates, sigmoid"):
        variants.variants("gate")
