"""The mode around a module's own call: it hands out the word vectors, and puts rules on what follows.

- `Lookup` answers the embedding calls whose weight is the word table with vectors of our own (scaled, zeroed, ..).
- `Ruling` does that too, and takes every call through the table of rules.

Parameters take no part: they are detached call by call, so the module's own flags stay as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from whichword.errors import InputError
from whichword.operations.calls import Call
from whichword.operations.roles import Rank, Role, is_signal, signals, with_role
from whichword.operations.table import rule_for
from whichword.rules import Ledger, Relevance, Rules


@dataclass(frozen=True)
class WordVectors:
    """The word table, the ids that a text is looked up with [B, P], and the vectors to give for them [B, P, E]."""

    table: Tensor
    ids: Tensor
    e: Tensor

    def of(self, ids: Tensor) -> Tensor:
        """The vectors in the layout of the call; other ids than the text's are refused."""
        for turned in (False, True):
            text = self.ids.T if turned else self.ids
            if ids.shape == text.shape and torch.equal(ids, text):
                return self.e.transpose(0, 1) if turned else self.e
        raise InputError("the word table is looked up with other ids than the text's")

    def asked(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor | None:
        """The vectors, if the call looks words up."""
        if func is not torch.nn.functional.embedding:
            return None
        ids, weight = (
            [*args, kwargs.get("input"), kwargs.get("weight")][:2]
            if len(args) != 1
            else (
                args[0],
                kwargs.get("weight"),
            )
        )
        return self.of(ids) if weight is self.table else None


class Lookup(TorchFunctionMode):
    """The ordinary gradient, from these word vectors on."""

    def __init__(self, words: WordVectors) -> None:
        super().__init__()
        self.words = words

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        vectors = self.words.asked(func, args, kwargs or {})
        return func(*frozen(args), **frozen(kwargs or {})) if vectors is None else vectors


class Ruling(TorchFunctionMode):
    """Every call by its rule. ``decisions`` says which factor of which product became the weight, and where."""

    def __init__(self, words: WordVectors, rules: Rules) -> None:
        super().__init__()
        self.words, self.rules = words, rules
        self.attention = rules.attention if isinstance(rules, Relevance) else getattr(rules, "attention", "weight")
        self.ledger: Ledger | None = rules.ledger if isinstance(rules, Relevance) else None
        self.decisions: dict[str, str] = {}
        self.halved: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        vectors = self.words.asked(func, args, kwargs or {})
        if vectors is not None:
            return with_role(vectors, Role(Rank.SUM))
        args, kwargs = frozen(args), frozen(kwargs or {})
        if not signals((args, kwargs)):
            return func(*args, **kwargs)
        with torch.enable_grad():
            call = Call(self, func, args, kwargs)
            return rule_for(call)(call)

    def again(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self.__torch_function__(func, (), args, kwargs)

    def constants(self, value: Any) -> Any:
        if self.ledger is None:
            return value
        if isinstance(value, Tensor):
            floating = value.is_floating_point() and not value.requires_grad
            return self.ledger.constant(value) if floating else value
        if isinstance(value, list | tuple):
            return type(value)(self.constants(part) for part in value)
        if isinstance(value, dict):
            return {name: self.constants(part) for name, part in value.items()}
        return value


def frozen(value: Any) -> Any:
    """The same arguments; parameters, which would have a gradient, are detached."""
    if isinstance(value, Tensor):
        return value.detach() if value.requires_grad and not is_signal(value) else value
    if type(value) is tuple:
        return tuple(frozen(part) for part in value)
    if isinstance(value, list):
        return [frozen(part) for part in value]
    if isinstance(value, dict):
        return {name: frozen(part) for name, part in value.items()}
    return value
