"""Any torch module that looks words up in a table: explained as it is, with nothing patched.

A first look at it, on a short text, tells whether it has attention and whether a rule is missing for what it computes.
Hugging Face's models are called by ids and mask, alone or behind pieces whose keys and values are there.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError, ModelFailedError, NoRuleError, SettingError
from whichword.methods.propagation import predicted_by_pass
from whichword.model import Batch, Ruled
from whichword.operations import walls
from whichword.operations.mode import Lookup, Ruling, WordVectors
from whichword.reading import AnyEdits
from whichword.rules import PLAIN, Ledger, Relevance, Rules

SETTINGS = ("weight", "attnlrp")  # of ``attention`` in LRP


@dataclass(frozen=True)
class FirstLook:
    """``refusals``: why there is no relevance, for what attention weights are taken to be."""

    attention: bool = False
    refusals: Mapping[str, str] = field(default_factory=dict)


def first_look(model: Ruled, batch: Batch) -> FirstLook:
    """Try both settings; a module that cannot read the short text tells nothing: the user's texts will show why."""
    refusals: dict[str, str] = {}
    ledger = Ledger()
    try:
        for attention in SETTINGS:
            try:
                _go_back(model, batch, Relevance(ledger=ledger, attention=attention))
            except NoRuleError as refusal:
                refusals[attention] = str(refusal)
    except InputError:
        return FirstLook(ledger.attention)
    return FirstLook(ledger.attention, refusals)


def _go_back(model: Ruled, batch: Batch, rules: Relevance) -> None:
    with torch.enable_grad():
        e = model.embed(batch).requires_grad_(True)
        s = model.forward(e, batch, rules)
    torch.autograd.grad(s.sum(), e)  # walls refuse when a gradient comes


ModuleCall = Callable[[Tensor, Batch, Tensor], Tensor]  # ids [n, P], the batch, their rows in it -> s [n, K]

AGREES = 1e-4  # of the largest score: what a pass under the rules may differ by from the module's own
WORD_WEIGHTS = 50_000  # so many multiplications take as long as a word of one of our networks, on average


