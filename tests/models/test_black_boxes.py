"""Functions and pipelines: probabilities or labels, counted, bounded, tried again, and checked."""

from collections.abc import Callable

import numpy as np
import pytest

import whichword
from whichword.models import blackbox
from whichword.models.blackbox import BlackBox

CLASSES = ["bad", "good"]
WEIGHTS = {"good": 1.5, "great": 2.0, "bad": -1.0, "awful": -2.5, "not": -0.5}
GRADIENT = {name for name in whichword.METHODS.names() if name.startswith("grad")}


def logit(text: str) -> float:
    return sum(WEIGHTS.get(word, 0.0) for word in text.split())


def probabilities(texts: list[str]) -> np.ndarray:
    p = np.array([1.0 / (1.0 + np.exp(-logit(text))) for text in texts])
    return np.stack([1.0 - p, p], axis=1)


def labels(texts: list[str]) -> list[str]:
    return ["good" if logit(text) > 0 else "bad" for text in texts]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blackbox, "PAUSE", 0.0)


def test_probabilities() -> None:
    model = whichword.wrap(probabilities, classes=CLASSES)
    assert (model.about.name, model.about.scores) == ("probabilities", "log p")
    (answer,) = whichword.explain(model, ["a great film , not bad"])
    assert answer.scores["good"] == pytest.approx(np.log(probabilities(["a great film , not bad"])[0, 1]))
    assert set(answer.relevance) == set(whichword.METHODS.names()) - GRADIENT - {"lrp", "deeplift", "decomp"}
    texts = ["great film , not bad", "a film , not bad", "a great , not bad", "a great film not bad"]
    texts += ["a great film , bad", "a great film , not"]
    changes = answer.scores["good"] - np.log(probabilities(texts)[:, 1])
    np.testing.assert_allclose(answer.relevance["omit_1"], changes, rtol=0, atol=1e-12)


def test_occlusion_puts_a_placeholder() -> None:
    asked: list[str] = []

    def noting(texts: list[str]) -> np.ndarray:
        asked.extend(texts)
        return probabilities(texts)

    whichword.explain(whichword.wrap(noting, classes=CLASSES), ["great  film\nnot"], "occ_1")
    assert {"_  film\nnot", "great  _\nnot", "great  film\n_"} <= set(asked)


@pytest.mark.parametrize("method", ["lrp", "grad_1_s_dot", "decomp"])
def test_nothing_of_its_inside_is_known(method: str) -> None:
    model = whichword.wrap(probabilities, classes=CLASSES)
    with pytest.raises(whichword.InputError, match=f"{method} is not defined for probabilities: .+"):
        whichword.explain(model, ["great"], method)


@pytest.mark.parametrize("function", [labels, lambda texts: [CLASSES.index(name) for name in labels(texts)]])
def test_labels_alone(function: Callable[[list[str]], list]) -> None:
    model = whichword.wrap(function, classes=CLASSES)
    assert model.about.scores == "label"
    (answer,) = whichword.explain(model, ["a great film , not bad"])
    assert set(answer.relevance) == {"limsse_bb", "random", "last"}
    assert answer.predicted == "good"
    assert answer.rmax("limsse_bb") == 1
    with pytest.raises(whichword.InputError, match=r"omit_1 is not defined for .*: it gives labels, no scores"):
        whichword.explain(model, ["great"], "omit_1")


def test_calls_and_texts_are_counted_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blackbox, "TEXTS", 4)
    sizes: list[int] = []

    def noting(texts: list[str]) -> np.ndarray:
        sizes.append(len(texts))
        return probabilities(texts)

    model = whichword.wrap(noting, classes=CLASSES, most=20)
    assert isinstance(model, BlackBox)
    whichword.explain(model, ["a great film , not bad"], "omit_1")
    assert (model.calls, model.texts) == (len(sizes), sum(sizes))
    assert max(sizes) == 4
    assert model.texts == 1 + 1 + 7  # the first look, the text, and its seven copies: each word, and none
    with pytest.raises(whichword.InputError, match="noting was to be asked about 20 texts at the most"):
        whichword.explain(model, ["a great film , not bad", "a bad film , not great"], "omit_3")
    assert model.texts <= 20


class Unreliable:
    """Fails so many times in a row from the tenth text on."""

    def __init__(self, failures: int) -> None:
        self.left, self.texts = failures, 0

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.texts += len(texts)
        if self.texts > 9 and self.left:
            self.left -= 1
            raise ConnectionError("gateway time-out\nplease try again")
        return probabilities(texts)


def test_a_failure_in_the_middle_is_tried_again() -> None:
    text = ["a great film , not bad"]
    (expected,) = whichword.explain(whichword.wrap(probabilities, classes=CLASSES), text, ["omit_1", "limsse_ms_s"])
    unreliable = Unreliable(failures=2)
    (answer,) = whichword.explain(whichword.wrap(unreliable, classes=CLASSES), text, ["omit_1", "limsse_ms_s"])
    assert unreliable.left == 0
    for method, values in expected.relevance.items():
        np.testing.assert_array_equal(answer.relevance[method], values)


