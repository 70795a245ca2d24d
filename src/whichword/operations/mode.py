"""The mode around a module's own call: it hands out the word vectors, and puts rules on what follows.

- `Lookup` answers the embedding calls whose weight is the word table with vectors of our own (scaled, zeroed, ..).
- `Ruling` does that too, and takes every call through the table of rules.

Parameters take no part: they are detached call by call, so the module's own flags stay as they are. On request casts
inside a model are left out: some models round to single precision on the way, whatever they are given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from whichword.errors import InputError, NoRuleError
from whichword.operations import walls
from whichword.operations.calls import (
    LOST,
    Call,
    NumberEcho,
    Rank,
    Role,
    echo_of,
    is_signal,
    mapped,
    place,
    role,
    wall,
    with_role,
)
from whichword.operations.functions import check_switched_off
from whichword.operations.table import rule_for
from whichword.operations.walls import behind_walls, out_of_sight, shape_only
from whichword.rules import Ledger, Rules

LOWER = (torch.float32, torch.float16, torch.bfloat16)
CASTS = ("to", "type", "type_as", "float", "half", "bfloat16")


def in_double(call: Call) -> Call:
    """Return the same call; where it would take a double to a lower precision, it does not."""
    x = call.args[0] if call.args else call.kwargs.get("input")
    if not isinstance(x, Tensor) or x.dtype != torch.float64:
        return call
    if call.name in CASTS and (call.name in ("float", "half", "bfloat16") or _like_lower(call.args[1:])):
        return Call(call.ruler, torch.Tensor.double, (x,))  # a call again, so that it gets the rule of a cast
    return call.changed(_raised(call.args), _raised(call.kwargs))


def _like_lower(args: tuple[Any, ...]) -> bool:
    """Tell whether a cast to another tensor's precision would lower it."""
    return any(isinstance(value, Tensor) and value.dtype in LOWER for value in args)


def _raised(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return torch.float64 if value in LOWER else value
    return mapped(_raised, value)


SWITCH = "_set_grad_enabled"  # what no_grad and enable_grad call
# what cuts a value off from its gradient: to be seen through, or numbers for others
CUTS = {"detach": True, "get:data": True, "numpy": False, "py:array": False, "tolist": False}


@dataclass(frozen=True)
class WordVectors:
    """The word table, the ids that a text is looked up with [B, P], and the vectors to give for them [B, P, E]."""

    table: Tensor
    ids: Tensor
    e: Tensor

    def looked_up(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor | None:
        """Return the vectors, if the call looks words up; a copy, which the model may change in place."""
        if func is not torch.nn.functional.embedding:  # nn.Embedding comes through here, too
            return None
        ids = args[0] if args else kwargs["input"]
        weight = args[1] if len(args) > 1 else kwargs["weight"]
        if weight is not self.table:  # another table: positions, segments
            return None
        with torch.set_grad_enabled(self.e.requires_grad):  # a model may look its words up under no_grad
            return self._of(ids).clone()

    def _of(self, ids: Tensor) -> Tensor:
        """Return the vectors in the layout of the call; other ids than the text's are refused."""
        for turned in (False, True):  # some models look up [P, B]
            text = self.ids.T if turned else self.ids
            if ids.shape == text.shape and torch.equal(ids, text):
                return self.e.transpose(0, 1) if turned else self.e
        raise InputError("the word table is looked up with other ids than the text's")


class Lookup(TorchFunctionMode):
    """The ordinary gradient, from these word vectors on. ``lookups``: where in the graph they were handed out.

    ``unrounded``: a cast from double to single precision inside the model is left out.
    """

    def __init__(self, words: WordVectors, unrounded: bool = False) -> None:
        super().__init__()
        self.words, self.unrounded, self.gradients = words, unrounded, torch.is_grad_enabled()  # as the caller set it
        self.lookups: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        vectors = self.words.looked_up(func, args, kwargs)
        if vectors is not None:
            self.lookups.append(vectors.grad_fn)
            return self._handed_out(vectors)
        call = Call(self, func, self._prepared(args), self._prepared(kwargs))  # type: ignore[arg-type]
        check_switched_off(call)
        return self._called(in_double(call) if self.unrounded else call)

    def _handed_out(self, vectors: Tensor) -> Tensor:
        return vectors

    def _called(self, call: Call) -> Any:
        """Call for the derivative of the function: a model's own no_grad and detach do not make it 0."""
        if self.gradients and call.name in CUTS and is_signal(call.first):
            return call.first.view_as(call.first) if CUTS[call.name] else call.value()
        if call.name == SWITCH:
            return None  # the model's own no_grad does nothing
        if self.gradients == torch.is_grad_enabled():  # nearly always: to switch takes longer than many a call
            return call.run()
        with torch.set_grad_enabled(self.gradients):
            return call.run()

    def _prepared(self, value: Any) -> Any:
        """Return the same arguments; parameters are detached where they would get a gradient."""
        if isinstance(value, Tensor):
            return value.detach() if self.gradients and value.requires_grad and value.is_leaf else value
        return mapped(self._prepared, value) if self.gradients else value


class Ruling(Lookup):
    """Every call by its rule. ``decisions`` says which factor of which product became the weight, and where."""

    def __init__(self, words: WordVectors, rules: Rules, unrounded: bool = False) -> None:
        super().__init__(words, unrounded)
        self.rules = rules
        self.attention: str = getattr(rules, "attention", "weight")
        self.ledger: Ledger | None = getattr(rules, "ledger", None)
        self.decisions: dict[str, str] = {} if self.ledger is None else self.ledger.decisions
        self.halved: list[Any] = []

    def again(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self.__torch_function__(func, (), args, kwargs)

    def _handed_out(self, vectors: Tensor) -> Tensor:
        handed_out: Tensor = with_role(vectors, Role(Rank.SUM))
        return handed_out

    def _called(self, call: Call) -> Any:
        if not call.moving:
            return self._unmoved(call)
        rule, blind = rule_for(call), not torch.is_grad_enabled()
        if torch.is_inference_mode_enabled():
            raise NoRuleError(f"no relevance rule for {call.name} in inference mode ({place()})")
        with torch.enable_grad():
            return (out_of_sight if blind and rule is not shape_only else rule)(call)

    def _unmoved(self, call: Call) -> Any:
        """Call with constants; an echo of the words (a comparison, a position) may become a number again."""
        source = echo_of((call.args, call.kwargs))
        if source is None:
            return call.run()
        with torch.enable_grad():
            return behind_walls(call.run(), source, call.name, Role(Rank.WEIGHT))

    def _prepared(self, value: Any) -> Any:
        if isinstance(value, NumberEcho):
            return behind_walls(value.tensor, value.source, "item", Role(Rank.WEIGHT))
        if is_signal(value) and role(value) is LOST:
            return self._stray(value)
        return super()._prepared(value)

    def _stray(self, value: Tensor) -> Tensor:
        """Wall off a value whose gradient comes from no rule; a constant if no word is in it."""
        if value.grad_fn is None or not walls.reaches(value, self.lookups):
            return value.detach()
        with torch.enable_grad():
            name = f"{value.grad_fn.name()}, computed out of sight,"
            walled: Tensor = with_role(wall(value.detach(), value, name, place()), LOST)
        return walled
