"""The format of a run: every record that its folder holds, field by field.

    run.json               RunPlan: what is computed, from what, in which shards; frozen when the run begins
    shards/p00/00000.json  Receipt: what the writer of a shard vouches for
    judged/p00.json        Judgement: what the games made of a pairing
    verdict.json           Verdicts: the decisions of a run that was played in rounds

Each is JSON beside its own checksum (sealed.py). A run folder may come from anywhere, and its plan names the files that
are written: ids and checksums have one form, so that no path leads out of the folder, and every row of a set is in one
shard. `typed` refuses the rest in one line.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, field

from whichword.base.typed import EXACT, Record, plain, typed
from whichword.errors import DamagedError, FileError
from whichword.runs.sealed import canonical, sha256
from whichword.statistics.decision import Decision

FORMAT = "whichword run 3"  # raised when a folder written before cannot be read as it is
TIMED = 10  # items of a pairing on which every method is timed alone, at the most

Count = Annotated[int, Meta(ge=0, lt=EXACT)]
Checksum = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]  # \Z: a $ would let a line end follow
SetId = Annotated[str, Meta(pattern=r"^s[a-z0-9-]{2,30}\Z")]  # s00, of a run in rounds sp00
PairingId = Annotated[str, Meta(pattern=r"^p[a-z0-9-]{2,30}\Z")]  # p00, of a team in rounds p00-03


@dataclass(frozen=True)
class Shard:
    """Some items of a pairing: a range of rows of the set's file. Stored as the cut between it and the next."""

    name: str
    items: range


class AboutModel(Record, frozen=True):
    """What a model says of itself."""

    name: str
    """Its kind: lstm, bilstm, BertForSequenceClassification."""
    classes: tuple[str, ...]
    """In the order of its scores."""
    dtype: str = "float32"
    """Of its scores and of relevances."""
    device: str = "cpu"
    """Where it computed."""
    facts: Mapping[str, str] = {}
    """For people: sizes, vocabulary, where it came from."""
    scores: str = "logit"
    """What s is: "logit", "log p" of a black box, or "label" where only f is known."""


class PlannedModel(Record, frozen=True):
    """A model of the run."""

    label: str
    """What tables call it."""
    spelling: str
    """What was typed to load it."""
    about: AboutModel
    """What it said of itself when the run was planned."""

    @property
    def classes(self) -> tuple[str, ...]:
        return self.about.classes


class ItemSet(Record, frozen=True):
    """One corpus played as one game."""

    id: SetId
    """Names its file."""
    corpus: str
    """As it was typed."""
    game: str
    """With its settings."""
    parts: tuple[str, ...]
    """What the game is scored in."""
    items: Count
    """How many were taken."""
    available: Count
    """How many there were to take from."""
    classes: tuple[str, ...]
    """Of the corpus, by the names that ``mapping`` gives them."""
    record: Mapping[str, str]
    """What the corpus says of itself: source, tokenizer, counts."""
    sha256: Checksum
    """Of its Parquet file."""
    mapping: Mapping[str, str] = {}
    """Which class of the models a label of the corpus is, where the names differ."""
    words: Count = 0
    """Of all its items."""
    left_out: Mapping[str, Count] = {}
    """Documents that a model cannot be asked about, by the reason."""

    @property
    def file(self) -> str:
        return f"items/{self.id}.parquet"

    @property
    def short_corpus(self) -> str:
        """The corpus without its folder and, where it is a file, without its settings: ``reviews.csv``."""
        path, bracket, settings = self.corpus.partition("[")
        return Path(path).name if Path(path).suffix else f"{path}{bracket}{settings}"

    @property
    def title(self) -> str:
        """``reviews as hybrid``."""
        return f"{self.corpus} as {self.game}"


class Asked(Record, frozen=True):
    """A method that a pairing's documents are explained by."""

    label: str
    """With the settings that are not its defaults."""
    uniform: bool = False
    """It points at a random word, so games count its exact expectation."""


