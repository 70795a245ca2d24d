"""Run me: all methods on modules of torch's and transformers', and every dictionary of both libraries as it was."""

import sys
import types
from importlib.util import find_spec
from typing import Any

from foreign_modules import TEXTS, Convolutions, Encoder, Recurrent, batch_of, shaken, wrapped
from torch import nn

import whichword
from whichword.model import Model

LIBRARIES = ("torch", "transformers", "tokenizers")


def models() -> list[Model]:
    modules = [
        Recurrent("LSTM", 2, True, "attention"),
        Recurrent("GRU"),
        Convolutions(nn.ReLU(inplace=True)),
        Encoder(),
    ]
    ours = [wrapped(shaken(module)) for module in modules]
    if find_spec("transformers") is None:
        return ours
    from tiny_transformers import classifier, tokenizer

    return ours + [whichword.wrap(classifier(family), tokenizer()) for family in ("bert", "gpt2", "llama")]


def dictionaries() -> dict[Any, dict[str, Any]]:
    """What every module and every class of the libraries holds."""
    shelves: dict[Any, dict[str, Any]] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in LIBRARIES and isinstance(module, types.ModuleType):
            shelves[name] = dict(vars(module))
            for key, value in list(vars(module).items()):
                if isinstance(value, type) and value.__module__.partition(".")[0] in LIBRARIES:
                    shelves[name, key] = dict(vars(value))
    return shelves


def main() -> None:
    wrapped_models = models()
    for model in wrapped_models:
        model.score(batch_of(model, TEXTS))
    before = dictionaries()
    for model in wrapped_models:
        whichword.explain(model, TEXTS)
        whichword.account(model, TEXTS[0])
    after = dictionaries()
    for shelf, values in before.items():
        changed = [key for key, value in values.items() if after[shelf].get(key) is not value]
        assert not changed, (shelf, changed)
        assert not isinstance(shelf, tuple) or set(after[shelf]) == set(values), (
            shelf,
            set(after[shelf]) ^ set(values),
        )
    print(len(before))


if __name__ == "__main__":
    main()
