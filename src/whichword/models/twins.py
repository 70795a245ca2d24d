"""A user's module that is one of our networks: its weights in ours, which gives the same faster (`networks.fast`).

Which modules are looked at stands in `TWINS`; whether the two are the same shows on probes, in scores and relevances.
torch's GRU is none of them: its reset gate stands behind the product with h, ours before it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from whichword.errors import InputError
from whichword.methods.propagation import relevance
from whichword.model import Batch, Fast, Trace
from whichword.models.gated import MemoryModule, with_memory
from whichword.models.words import WordModule
from whichword.networks import Network
from whichword.networks.network import GatedNetwork
from whichword.reading import AnyEdits, Edits, copy_lengths
from whichword.rules import Relevance
from whichword.sequences import Sequences

Arrays = dict[str, Tensor]

LENGTHS = (1, 2, 7, 12)  # of the probes
SCORES = 1e-6  # of the largest score (or 1) that the two may differ by
RELEVANCES = {torch.float64: 1e-6, torch.float32: 1e-4}  # of a text's largest relevance
RULES = (Relevance(), Relevance(paired=True))
DIRECTIONS = ("forward", "backward")


def lstm_arrays(part: nn.LSTM) -> Arrays:
    """Name the arrays of an LSTM: torch has i f g o in a row, and two biases that are added."""
    arrays: Arrays = {}
    for direction, suffix in zip(DIRECTIONS, ("l0", "l0_reverse")[: 1 + part.bidirectional], strict=False):
        weights = {"V": getattr(part, f"weight_ih_{suffix}"), "U": getattr(part, f"weight_hh_{suffix}")}
        nothing = torch.zeros_like(weights["V"][:, 0])
        weights["b"] = sum((getattr(part, f"bias_{side}_{suffix}") for side in ("ih", "hh") if part.bias), nothing)
        for letter, weight in weights.items():
            i, f, g, o = weight.chunk(4)
            names = {f"{letter}_i": i, f"{letter}_f": f, letter: g, f"{letter}_o": o}
            arrays |= {f"{direction}.{name}": value for name, value in names.items()}
    return arrays


def cnn_arrays(part: nn.Conv1d) -> Arrays:
    """Name the arrays of a convolution: torch correlates, so the kernel is turned round, [H, E, F] -> [F, E, H]."""
    bias = torch.zeros_like(part.weight[:, 0, 0]) if part.bias is None else part.bias
    return {"forward.V": part.weight.permute(2, 1, 0).flip(0), "forward.b": bias}


TWINS: Mapping[type[nn.Module], tuple[str, Callable[..., Arrays]]] = {
    nn.LSTM: ("lstm", lstm_arrays),
    nn.Conv1d: ("cnn", cnn_arrays),
}


def twin_of(model: WordModule) -> Network | None:
    """Return our network that is the module; None: there is none."""
    try:
        network = _candidate(model)
        return network if network is not None and _same(network, model) else None
    except InputError:  # sizes that ours do not have, a module without rules or that cannot read the probes
        return None


def _candidate(model: WordModule) -> Network | None:
    """Make our network of a module that has a table, one part of `TWINS`, a linear, and no other weights.

    Whether it computes the same is another question. The word vectors are shared, not copied.
    """
    parts = [part for part in model.module.modules() if type(part) in TWINS]
    linears = [part for part in model.module.modules() if type(part) is nn.Linear]
    if len(parts) != 1 or len(linears) != 1 or not _are_all(model, [*parts, *linears]):
        return None
    kind, arrays_of = TWINS[type(parts[0])]
    network = Network.from_arrays(
        kind,
        arrays_of(parts[0]) | _read_out(linears[0]) | {"embedding": model.table.new_zeros(1, model.table.shape[1])},
        classes=model.about.classes,
        vocabulary=(),  # the module's own vocabulary reads
        bidirectional=bool(getattr(parts[0], "bidirectional", False)),
        dtype=model.table.dtype,
    )
    network.embedding = nn.Parameter(model.table.detach(), requires_grad=False)  # shared: it may be large
    return network


def _read_out(linear: nn.Linear) -> Arrays:
    return {
        "w": linear.weight,
        "readout_b": linear.weight.new_zeros(linear.out_features) + (0 if linear.bias is None else linear.bias),
    }


def _are_all(model: WordModule, parts: Sequence[nn.Module]) -> bool:
    """Tell whether the module has no other weights."""
    accounted = {id(model.table), *(id(value) for part in parts for value in part.parameters())}
    everything = [*model.module.parameters(), *model.module.buffers()]  # a buffer may take part
    return {id(value) for value in everything} == accounted


def _same(network: Network, model: WordModule) -> bool:
    """Compare scores and relevances of random texts."""
    chance = torch.Generator().manual_seed(0)
    return all(_agree(network, model, _probe(model.table, length, chance)) for length in LENGTHS)


def _probe(table: Tensor, length: int, chance: torch.Generator) -> Batch:
    ids = torch.randint(len(table), (2, length), generator=chance).to(table.device)
    lengths = torch.full((2,), length, device=ids.device)
    return Batch(Sequences(ids, lengths), lengths)


def _agree(network: Network, model: WordModule, batch: Batch) -> bool:
    with torch.no_grad():
        s, ours = (ruled.forward(ruled.embed(batch), batch) for ruled in (model, network))
    close = torch.allclose(s, ours, rtol=0, atol=SCORES * max(1.0, float(s.abs().max())))
    return close and all(_relate(network, model, batch, rules) for rules in RULES)


def _relate(network: Network, model: WordModule, batch: Batch, rules: Relevance) -> bool:
    k = torch.zeros(len(batch), dtype=torch.long, device=batch.words.device)
    phi, ours = (relevance(ruled, batch, k, rules).values for ruled in (model, network))
    return torch.allclose(phi, ours, rtol=0, atol=RELEVANCES.get(phi.dtype, 0.0) * float(phi.abs().max()))


COMPUTED = "our network of the same weights, equal on probes"


class TwinnedModule(WordModule):
    """Scores, edited copies and the methods' faster ways come from the twin; everything else is the module's own.

    Where the module's weights have changed since, the twin is made anew; if there is none any more, all is its own.
    """

    _weights: tuple[Tensor, ...] = ()
    _network: Network | None = None

    @property
    def twin(self) -> Network | None:
        now = [value for value in self.module.parameters() if value is not self.table]  # which the twin shares
        if len(now) != len(self._weights) or not all(map(torch.equal, now, self._weights)):
            self._weights = tuple(value.detach().clone() for value in now)
            self._network = twin_of(self)
        return self._network

    @property
    def fast(self) -> Fast | None:
        twin = self.twin
        return None if twin is None else twin.fast

    def score(self, batch: Batch) -> Tensor:
        twin = self.twin
        if twin is None or bool((batch.words == 0).any()):  # there the module itself decides
            return super().score(batch)
        self.check_mode()  # the twin would answer all the same
        with torch.no_grad():
            return twin.score(batch)

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """Score copies by the twin; a text without words is the module's own to answer, or to refuse."""
        twin = self.twin
        if twin is None:
            return super().score_edits(batch, *edits)
        s = twin.score_edits(batch, *edits)
        empty = torch.cat([_lengths(batch, edit) for edit in edits]) == 0
        if bool(empty.any()):
            s[empty] = self._without_words(batch).to(s)
        return s

    def _without_words(self, batch: Batch) -> Tensor:
        with torch.no_grad():
            return self._called(batch, batch.words.new_zeros(1), batch.ids.data[:1, :0])[0]

    def prepared(self, words: int) -> WordModule:
        twin = self.twin
        if twin is None:
            return self
        ready = copy.copy(self)  # the caller's own keeps its twin
        ready._network = twin.prepared(words)
        return ready


class TwinnedMemory(TwinnedModule, MemoryModule):
    """The twin's memory is the module's."""

    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        twin = self.twin
        return twin.trace(batch, k) if isinstance(twin, GatedNetwork) else super().trace(batch, k)


def _lengths(batch: Batch, edit: AnyEdits) -> Tensor:
    return edit.lengths(batch.ids) if isinstance(edit, Edits) else copy_lengths(batch, edit)


def with_twin(module: nn.Module, *settings: Any) -> WordModule:
    """Make a model of the module, with a trace and a twin where it has them; a piece per word."""
    plain = with_memory(module, *settings)
    twinned = (TwinnedMemory if isinstance(plain, MemoryModule) else TwinnedModule)(module, *settings)
    if twinned.twin is None:
        return plain
    facts = {**twinned.about.facts, "computed by": COMPUTED}
    twinned.about = replace(twinned.about, facts=facts)
    return twinned
