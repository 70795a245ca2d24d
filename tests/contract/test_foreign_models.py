"""Models that are none of ours: exactly the methods that fit them answer, and the others say why they do not."""

import copy

import numpy as np
import pytest
import torch
from foreign_models import FOREIGN, TEXTS, Bag, Letters, Recurring
from torch import Tensor, nn

import whichword
from whichword import METHODS, InputError
from whichword.methods import Questions, plan
from whichword.model import Batch, Model
from whichword.planning.costs import explaining
from whichword.sequences import Sequences
from whichword.text import tokenize
from whichword.types import Text

GRADIENTS = {name for name in METHODS if name.startswith("grad_")}
NO_GRADIENTS = "it gives no gradients: it has no word vectors that can be changed"
NO_RULES = "its operations have no relevance rules"
NO_MEMORY = "no gated memory is read out linearly"
RULED = {"lrp": NO_RULES, "deeplift": NO_RULES}
LACKS = {
    "letters": {"decomp": NO_MEMORY} | RULED | dict.fromkeys(GRADIENTS, NO_GRADIENTS),
    "recurring": {"decomp": NO_MEMORY} | RULED,
    "bag": {"decomp": NO_MEMORY},
}
ROUNDING = 1e-9


@pytest.fixture(params=FOREIGN)
def model(request: pytest.FixtureRequest) -> Model:
    return FOREIGN[request.param]()


def words_of(text: str | list[str]) -> tuple[str, ...]:
    return tokenize(text)[0] if isinstance(text, str) else tuple(text)


def written(text: str | list[str]) -> Text:
    return Text(words_of(text), text if isinstance(text, str) else " ".join(text))


def close(values: np.ndarray | float, expected: np.ndarray | float) -> bool:
    return bool(np.allclose(values, expected, rtol=ROUNDING, atol=ROUNDING))


def test_exactly_the_methods_that_fit_answer(model: Model) -> None:
    lacks = LACKS[model.about.name]
    assert dict(plan(None, model).undefined) == lacks
    for methods in (None, "all", ["all", "omit_1"]):
        for explanation in whichword.explain(model, TEXTS[:2], methods):
            assert set(explanation.relevance) == set(METHODS) - lacks.keys()


def test_what_was_named_and_cannot_be_had_is_refused_with_its_reason(model: Model) -> None:
    for name, reason in LACKS[model.about.name].items():
        for methods in (name, ["last", name], [name, "all"]):
            with pytest.raises(InputError) as refused:
                whichword.explain(model, TEXTS, methods)
            assert str(refused.value) == f"{name} is not defined for {model.about.name}: {reason}"


@pytest.mark.parametrize("spelling", ["lrp", "deeplift", "lrp[eps=0.1]", "deeplift[readout=rescale]", "decomp"])
def test_no_rule_is_made_up_for_operations_that_have_none(spelling: str) -> None:
    """An ordinary gradient would come back from nn.LSTM, and nobody could see that it is not what was asked for."""
    with pytest.raises(InputError, match="is not defined for recurring: "):
        whichword.explain(Recurring(), TEXTS, spelling)


def test_shapes_words_and_text(model: Model) -> None:
    for text, explanation in zip(TEXTS, whichword.explain(model, TEXTS), strict=True):
        assert explanation.words == words_of(text)
        assert explanation.text == written(text).text
        assert explanation.unknown == (False,) * len(explanation.words)
        for name, values in explanation.relevance.items():
            assert values.shape == (len(explanation.words),), name
            assert values.dtype == np.float64
            assert np.isfinite(values).all(), name


def test_a_document_alone_and_in_any_batch(model: Model) -> None:
    together = whichword.explain(model, TEXTS)
    turned = whichword.explain(model, TEXTS[::-1], batch_words=20)[::-1]
    for row, text in enumerate(TEXTS):
        (alone,) = whichword.explain(model, [text])
        for explanation in (alone, turned[row]):
            assert close(list(explanation.scores.values()), list(together[row].scores.values()))
            assert explanation.rest.keys() == together[row].rest.keys()
            for name, values in together[row].relevance.items():
                assert close(explanation.relevance[name], values), (name, text)
            for name, value in together[row].rest.items():
                assert close(explanation.rest[name], value), (name, text)