def test_then_it_is_one_line() -> None:
    model = whichword.wrap(Unreliable(failures=3), classes=CLASSES)
    with pytest.raises(whichword.InputError) as mistake:
        whichword.explain(model, ["a great film , not bad"], "limsse_ms_s")
    assert str(mistake.value) == "Unreliable failed 3 times: ConnectionError: gateway time-out"


BAD_ANSWERS: dict[str, Callable[[list[str]], object]] = {
    r"gave an array of shape \[1, 3\], not \[1, 2\]": lambda texts: np.full((len(texts), 3), 1 / 3),
    r"gave an array of shape \[1\], not \[1, 2\]": lambda texts: [0.5 for _ in texts],
    "gave values that are no probabilities": lambda texts: np.full((len(texts), 2), np.nan),
    "values that are no probabilities": lambda texts: [[-1.0, 2.0] for _ in texts],
    "gave probabilities that add up to 1.6, not 1": lambda texts: [[0.8, 0.8] for _ in texts],
    "gave something that is no array of probabilities": lambda texts: "good",
    "something that is no array": lambda texts: [["good", "bad"] for _ in texts],
    "gave the label 'ugly'; the classes are bad, good": lambda texts: ["ugly" for _ in texts],
    "gave the label 7; the classes are bad, good": lambda texts: [7 for _ in texts],
    "gave 2 labels for 1 texts": lambda texts: ["good", "good"],
    "failed 3 times: TypeError": lambda texts: texts + 1,
    r"gave an array of shape \[\], not": lambda texts: None,
}


@pytest.mark.parametrize("message", BAD_ANSWERS)
def test_bad_answers_are_one_line(message: str) -> None:
    with pytest.raises(whichword.InputError, match=message) as mistake:
        whichword.explain(whichword.wrap(BAD_ANSWERS[message], classes=CLASSES), ["great"])
    assert "\n" not in str(mistake.value)


BAD_MODELS = {
    "a function does not name its classes": lambda: whichword.wrap(probabilities),
    "the classes have to be two or more": lambda: whichword.wrap(probabilities, classes=["good", "good"]),
    "two or more, with different names": lambda: whichword.wrap(probabilities, classes="good"),
    "a dict is no model: a torch module, a function or a pipeline is needed": lambda: whichword.wrap(
        {}, classes=CLASSES
    ),
    "a function or pipeline has no setting 'vocabulary'": lambda: whichword.wrap(
        probabilities, classes=CLASSES, vocabulary=["a"]
    ),
}


@pytest.mark.parametrize("message", BAD_MODELS)
def test_bad_models_are_one_line(message: str) -> None:
    with pytest.raises(whichword.InputError, match=message):
        BAD_MODELS[message]()


def test_a_wrapped_model_stays_what_it_is() -> None:
    model = whichword.wrap(probabilities, classes=CLASSES)
    assert whichword.wrap(model) is model
    with pytest.raises(whichword.InputError, match="a wrapped model has no setting 'classes'"):
        whichword.wrap(model, classes=CLASSES)


# --------------------------------------------------------------------------------------------------------- scikit-learn

TEXTS = ["a great film", "good and great", "great , not bad", "an awful film", "bad and awful", "not good"]


@pytest.mark.parametrize("numbers", [False, True])
def test_a_pipeline_of_scikit_learn(numbers: bool) -> None:
    """Its probabilities, with its own class names, be they words or numbers that do not begin at 0."""
    pytest.importorskip("sklearn", reason="needs scikit-learn")
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    y = [7 if numbers else "good"] * 3 + [3 if numbers else "bad"] * 3
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10.0)).fit(TEXTS, y)
    model = whichword.wrap(pipeline)
    assert model.about.classes == (("3", "7") if numbers else ("bad", "good"))
    (answer,) = whichword.explain(model, ["a really great film"])
    np.testing.assert_allclose(list(answer.probabilities.values()), pipeline.predict_proba(["a really great film"])[0])
    assert answer.rmax("omit_1") == answer.rmax("limsse_ms_s") == 2


@pytest.mark.parametrize("numbers", [False, True])
def test_a_pipeline_that_gives_labels(numbers: bool) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    y = [7 if numbers else "good"] * 3 + [3 if numbers else "bad"] * 3
    model = whichword.wrap(make_pipeline(CountVectorizer(), LinearSVC()).fit(TEXTS, y))
    (answer,) = whichword.explain(model, ["a great film"])
    assert model.about.scores == "label"
    assert answer.predicted == ("7" if numbers else "good")
    with pytest.raises(whichword.InputError, match="does not name its classes: fit it"):
        whichword.wrap(make_pipeline(CountVectorizer(), LinearSVC()))
