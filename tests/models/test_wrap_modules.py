"""`wrap` of torch modules: how words become ids, what is refused, and in which words."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import whichword
from whichword.models.gated import MemoryModule
from whichword.models.words import WordModule
from whichword.types import Text

WORDS = ["[pad]", "[unk]", "a", "very", "good", "bad", "film"]
CLASSES = ["neg", "pos"]


class Bag(nn.Module):
    """The mean of the word vectors, and a linear."""

    def __init__(self, outputs: int = 2, rows: int = 7, tables: int = 1) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, 5) for _ in range(tables))
        self.out = nn.Linear(5, outputs)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(torch.tanh(self.tables[0](ids).mean(1)))


def made(module: nn.Module) -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        for value in module.parameters():
            nn.init.normal_(value)
    return module.double().eval()


def test_a_list_of_words_and_a_dictionary_are_the_same() -> None:
    module = made(Bag())
    listed = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES)
    mapped = whichword.wrap(module, vocabulary={word: np.int64(i) for i, word in enumerate(WORDS)}, classes=CLASSES)
    spelled = whichword.wrap(module, WORDS.index, classes=CLASSES)
    answers = [whichword.explain(model, ["a very good film"])[0] for model in (listed, mapped, spelled)]
    for answer in answers[1:]:
        assert answer.scores == answers[0].scores
        for method, values in answer.relevance.items():
            np.testing.assert_array_equal(values, answers[0].relevance[method])
    own = module(torch.tensor([[2, 3, 4, 6]]))[0].tolist()
    assert list(answers[0].scores.values()) == own


def test_unknown_words() -> None:
    module = made(Bag())
    with pytest.raises(whichword.InputError, match="no word 'great'; unknown= names the word that stands for all"):
        whichword.explain(whichword.wrap(module, vocabulary=WORDS, classes=CLASSES), ["a great film"])
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, unknown="[unk]")
    (answer,) = whichword.explain(model, ["a great film"])
    assert answer.unknown == (False, True, False)
    assert model.read(Text(("a", "great", "film"), "a great film")).ids == [2, 1, 6]


def test_words_of_several_pieces() -> None:
    """A tokenizer gives a word's ids, any number of them; relevances are a word's."""
    pieces = {"a": [2], "goodish": [4, 3], "film": torch.tensor([6, 2, 5]), "": []}
    module = made(Bag())
    model = whichword.wrap(module, pieces.__getitem__, classes=CLASSES)
    reading = model.read(Text(("a", "goodish", "film"), "a goodish film"))
    assert (list(reading.ids), list(reading.word)) == ([2, 4, 3, 6, 2, 5], [0, 1, 1, 2, 2, 2])
    (answer,) = whichword.explain(model, [["a", "goodish", "film"]])
    whole, without = (module(torch.tensor([ids]))[0] for ids in ([2, 4, 3, 6, 2, 5], [2, 6, 2, 5]))
    change = (whole - without)[CLASSES.index(answer.target)].item()
    assert answer.relevance["omit_1"][1] == pytest.approx(change, abs=1e-12)
    assert all(len(values) == 3 for values in answer.relevance.values())


def test_one_logit_is_two_classes() -> None:
    """s = -z/2, z/2: p is sigmoid(z), and the classes' relevances are each other's negatives."""
    module = made(Bag(outputs=1))
    for call in (None, lambda module, ids, lengths: module(ids)[:, 0]):
        model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, call=call)
        pos, neg = (whichword.explain(model, ["a very good film"], target=name)[0] for name in ("pos", "neg"))
        z = float(module(torch.tensor([[2, 3, 4, 6]])).detach())
        assert pos.probabilities["pos"] == pytest.approx(1.0 / (1.0 + np.exp(-z)), abs=1e-12)
        for method in ("lrp", "deeplift", "grad_1_s_dot", "omit_1", "grad_int_p_dot"):
            np.testing.assert_allclose(pos.relevance[method], -neg.relevance[method], rtol=0, atol=1e-12)


class WithLengths(Bag):
    def forward(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, str]:
        return self.out(self.tables[0](ids).sum(1) / lengths[:, None]), "and more"


def test_a_call_of_ones_own() -> None:
    module = made(WithLengths())
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, call=lambda m, ids, lengths: m(ids, lengths)[0])
    answers = whichword.explain(model, ["a very good film", "bad film", "a film"])
    own = [
        module(torch.tensor([ids]), torch.tensor([len(ids)]))[0][0].tolist() for ids in ([2, 3, 4, 6], [5, 6], [2, 6])
    ]
    np.testing.assert_allclose([list(answer.scores.values()) for answer in answers], own, rtol=0, atol=1e-12)


def test_the_named_one_of_two_tables() -> None:
    module = made(Bag(tables=2))
    by_name = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, embedding="tables.0")
    by_part = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, embedding=module.tables[0])
    a, b = (whichword.explain(model, ["a film"], "grad_1_s_dot")[0].relevance for model in (by_name, by_part))
    np.testing.assert_array_equal(a["grad_1_s_dot"], b["grad_1_s_dot"])


BAD = {
    "no embedding: name the words' table": lambda: whichword.wrap(
        nn.Sequential(nn.Linear(2, 2)).eval(), vocabulary=WORDS, classes=CLASSES
    ),
    r"has 2 embeddings \(tables.0, tables.1\): name the words' table by embedding": lambda: whichword.wrap(
        made(Bag(tables=2)), vocabulary=WORDS, classes=CLASSES
    ),
    "no embedding 'words'; it has: tables.0": lambda: whichword.wrap(
        made(Bag()), vocabulary=WORDS, classes=CLASSES, embedding="words"
    ),
    "does not name its classes: give classes": lambda: whichword.wrap(made(Bag()), vocabulary=WORDS),
    r"needs vocabulary=\.\.\. or tokenizer=\.\.\., one of them": lambda: whichword.wrap(made(Bag()), classes=CLASSES),
    r"vocabulary=\.\.\. or tokenizer": lambda: whichword.wrap(
        made(Bag()), WORDS.index, vocabulary=WORDS, classes=CLASSES
    ),
    "unknown='oov' is no word of the vocabulary": lambda: whichword.wrap(
        made(Bag()), vocabulary=WORDS, classes=CLASSES, unknown="oov"
    ),
    "the vocabulary has a word twice": lambda: whichword.wrap(made(Bag()), vocabulary=["a", "a"], classes=CLASSES),
    r"in training mode: call model.eval\(\) first": lambda: whichword.wrap(
        Bag().train(), vocabulary=WORDS, classes=CLASSES
    ),
    "a torch module has no setting 'label'": lambda: whichword.wrap(
        made(Bag()), vocabulary=WORDS, classes=CLASSES, label="pos"
    ),
    "a Bag is no language model of Hugging Face's": lambda: whichword.wrap(made(Bag()), task="agreement"),
    "no task is called 'poetry'; known: agreement": lambda: whichword.wrap(made(Bag()), task="poetry"),
    "the embedding has max_norm": lambda: whichword.wrap(
        nn.Sequential(nn.Embedding(3, 3, max_norm=1.0)).eval(), vocabulary=WORDS, classes=CLASSES
    ),
    "the classes have to be two or more, with different names": lambda: whichword.wrap(
        made(Bag()), vocabulary=WORDS, classes=["pos", "pos"]
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_one_line(message: str) -> None:
    with pytest.raises(whichword.InputError, match=message) as mistake:
        BAD[message]()
    assert "\n" not in str(mistake.value)


READ = {
    r"Bag gave scores of shape \[1, 2\], not \[1, 3\]": lambda: whichword.wrap(
        made(Bag()), vocabulary=WORDS, classes=["x", "y", "z"]
    ),
    "the word 'film' has the id 6; the table has 6 rows": lambda: whichword.wrap(
        made(Bag(rows=6)), vocabulary=WORDS, classes=CLASSES
    ),
    "WithLengths failed on a text of 2 pieces: .*missing 1 required positional argument: 'lengths'": lambda: (
        whichword.wrap(made(WithLengths()), vocabulary=WORDS, classes=CLASSES)
    ),
    r"WithLengths gave a tuple, not scores of shape \[1, 2\]": lambda: whichword.wrap(
        made(WithLengths()), vocabulary=WORDS, classes=CLASSES, call=lambda m, ids, lengths: m(ids, lengths)
    ),
    "Bag gives no number as the score of a text of 2 pieces": lambda: whichword.wrap(
        made(Bag()), vocabulary=WORDS, classes=CLASSES, call=lambda m, ids, lengths: m(ids) * torch.nan
    ),
}


@pytest.mark.parametrize("message", READ)
def test_what_shows_on_the_first_text_is_one_line(message: str) -> None:
    model = READ[message]()
    with pytest.raises(whichword.InputError, match=message) as mistake:
        whichword.explain(model, ["a film"])
    assert "\n" not in str(mistake.value)


class Reader(nn.Module):
    """An LSTM or GRU, and something behind its last state."""

    def __init__(self, kind: str = "LSTM", behind: str = "", **settings: object) -> None:
        super().__init__()
        self.words, self.drop, self.out = nn.Embedding(7, 5), nn.Dropout(), nn.Linear(4, 2)
        self.rnn, self.behind = getattr(nn, kind)(5, 4, batch_first=True, **settings), behind

    def forward(self, ids: Tensor) -> Tensor:
        e = self.drop(self.words(ids))
        _, last = self.rnn(e + 1.0 if self.behind == "before" else e)
        h = (last[0] if isinstance(last, tuple) else last)[-1]
        if self.behind == "skip":
            return self.out(self.drop(h)) + e.mean(1)[:, :2]
        if self.behind == "cell":
            return self.out(last[1][-1])
        behind = {"relu": torch.relu, "norm": lambda h: nn.functional.layer_norm(h, (4,)), "scale": lambda h: 2 * h + 1}
        return self.out(self.drop(behind.get(self.behind, lambda h: h)(h)))


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
@pytest.mark.parametrize("behind", ["", "scale"])
def test_a_memory_that_is_read_out_linearly_is_traced(kind: str, behind: str) -> None:
    assert isinstance(whichword.wrap(made(Reader(kind, behind)), vocabulary=WORDS, classes=CLASSES), MemoryModule)


@pytest.mark.parametrize("behind", ["relu", "norm", "skip", "cell", "before"])
def test_other_read_outs_are_not(behind: str) -> None:
    model = whichword.wrap(made(Reader("LSTM", behind)), vocabulary=WORDS, classes=CLASSES)
    assert type(model) is WordModule
    with pytest.raises(whichword.InputError, match="decomp is not defined for Reader: no gated memory is read out"):
        whichword.explain(model, ["a film"], "decomp")


def test_a_projected_memory_is_not() -> None:
    module = made(Reader("LSTM", proj_size=4 - 1))
    module.out = nn.Linear(3, 2).double().eval()
    assert type(whichword.wrap(module, vocabulary=WORDS, classes=CLASSES)) is WordModule


def test_an_empty_text_that_a_module_cannot_read() -> None:
    """Where omission would have to ask for it, it is not defined for the text; an empty text itself is an error."""
    model = whichword.wrap(made(Reader()), vocabulary=WORDS, classes=CLASSES)
    (answer,) = whichword.explain(model, ["a film"])
    assert np.isnan(answer.relevance["omit_3"]).all()
    assert answer.rmax("omit_3") is None
    assert np.isfinite(answer.relevance["omit_1"]).all()
    assert np.isfinite(answer.relevance["limsse_ms_s"]).all()
    with pytest.raises(whichword.InputError, match="Reader cannot read a text without words"):
        whichword.explain(model, [""])
