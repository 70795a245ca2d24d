"""`wrap`: anything that classifies texts, made a `Model`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from whichword.errors import InputError, SettingError
from whichword.model import Model

LANGUAGE_MODELS = ("ForCausalLM", "ForMaskedLM", "LMHeadModel")


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
    score: str | None = None,
    most: int | None = None,
    tries: int | None = None,
    pause: float | None = None,
) -> Model:
    """Make a model of your own ready to be explained; it stays as it is.

    - a torch module: ``vocabulary`` (a list, word i is row i; or word -> row) or ``tokenizer`` (word -> its ids),
      ``classes``; ``embedding`` names the words' table where there are several, ``call(module, ids, lengths)`` is how
      to call it, ``unknown`` the word that stands for all that are not in the vocabulary;
    - a Hugging Face classifier and its fast tokenizer; ``label`` where its labels are independent of each other;
    - a Hugging Face language model with ``task="agreement"``: the two forms of a verb, by the difference of their
      logits, or by the logit itself (``score="logit"``);
    - a function from a list of texts to probabilities [n, K] or labels, with ``classes``; or a scikit-learn pipeline.
      ``most`` bounds the texts that it is asked about; a call that fails is tried ``tries`` times in all (3), after
      ``pause`` seconds (.2), then after twice as long, and so on.
    """
    calls = (most, tries, pause)
    settings = WrapSettings(tokenizer, vocabulary, classes, embedding, call, unknown, label, task, score, *calls)
    _check_classes(classes)
    if isinstance(thing, Model):
        settings.allow("a wrapped model")
        return thing
    if task is not None:
        return _language_model(thing, settings)
    if _is_huggingface(thing):
        return _classifier(thing, settings)
    return _module(thing, settings) if _is_module(thing) else _black_box(thing, settings)


@dataclass(frozen=True)
class WrapSettings:
    """The settings that `wrap` was given."""

    tokenizer: Any
    vocabulary: Any
    classes: Sequence[str] | None
    embedding: Any
    call: Callable[..., Any] | None
    unknown: str | None
    label: str | None
    task: str | None
    score: str | None
    most: int | None
    tries: int | None
    pause: float | None

    def allow(self, kind: str, *names: str) -> None:
        """Refuse a setting that means nothing for this kind of model: none is left out in silence."""
        for field in fields(self):
            if field.name not in names and getattr(self, field.name) is not None:
                raise SettingError(f"{kind} has no setting {field.name!r}; it has: {', '.join(names) or 'none'}")


def _check_classes(classes: Sequence[str] | None) -> None:
    if classes is not None and (isinstance(classes, str) or len(set(classes)) < max(2, len(classes))):
        raise SettingError("the classes have to be two or more, with different names")


def _is_module(thing: Any) -> bool:
    return any(kind.__module__ == "torch.nn.modules.module" for kind in type(thing).__mro__)  # torch is not loaded


def _is_huggingface(thing: Any) -> bool:
    return _is_module(thing) and hasattr(thing, "config") and hasattr(thing, "get_input_embeddings")


def _language_model(thing: Any, settings: WrapSettings) -> Model:
    settings.allow("a language model", "tokenizer", "task", "score")
    if settings.task != "agreement":
        raise SettingError(f"no task is called {settings.task!r}; known: agreement")
    if not _is_huggingface(thing) or not type(thing).__name__.endswith(LANGUAGE_MODELS):
        raise InputError(f"a {type(thing).__name__} is no language model of Hugging Face's")
    from whichword.models.language import LanguageModel  # only here is torch needed

    model = LanguageModel(thing, settings.tokenizer, settings.score or "difference")
    model.check_mode()  # now, not at the first text
    return model


def _classifier(thing: Any, settings: WrapSettings) -> Model:
    settings.allow("a Hugging Face classifier", "tokenizer", "classes", "label")
    if type(thing).__name__.endswith(LANGUAGE_MODELS):
        raise InputError(f"a {type(thing).__name__} is a language model: say what to ask it by task='agreement'")
    from whichword.models.huggingface import Classifier

    classifier = Classifier(thing, settings.tokenizer, settings.classes, settings.label)
    classifier.check_mode()  # now, not at the first text
    return classifier


def _module(thing: Any, settings: WrapSettings) -> Model:
    settings.allow("a torch module", "tokenizer", "vocabulary", "classes", "embedding", "call", "unknown")
    if settings.classes is None:
        raise SettingError("a torch module does not name its classes: give classes=[...]")
    if (settings.vocabulary is None) == (settings.tokenizer is None):
        raise SettingError("a torch module needs vocabulary=... or tokenizer=..., one of them")
    from whichword.models.gated import with_memory
    from whichword.models.twins import with_twin
    from whichword.models.words import by_vocabulary

    if settings.vocabulary is None:
        return with_memory(thing, settings.tokenizer, settings.classes, settings.embedding, settings.call)
    rows, is_unknown = by_vocabulary(settings.vocabulary, settings.unknown)
    return with_twin(thing, rows, settings.classes, settings.embedding, settings.call, is_unknown)


def _black_box(thing: Any, settings: WrapSettings) -> Model:
    from whichword.models.blackbox import BlackBox

    calls = ("most", "tries", "pause")
    settings.allow("a function or pipeline", "classes", *calls)
    options = {name: value for name in calls if (value := getattr(settings, name)) is not None}
    pipeline = getattr(thing, "predict_proba", None) or getattr(thing, "predict", None)  # else labels
    if pipeline is not None:
        return BlackBox(pipeline, _pipeline_classes(thing, settings), name=type(thing).__name__, **options)
    if not callable(thing):
        raise InputError(f"a {type(thing).__name__} is no model: a torch module, a function or a pipeline is needed")
    if settings.classes is None:
        raise SettingError("a function does not name its classes: give classes=[...]")
    return BlackBox(thing, settings.classes, **options)


def _pipeline_classes(thing: Any, settings: WrapSettings) -> Sequence[str]:
    names = getattr(thing, "classes_", None)
    if settings.classes is not None:
        return settings.classes
    if names is None:
        raise SettingError(f"the {type(thing).__name__} does not name its classes: fit it, or give classes=[...]")
    return [str(name) for name in names]  # often numpy's numbers
