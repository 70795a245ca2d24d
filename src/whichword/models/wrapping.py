"""`wrap`: anything that classifies texts, made a `Model`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whichword.errors import InputError
from whichword.model import Model


def wrap(
    thing: Any,
    tokenizer: Any = None,
    *,
    vocabulary: Sequence[str] | Mapping[str, int] | None = None,
    classes: Sequence[str] | None = None,
    embedding: Any = None,
    call: Callable[..., Any] | None = None,
    unknown: str | None = None,
    label: str | None = None,
    task: str | None = None,
    score: str = "difference",
    most: int | None = None,
) -> Model:
    """A model of your own, ready to be explained; it stays as it is.

    - a torch module: ``vocabulary`` (a list, word i is row i; or word -> row) or ``tokenizer`` (word -> its ids),
      ``classes``; ``embedding`` names the words' table where there are several, ``call(module, ids, lengths)`` is how
      to call it, ``unknown`` the word that stands for all that are not in the vocabulary;
    - a Hugging Face classifier and its fast tokenizer; ``label`` where its labels are independent of each other;
    - a Hugging Face language model with ``task="agreement"``: the two forms of a verb, by the difference of their
      logits, or by the logit itself (``score="logit"``);
    - a function from a list of texts to probabilities [n, K] or labels, with ``classes``; or a scikit-learn pipeline.
      ``most`` bounds the texts that it is asked about.
    """
    if isinstance(thing, Model):
        return thing
    if task is not None:
        return _language_model(thing, tokenizer, task, score)
    if _is_huggingface(thing):
        from whichword.models.huggingface import Classifier

        return Classifier(thing, tokenizer, classes, label)
    if _is_module(thing):
        return _module(thing, tokenizer, vocabulary, classes, embedding, call, unknown)
    return _black_box(thing, classes, most)


def _is_module(thing: Any) -> bool:
    return any(kind.__module__ == "torch.nn.modules.module" for kind in type(thing).__mro__)


def _is_huggingface(thing: Any) -> bool:
    return _is_module(thing) and hasattr(thing, "config") and hasattr(thing, "get_input_embeddings")


def _language_model(thing: Any, tokenizer: Any, task: str, score: str) -> Model:
    from whichword.models.language import LanguageModel

    if task != "agreement":
        raise InputError(f"no task is called {task!r}; known: agreement")
    return LanguageModel(thing, tokenizer, score)


def _module(
    thing: Any,
    tokenizer: Any,
    vocabulary: Sequence[str] | Mapping[str, int] | None,
    classes: Sequence[str] | None,
    embedding: Any,
    call: Callable[..., Any] | None,
    unknown: str | None,
) -> Model:
    from whichword.models.words import WordModule, by_vocabulary

    if classes is None:
        raise InputError("a torch module does not name its classes: give classes=[...]")
    if (vocabulary is None) == (tokenizer is None):
        raise InputError("a torch module needs vocabulary=... or tokenizer=..., one of them")
    if vocabulary is None:
        return WordModule(thing, tokenizer, classes, embedding, call)
    pieces, is_unknown = by_vocabulary(vocabulary, unknown)
    return WordModule(thing, pieces, classes, embedding, call, is_unknown)


def _black_box(thing: Any, classes: Sequence[str] | None, most: int | None) -> Model:
    from whichword.models.blackbox import BlackBox

    pipeline = getattr(thing, "predict_proba", None) or getattr(thing, "predict", None)
    if pipeline is not None:
        names = classes if classes is not None else [str(name) for name in thing.classes_]
        return BlackBox(pipeline, names, name=type(thing).__name__, most=most)
    if not callable(thing):
        raise InputError(f"a {type(thing).__name__} is no model: a torch module, a function or a pipeline is needed")
    if classes is None:
        raise InputError("a function does not name its classes: give classes=[...]")
    return BlackBox(thing, classes, most=most)
