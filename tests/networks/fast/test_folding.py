"""A folded network, which looks words up, gives what the network itself gives."""

import itertools
from pathlib import Path

import pytest
import torch
from fast_cases import MANY, documents, every_network, exact, make, names, plainly, share, targets

from whichword.methods import Questions, plan
from whichword.model import Batch
from whichword.networks import Network
from whichword.networks.checkpoint import load
from whichword.networks.fast import way
from whichword.networks.fast.network import way_through
from whichword.networks.fast.way import Embedded, WordTable, product
from whichword.sequences import Sequences


def questions_of(batch: Batch) -> Questions:
    return Questions(batch, targets(batch), names(batch))


def looked_up(network: Network, batch: Batch) -> Embedded:
    return Embedded.look_up(batch.ids, network.embedding, network.w.dtype)


@every_network
@pytest.mark.parametrize("rows", [0, 20, 1000])
def test_every_method(kind: str, both: bool, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 words none, a third or all are in the table."""
    network, batch = make(kind, both), documents()
    chosen = plan(None, network)
    expected = chosen.answer(network, questions_of(batch))
    matrix = way_through(network.directions[0], None).word_matrix()
    monkeypatch.setattr(way, "BYTES", rows * len(matrix) * 8)
    folded = network.prepared(MANY)
    assert [len(table.products) for table in folded.tables] == [min(rows, 60) + 1] * (1 + both)
    answers = chosen.answer(folded, questions_of(batch))
    for name in chosen.labels:
        assert share(answers[name], expected[name], batch.words) <= 1e-10, name


def test_the_table_is_used() -> None:
    batch, folded = documents(), make("cnn").prepared(MANY)
    folded.tables[0].products.zero_()
    answers = plan(["lrp", "grad_int_s_dot"], folded).answer(folded, questions_of(batch))
    assert not any(answer.values.abs().max() > 1e-9 for answer in answers.values())


@every_network
def test_a_table_is_made_where_more_words_are_read_than_it_has_rows(kind: str, both: bool) -> None:
    network = make(kind, both)
    assert network.prepared(60) is network
    assert len(network.prepared(61).tables) == 1 + both
    assert plainly(network).prepared(MANY).tables == ()


@every_network
def test_changes_that_need_double_precision(kind: str, both: bool) -> None:
    """The double network has no table: single precision is what tables are kept in."""
    network, batch = make(kind, both, torch.float32), documents()
    network.w.mul_(1e-4)
    network.readout_b.fill_(1.0)
    chosen = plan(["occ_1", "omit_3"], network)
    answers = chosen.answer(network.prepared(MANY), questions_of(batch))
    expected = chosen.answer(exact(network), questions_of(batch))
    for name, answer in answers.items():
        assert share(answer, expected[name], batch.words) <= 1e-5, name


def test_the_network_itself_stays_as_it_is() -> None:
    network = make("lstm", True)
    before = {name: value.clone() for name, value in network.arrays().items()}
    folded = network.prepared(MANY)
    assert network.tables == ()
    assert folded.arrays().keys() == before.keys()
    for name, value in folded.arrays().items():
        assert value is network.arrays()[name]
        assert torch.equal(value, before[name])


def test_a_folded_network_can_be_saved_and_folded_again(tmp_path: Path) -> None:
    folded = make("qgru").prepared(MANY).prepared(MANY)
    folded.save(tmp_path / "model")
    again = load(tmp_path / "model").prepared(MANY)
    assert torch.equal(again.score(documents()), folded.score(documents()))


def test_words_keep_their_names_on_the_way() -> None:
    network = make("cnn")
    x = looked_up(network, documents((3, 0, 5)))
    matrix = torch.randn(4, 7, dtype=torch.float64)
    table = WordTable.of(network.embedding, matrix)
    pieces = x.crop(torch.tensor([2, 0, 2]), torch.tensor([1, 0, 4]), torch.tensor([4, 3, 5]))
    picked = [x.pick(torch.tensor([2, 0])), x.pick(torch.tensor([0])).reversed()]
    for words in (x, x.reversed(), *picked, pieces, x.filled()):
        assert isinstance(words, Embedded)
        torch.testing.assert_close(product(words, matrix, table), words.data @ matrix.T)
        torch.testing.assert_close(product(words, matrix, table, 2, 3), product(words, matrix, None, 2, 3))
        assert product(words, matrix, table, 2, 3).shape[1] == words.width + 5
        assert not words.data[~words.mask].any()


def test_other_contents_have_no_names() -> None:
    x = looked_up(make("cnn"), documents((3, 5)))
    for words in (x.with_data(x.data * 2), x.cut(*torch.tensor([[0], [1], [2]])), x.filled(1.0)):
        assert type(words) is Sequences


@pytest.mark.parametrize("kind", ["qgru", "qlstm", "cnn", "lstm", "gru"])
def test_batches_of_any_shape(kind: str) -> None:
    """Windows of looked-up words overlap in memory, and how they lie there depends on the batch's shape."""
    network = make(kind)
    folded = network.prepared(10**9)
    assert folded.tables
    for rows, length in itertools.product((1, 2, 3, 5), range(1, 14)):
        lengths = [max(1, length - row) for row in range(rows)]
        ids = Sequences.of([[(7 * place + row) % 20 for place in range(n)] for row, n in enumerate(lengths)])
        expected = network.score(Batch(ids, ids.lengths))
        torch.testing.assert_close(folded.score(Batch(ids, ids.lengths)), expected, rtol=1e-4, atol=1e-5)
