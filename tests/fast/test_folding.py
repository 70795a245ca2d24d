"""A folded network, which looks words up, gives what the network itself gives."""

import pytest
import torch
from fast_cases import documents, every_network, exact, make, share, targets

from whichword.methods import Questions, plan
from whichword.networks import folding
from whichword.networks.folding import Embedded, WordTable, product
from whichword.sequences import Sequences


@every_network
@pytest.mark.parametrize("known", [0, 20, 1000])
def test_every_method(kind: str, both: bool, known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 words none, a third or all are in the table."""
    network, ids = make(kind, both), documents()
    questions = Questions(ids, targets(ids), tuple(map(str, range(len(ids)))))
    chosen = plan(None, network)
    expected = chosen.answer(network, questions)
    matrix = network.encoders[0].word_matrix()
    monkeypatch.setattr(folding, "BYTES", known * len(matrix) * 8)
    folded = network.folded()
    assert len(folded.encoders[0].table.products) == min(known, 60) + 1
    found = chosen.answer(folded, questions)
    for name in chosen.labels:
        assert share(found[name].values, expected[name].values, ids.lengths) <= 1e-10, name


def test_the_table_is_used() -> None:
    network, ids = make("cnn"), documents()
    folded = network.folded()
    folded.encoders[0].table.products.zero_()
    questions = Questions(ids, targets(ids), tuple(map(str, range(len(ids)))))
    found = plan(["lrp", "grad_int_s_dot"], folded).answer(folded, questions)
    assert not any(answer.values.abs().max() > 1e-9 for answer in found.values())


@every_network
def test_changes_that_need_double_precision(kind: str, both: bool) -> None:
    """The double network has no table: single precision is what tables are kept in."""
    network, ids = make(kind, both, torch.float32), documents()
    network.w.mul_(1e-4)
    network.readout_b.fill_(1.0)
    questions = Questions(ids, targets(ids), tuple(map(str, range(len(ids)))))
    found = plan(["occ_1", "omit_3"], network).answer(network.folded(), questions)
    expected = plan(["occ_1", "omit_3"], network).answer(exact(network), questions)
    for name, answer in found.items():
        assert share(answer.values, expected[name].values, ids.lengths) <= 1e-5, name


def test_the_network_itself_stays_as_it_is() -> None:
    network = make("lstm", True)
    before = {name: value.clone() for name, value in network.arrays().items()}
    folded = network.folded()
    assert all(encoder.table is None for encoder in network.encoders)
    assert folded.arrays().keys() == before.keys()
    for name, value in folded.arrays().items():
        assert value is network.arrays()[name]
        assert torch.equal(value, before[name])


def test_a_folded_network_can_be_saved_and_folded_again(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from whichword.networks.checkpoint import load

    folded = make("qgru").folded().folded()
    folded.save(tmp_path / "model")
    ids = documents()
    assert torch.equal(load(tmp_path / "model").score(folded.embed(ids)), folded.score(folded.embed(ids)))


def test_words_keep_their_names_on_the_way() -> None:
    network, ids = make("cnn"), documents((3, 0, 5))
    x = network.embed(ids)
    assert isinstance(x, Embedded)
    matrix = torch.randn(4, 7, dtype=torch.float64)
    table = WordTable.of(network.embedding, matrix)
    pieces = x.crop(torch.tensor([2, 0, 2]), torch.tensor([1, 0, 4]), torch.tensor([4, 3, 5]))
    picked = [x.pick(torch.tensor([2, 0])), x.pick(torch.tensor([0])).reversed()]
    for each in (x, x.reversed(), *picked, pieces, x.filled()):
        assert isinstance(each, Embedded)
        torch.testing.assert_close(product(each, matrix, table), each.data @ matrix.T)
        torch.testing.assert_close(product(each, matrix, table, 2, 3), product(each, matrix, None, 2, 3))
        assert product(each, matrix, table, 2, 3).shape[1] == each.width + 5
        assert not each.data[~each.mask].any()


def test_other_contents_have_no_names() -> None:
    network, ids = make("cnn"), documents((3, 5))
    x = network.embed(ids)
    for each in (x.with_data(x.data * 2), x.cut(*torch.tensor([[0], [1], [2]])), x.filled(1.0)):
        assert type(each) is Sequences