class Pairing(Record, frozen=True):
    """One model on one set."""

    id: PairingId
    """Names its shards."""
    model: str
    """The label of one of the models."""
    set: SetId
    """The id of one of the sets."""
    methods: tuple[Asked, ...]
    """In the order of tables."""
    undefined: Mapping[str, str]
    """Methods that this model cannot have, and the reason."""
    cuts: tuple[Count, ...] = field(name="shards")
    """Where shards begin in the set's file, and where the last one ends: a number per shard, nothing per document."""
    measured: tuple[str, ...] = ()
    """The rows that the game has beside the methods, where it asks the model about edited copies."""

    def __post_init__(self) -> None:
        if self.cuts and [0, *self.cuts[1:]] != sorted(set(self.cuts)):  # an empty or a backward range is no shard
            raise ValueError(f"the cuts of {self.id} are not in order")

    @cached_property
    def shards(self) -> tuple[Shard, ...]:
        """``p00/00000``, ``p00/00001``, ...: the rows from each cut to the next."""
        spans = enumerate(pairwise(self.cuts))
        return tuple(Shard(f"{self.id}/{number:05d}", range(start, stop)) for number, (start, stop) in spans)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(method.label for method in self.methods)

    @cached_property
    def timed(self) -> frozenset[int]:
        """The items on which every method is timed alone: N // 20 of N, spread evenly over the order of the plan."""
        total = sum(len(shard.items) for shard in self.shards)
        count = min(TIMED, max(1, total // 20), total)  # 5 %, so that timing costs little; 0 of 0
        return frozenset((2 * i + 1) * total // (2 * count) for i in range(count))  # middles of equal spans


class RunPlan(Record, frozen=True):
    """Everything that a run computes, and from what."""

    identity: Mapping[str, str]
    """Each thing that results depend on, and its hash or version."""
    settings: Mapping[str, Any]
    """Seed and sizes, and in rounds the documents of the first one."""
    models: tuple[PlannedModel, ...]
    """In the order in which they were named."""
    sets: tuple[ItemSet, ...]
    """Each in a file of its own."""
    pairings: tuple[Pairing, ...]
    """In the order in which they are played."""
    format: str = FORMAT
    """The only one that this version reads."""

    @cached_property
    def run(self) -> str:
        """The hash that receipts name."""
        return sha256(canonical(dict(self.identity)))

    @cached_property
    def shards(self) -> dict[str, tuple[Pairing, Shard]]:
        """Every shard by name, in order."""
        return {shard.name: (pairing, shard) for pairing in self.pairings for shard in pairing.shards}

    def timed(self, shard: str) -> list[int]:
        """List a shard's places whose items are timed alone; in rounds the first, so that costs are known early."""
        pairing, part = self.shards[shard]
        return [0] if "rounds" in self.settings else [n for n, row in enumerate(part.items) if row in pairing.timed]

    def model(self, label: str) -> PlannedModel:
        return next(model for model in self.models if model.label == label)

    def set(self, id: str) -> ItemSet:
        return next(item_set for item_set in self.sets if item_set.id == id)

    def corpus_name(self, item_set: ItemSet) -> str:
        """Name a corpus in tables: a file by its name, in full where another one's name is the same."""
        alike = {other.corpus for other in self.sets if other.short_corpus == item_set.short_corpus}
        return item_set.short_corpus if len(alike) == 1 else item_set.corpus

    def pairing(self, id: str) -> Pairing:
        return next(pairing for pairing in self.pairings if pairing.id == id)

    def title(self, pairing: Pairing) -> str:
        """Name a pairing ``lstm on grammar as agreement``."""
        return f"{pairing.model} on {self.set(pairing.set).title}"

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = plain(self)
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "RunPlan":
        """Read what `to_json` gave; a `DamagedError` names the first thing that no plan of ours has."""
        if (written := body.get("format")) != FORMAT:  # first, since fields of another format fail in misleading ways
            raise FileError(f"a {written!r} is not readable by this version, only a {FORMAT!r}")
        plan = typed(cls, body, "not the plan of a run", DamagedError)
        # not in __post_init__: a plan of the first rounds alone is one too, but none that is stored
        if trouble := next(_troubles(plan), None):
            raise DamagedError(f"not the plan of a run: {trouble}")
        return plan


def _troubles(plan: RunPlan) -> Iterator[str]:
    """Say what no plan of ours has, although each field fits its type."""
    models, sizes = {model.label for model in plan.models}, {item_set.id: item_set.items for item_set in plan.sets}
    for pairing in plan.pairings:
        if pairing.model not in models:
            yield f"pairing {pairing.id}: no model is called {pairing.model!r}"
        if pairing.set not in sizes:
            yield f"pairing {pairing.id}: no set is called {pairing.set!r}"
        elif pairing.cuts[-1:] != (sizes[pairing.set],):
            yield f"pairing {pairing.id}: its shards do not hold every row of set {pairing.set} once"
    ids = {"models": models, "sets": sizes, "pairings": {pairing.id for pairing in plan.pairings}}
    for kind, names in ids.items():
        if len(names) < len(getattr(plan, kind)):  # a folder would hold files of both under one name
            yield f"two {kind} have one name"


class StoredFile(Record, frozen=True):
    """A file of a shard."""

    sha256: Checksum
    """Of its bytes."""
    rows: Count
    """How many it has."""


class Shortfall(Record, frozen=True):
    """What a shard has no answer for."""

    failed: Count = 0
    """Documents that the model gave no answer for."""
    cut: Count = 0
    """Documents longer than the model's longest input."""
    unread: Count = 0
    """Words of theirs beyond it."""


class Receipt(Record, frozen=True):
    """What a shard's writer vouches for. Seconds are measured, so they are here and not in the results."""

    run: str
    """The plan that it belongs to, by its hash."""
    shard: str
    """Its name."""
    files: Mapping[str, StoredFile]
    """By kind: predictions, relevances, measured."""
    together: Mapping[str, float]
    """Seconds by method: its share of what its family took, asked as one."""
    alone: Mapping[str, float]
    """Seconds by method when no other method shared its passes; none where no document was timed."""
    alone_documents: Count
    """How many of the shard's documents those are."""
    documents: Count
    """How many the shard has."""
    arithmetic: str
    """Of the process that computed it."""
    shortfall: Shortfall
    """What it has no answer for."""
    beside: float
    """All other seconds than ``together``: reading, predicting, tables, edited copies, ``alone``."""


class NoiseCurve(Record, frozen=True):
    """What the best method gets at every level of noise: whether the game can judge this model at all."""

    method: str
    """The best."""
    levels: tuple[float, ...]
    """Shares of noise."""
    scores: tuple[float, ...]
    """One per level."""
    falls: bool
    """Whether it loses, and steadily, as it should."""
    why: str
    """What is wrong, in words; empty where nothing is."""

    def __post_init__(self) -> None:
        if len(self.levels) != len(self.scores):
            raise ValueError("not a score per level")


class Judgement(Record, frozen=True):
    """What judging a pairing gave, beside the table of hits."""

    run: str
    """The plan that it belongs to, by its hash."""
    pairing: PairingId
    """Its id."""
    source: str = field(name="from")
    """A hash of the shards' checksums and of the games' sources: where it differs, the judgement is made again."""
    sha256: Checksum
    """Of the table of hits."""
    parts: tuple[str, ...]
    """What the game is scored in."""
    chance: Mapping[str, float | None]
    """What a random word gets, by column of hits; null where no document counts."""
    degraded: Mapping[str, NoiseCurve]
    """By part."""
    ceiling: Mapping[str, float | None]
    """What the best order of words gets, in games that ask about edited copies."""
    unfamiliar: float | None
    """The share of edited copies that the model is less or more sure of than of any original text."""
    game: str = ""
    """A hash of the game's own source, where it is installed and not one of ours."""
    scorers: Mapping[str, str] = {}
    """Those of plug-ins, by name: a hash of each one's source."""


class StoredVerdict(Record, frozen=True):
    """What was decided about a pairing in rounds."""

    decision: Decision | None
    """None where too little was played."""
    unplayed: Mapping[str, str]
    """Methods that did not play to the end, and the reason."""


class Verdicts(Record, frozen=True):
    """The decisions of a run, made while it was played."""

    run: str
    """The plan that they belong to, by its hash."""
    pairings: Mapping[str, StoredVerdict]
    """By the pairing's id."""


def changes(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Say what differs between two identities."""
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return [f"{name} (was {_short(was.get(name))}, is {_short(now.get(name))})" for name in names]


def _short(value: str | None) -> str:
    if value is None:
        return "absent"
    return value[:12] if len(value) == 64 else value if len(value) <= 80 else f"{value[:77]}..."