class ModuleModel(Ruled):
    """A module and its word table; subclasses say how texts are read and how the module is called.

    The module runs inside a mode (`operations.mode`) that answers look-ups of the word table with vectors of ours and,
    for LRP and DeepLIFT, puts a rule on every operation. It is never switched, hooked, patched or copied. Documents of
    one length go together and nothing is padded: an answer does not depend on what else is in the batch.

    ``unrounded``: casts inside the module from double to single precision are left out. ``one_by_one``: the module
    takes a single document at a time.
    """

    unrounded: bool = False
    one_by_one: bool = False

    def __init__(self, module: Any, table: Tensor) -> None:
        self.module, self.table = module, table
        self._agreed = False

    @abstractmethod
    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """Compute the module's scores for documents of one length, ids [n, P] -> s [n, K]; ``rows`` of the batch."""

    @abstractmethod
    def probe(self) -> Batch:
        """Make a short text to try the module on."""

    @cached_property
    def _first_look(self) -> FirstLook:
        self.check_mode()
        return first_look(self, self.probe())

    @cached_property
    def word_cost(self) -> int:  # type: ignore[override]
        """By the weights that a word is multiplied with: all but the tables that things are looked up in."""
        tables = (part for part in self.module.modules() if isinstance(part, nn.Embedding))
        looked_up = {parameter for part in tables for parameter in part.parameters()}
        weights: int = sum(weight.numel() for weight in self.module.parameters() if weight not in looked_up)
        return max(1, weights // WORD_WEIGHTS)

    @property
    def has_attention(self) -> bool:  # type: ignore[override]
        return self._first_look.attention

    @property
    def also(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("lrp[attention=attnlrp]",) if self.has_attention else ()

    def without_rule(self, attention: str = "weight") -> str | None:
        return self._first_look.refusals.get(attention)

    def embed(self, batch: Batch) -> Tensor:
        return functional.embedding(batch.ids.filled(0).data, self.table.detach())  # any id will do for padding

    def score(self, batch: Batch) -> Tensor:
        """Score outside of any mode; by a pass under rules if one will be asked for, and by none beside it."""
        shared = predicted_by_pass(self, batch)
        if shared is not None:
            return self._readable(shared)
        with torch.no_grad():
            if self.unrounded:
                return self.forward(self.embed(batch), batch)
            s = self._gathered(batch, [self._called(batch, rows, ids) for rows, ids in self.groups(batch)])
        return self._readable(s)

    def _readable(self, s: Tensor) -> Tensor:
        if s.isnan().any():  # in an edited copy that is an answer: there the method is not defined for the text
            raise InputError(f"{self.about.name} cannot read a text without words")
        return s

    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        """Make the module's own pass from these vectors on; under rules, every operation by its rule."""
        parts = [self._passed(e[rows, : ids.shape[1]], batch, rows, ids, rules) for rows, ids in self.groups(batch)]
        return self._gathered(batch, parts)

    def _passed(self, e: Tensor, batch: Batch, rows: Tensor, ids: Tensor, rules: Rules | None) -> Tensor:
        words = WordVectors(self.table, ids, e)
        if rules is None or rules == PLAIN:
            return self.looked_up(self.lookup(words), batch, rows, ids)
        ruling = Ruling(words, rules, self.unrounded)
        s = self.looked_up(ruling, batch, rows, ids)
        self._check_agreement(s, words, batch, rows)
        if s.requires_grad and isinstance(rules, Relevance):
            walls.check(s, ruling.halved)
        return s

    def lookup(self, words: WordVectors) -> Lookup:
        """Return the mode of a pass without rules."""
        return Lookup(words, self.unrounded)

    def looked_up(
        self, mode: Lookup, batch: Batch, rows: Tensor, ids: Tensor, call: ModuleCall | None = None
    ) -> Tensor:
        """Pass inside a mode; by another ``call`` than the usual one, if there is one."""
        with mode:
            s = self._called(batch, rows, ids, call)
        if not mode.lookups and ids.shape[1]:
            raise InputError(f"{self.about.name} never looked a word up in the table that was named")
        if mode.gradients and mode.words.e.requires_grad and ids.shape[1] and not s.requires_grad:
            raise InputError(
                f"the scores of {self.about.name} have no gradient: they do not depend on its word vectors"
            )
        return s

    def _check_agreement(self, s: Tensor, words: WordVectors, batch: Batch, rows: Tensor) -> None:
        """Check once per model that rules change nothing but the way back."""
        if self._agreed:
            return
        with torch.no_grad():
            plain = self.looked_up(Lookup(words, self.unrounded), batch, rows, words.ids)
        if not torch.allclose(s.detach(), plain, rtol=AGREES, atol=AGREES * float(plain.abs().max()), equal_nan=True):
            raise NoRuleError("it changes values behind torch's back: relevance cannot be followed")
        self._agreed = True

    def _called(self, batch: Batch, rows: Tensor, ids: Tensor, call: ModuleCall | None = None) -> Tensor:
        self.check_mode()
        try:
            s = (call or self.call)(ids, batch, rows)
        except InputError:
            raise
        except Exception as error:
            if not ids.shape[1]:  # some models cannot read an empty text: it has no score
                return self.table.new_full((len(ids), len(self.about.classes)), torch.nan)
            line = str(error).strip().partition("\n")[0]
            raise ModelFailedError(f"{self.about.name} failed on a text of {ids.shape[1]} pieces: {line}") from error
        return self._checked(s, *ids.shape)

    def _checked(self, s: Any, count: int, pieces: int) -> Tensor:
        shape = [count, len(self.about.classes)]
        if not isinstance(s, Tensor):
            raise ModelFailedError(f"{self.about.name} gave a {type(s).__name__}, not scores of shape {shape}")
        if list(s.shape) != shape:
            raise ModelFailedError(f"{self.about.name} gave scores of shape {list(s.shape)}, not {shape}")
        if pieces and s.detach().isnan().any():  # of an empty text NaN is an answer
            raise ModelFailedError(f"{self.about.name} gives no number as the score of a text of {pieces} pieces")
        return s

    def check_mode(self) -> None:
        """Refuse training mode: dropout would make every answer another one, and the model is not ours to switch."""
        for name, part in self.module.named_modules():
            if part.training:
                where = f" ({name})" if name else ""
                raise InputError(f"the model is in training mode{where}: call model.eval() first")

    def groups(self, batch: Batch) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield rows of one length, and their ids [n, P]."""
        for length in torch.unique(batch.ids.lengths).tolist():
            rows = (batch.ids.lengths == length).nonzero()[:, 0]
            ids = batch.ids.data[rows, :length]
            # where texts and words can be exchanged, it cannot be told which of them the module takes first
            exchangeable = ids.shape == ids.T.shape and torch.equal(ids, ids.T)
            if len(rows) > 1 and (self.one_by_one or exchangeable):
                yield from ((row[None], text[None]) for row, text in zip(rows, ids, strict=True))
            else:
                yield rows, ids

    def _gathered(self, batch: Batch, parts: list[Tensor]) -> Tensor:
        """Put the groups' scores in the order of the batch."""
        if not parts:
            return torch.zeros(0, len(self.about.classes))
        order = torch.cat([rows for rows, _ in self.groups(batch)])
        return torch.cat(parts)[order.argsort()]  # the inverse permutation


def word_table(module: nn.Module, named: Any = None) -> Tensor:
    """Return the embedding that words are looked up in: the named one, or the only one that there is."""
    tables = {name: part for name, part in module.named_modules() if isinstance(part, nn.Embedding)}
    if isinstance(named, nn.Embedding):
        return _plain_table(named)
    if named is not None:
        if named not in tables:
            raise SettingError(f"the module has no embedding {named!r}; it has: {', '.join(tables) or 'none'}")
        return _plain_table(tables[named])
    if len(tables) != 1:
        count = "no embedding" if not tables else f"{len(tables)} embeddings ({', '.join(tables)})"
        raise SettingError(f"the module has {count}: name the words' table by embedding=...")
    return _plain_table(next(iter(tables.values())))


def _plain_table(embedding: nn.Embedding) -> Tensor:
    if embedding.max_norm is not None:
        raise InputError("the embedding has max_norm: it changes its rows whenever they are looked up")
    return embedding.weight


class PretrainedModule(ModuleModel):
    """A module that answers with logits; subclasses make scores of them.

    ``keeps``: it can keep keys and values. ``takes_positions``: it can be told where pieces stand. ``passed_over``: the
    piece that its read-out skips at the end of a text.
    """

    copy_pieces = 2048  # what a layer makes of more of them leaves the cache
    passed_over: int | None = None

    def __init__(self, module: Any, table: Tensor) -> None:
        super().__init__(module, table)
        takes = inspect.signature(module.forward).parameters.keys()
        self.keeps, self.takes_positions = {"past_key_values", "use_cache"} <= takes, "position_ids" in takes
        # a model that can keep keys and values does so unless it is told otherwise
        self.options: dict[str, Any] = {"use_cache": False} if self.keeps else {}

    @abstractmethod
    def scores(self, output: Any, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """Make s [n, K] of what the module gave for ids [n, P]."""

    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        output = self.module(input_ids=ids, attention_mask=torch.ones_like(ids), **self.options)
        return self.scores(output, ids, batch, rows)

    def call_after(self, past: Any, starts: Tensor, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """Call as `call` does, with pieces that follow those in ``past``, a cache, which may take them in.

        The last ``starts`` [n] pieces in it are a text's own.
        """
        options = self.options | {"past_key_values": past, "use_cache": True}
        width = past.get_seq_length()
        mask = ids.new_ones(len(ids), width + ids.shape[1])
        if (starts < width).any():  # in front of shorter beginnings stand zeros
            mask[:, :width] = torch.arange(width, device=ids.device) >= width - starts[:, None]
            options["position_ids"] = starts[:, None] + torch.arange(ids.shape[1], device=ids.device)
        output = self.module(input_ids=ids, attention_mask=mask, **options)
        return self.scores(output, ids, batch, rows)

    def forward_after(self, past: Any, starts: Tensor, e: Tensor, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """Make the module's own pass from the vectors of these pieces on, behind what is in ``past``."""
        mode = self.lookup(WordVectors(self.table, ids, e))
        return self.looked_up(mode, batch, rows, ids, partial(self.call_after, past, starts))

    def score_whole_copies(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """Score the plain way, which defines what any other one has to give."""
        return super().score_edits(batch, *edits)

    def varied_probe(self) -> Batch:
        """Put other pieces, all different, in the words' place: equal ones would hide what is read where."""
        batch, chance = self.probe(), torch.Generator().manual_seed(0)
        pieces = torch.randperm(len(self.table), generator=chance).to(batch.words.device)
        pieces = pieces[pieces != (-1 if self.passed_over is None else self.passed_over)][: batch.ids.width]
        ids = torch.where(batch.word_of >= 0, pieces, batch.ids.data)
        return Batch(batch.ids.with_data(ids), batch.words, batch.word, batch.readings)