@pytest.mark.parametrize("kind", [Recurring, Bag])
def test_padding_never_matters(kind: type[Recurring | Bag], monkeypatch: pytest.MonkeyPatch) -> None:
    model = kind()
    batch, targets = Batch.of([model.read(written(text)) for text in TEXTS]), torch.arange(len(TEXTS)) % 3
    chosen = plan(None, model)
    before = chosen.answer(model, Questions(batch, targets))

    def spoiled(batch: Batch) -> Tensor:
        return batch.ids.with_data(model.embedding(batch.ids.data)).filled(torch.nan).data

    monkeypatch.setattr(model, "embed", spoiled)
    after = chosen.answer(model, Questions(wider(batch), targets))
    for name in chosen.labels:
        for row, count in enumerate(batch.words.tolist()):
            assert close(after[name].values[row, :count], before[name].values[row, :count]), name
            if before[name].rest is not None:
                assert close(after[name].rest[row], before[name].rest[row]), name


def wider(batch: Batch) -> Batch:
    """The same pieces and nine columns more, the padding filled with a piece that some of them have."""
    pad = nn.functional.pad
    ids = Sequences(pad(batch.ids.filled(7).data, (0, 9), value=7), batch.ids.lengths)
    return Batch(ids, batch.words, pad(batch.word, (0, 9), value=-1), batch.readings)


def test_the_model_is_left_as_it_was() -> None:
    for model in (Letters(), Recurring(), Bag()):
        parameters = [model.w] if isinstance(model, Letters) else list(model.train().parameters())
        before = copy.deepcopy(parameters)
        whichword.explain(model, TEXTS)
        for parameter, value in zip(parameters, before, strict=True):
            assert torch.equal(parameter, value)
            assert parameter.requires_grad
            assert parameter.grad is None
    assert torch.is_grad_enabled()


def test_words_that_a_model_does_not_read(model: Model) -> None:
    """The first four are explained as if there were no others, in whatever batch; the others have relevance 0."""
    short = type(model)(limit=4)  # type: ignore[call-arg]
    texts = [["one", "two", "three", "four", "five", "six", "seven"], ["a", "b"], [*"abcdefghij"]]
    for text, explanation in zip(texts, whichword.explain(short, texts), strict=True):
        (seen,) = whichword.explain(model, [text[:4]])
        assert close(list(explanation.scores.values()), list(seen.scores.values()))
        for name in set(explanation.relevance) - {"random"}:
            assert explanation.relevance[name].shape == (len(text),)
            assert close(explanation.relevance[name][:4], seen.relevance[name]), (name, text)
            assert not explanation.relevance[name][4:].any()


class Counts(Letters):
    """Scores that are whole numbers: how many letters, words and spaces."""

    def score(self, batch: Batch) -> Tensor:
        texts = [reading.text for reading in batch.readings]
        return torch.tensor([[len(text), len(text.split()), text.count(" ")] for text in texts])


def test_whole_numbers_as_scores_give_fractions_as_relevances() -> None:
    (explanation,) = whichword.explain(Counts(), ["to be or not"], ["omit_1", "omit_3"], target="no")
    assert explanation.scores == {"no": 12, "yes": 4, "maybe": 3}
    np.testing.assert_allclose(explanation.relevance["omit_1"], [3, 3, 3, 4])
    np.testing.assert_allclose(explanation.relevance["omit_3"], [6, 25 / 3, 26 / 3, 7], rtol=1e-6)


def test_half_precision_answers_in_single_precision() -> None:
    for explanation in whichword.explain(Bag().to(torch.bfloat16), TEXTS):
        assert all(values.dtype == np.float32 for values in explanation.relevance.values())
        assert all(np.isfinite(values).all() for values in explanation.relevance.values())


def test_time_can_be_estimated(model: Model) -> None:
    chosen = plan(None, model)
    seconds = explaining(model, [20, 3], chosen)
    assert seconds.keys() == set(chosen.labels)
    assert all(value > 0 for value in seconds.values())
