"""Before a long run, in a line: about how long, and how much disk. Short runs are not kept waiting for it.

`estimating` takes ten seconds and tells methods apart; this takes a second or two of trying in this process.

What methods will cost: measured where they have played, by formula and the model's measured speed where not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from whichword import models
from whichword.base.runtime import one_thread
from whichword.games import GAMES, Game, Measured
from whichword.method_names import BASELINES
from whichword.methods import plan
from whichword.model import Model, stopwatch
from whichword.planning.prepare import Prepared, work
from whichword.planning.spec import SHARD_WORDS
from whichword.render.amounts import duration, size
from whichword.runs.items import ItemFile, items_of
from whichword.runs.records import Pairing, Receipt
from whichword.runs.store import Store
from whichword.types import Item
from whichword.workers.shard import Explainer
from whichword.workers.sheet import measured_file
from whichword.workers.tasks import SERIAL, Hands

if TYPE_CHECKING:
    from whichword.planning.prepare import Prepared

LONG = 60.0  # seconds by the clock: what takes less is not foretold
LEAST_WORK = 2 * SHARD_WORDS  # words passed: less is never long, so nothing is tried
TRYING = 1.5  # seconds, for all pairings
TRIES = 3  # each with as many documents as half of the time that is left allows
MOST = 256  # documents of a try: more are no faster


@dataclass(frozen=True)
class Forecast:
    """Seconds of one core and bytes, of so many shards."""

    seconds: float
    disk: int
    shards: int

    def line(self, hands: Hands) -> str | None:
        """None where it will not be long. How many work on a cluster is not known here."""
        elsewhere = hands.address not in (None, "local")
        workers = 1 if elsewhere or hands.executor == SERIAL else max(1, min(hands.workers, self.shards))
        elapsed = self.seconds / workers
        if elapsed <= LONG:
            return None
        who = "of one core" if elsewhere else f"on {workers} workers" if workers > 1 else "on one worker"
        return f"about {duration(elapsed)} {who}, {size(self.disk)} on disk"


def foretold(prepared: Prepared, store: Store, todo: Collection[str]) -> Forecast | None:
    """What these shards will take; None where that is little, or where no model is at hand to try it with."""
    amounts = {pairing.id: _amount(prepared, pairing, todo) for pairing in store.plan.pairings}
    amounts = {pairing: amount for pairing, amount in amounts.items() if amount}
    if sum(amounts.values()) < LEAST_WORK or not prepared.models:
        return None
    trials = {pairing: _speed_of(prepared, store, pairing, TRYING / len(amounts)) for pairing in amounts}
    seconds = sum(amounts[pairing] * trial.seconds for pairing, trial in trials.items())
    disk = sum(amounts[pairing] * trial.stored for pairing, trial in trials.items())
    return Forecast(seconds, round(disk), len(todo))


def _amount(prepared: Prepared, pairing: Pairing, todo: Collection[str]) -> int:
    """Words that its shards among these pass through the model, by formula."""
    ends = np.concatenate([[0], np.cumsum(_costs(prepared, pairing))])
    parts = (shard.items for shard in pairing.shards if shard.name in todo)
    return int(sum(ends[rows[-1] + 1] - ends[rows[0]] for rows in parts))


def _costs(prepared: Prepared, pairing: Pairing) -> NDArray[np.int64]:
    """Of every document of the pairing's set, in the order of its file."""
    by_length = prepared.costs[pairing.id]
    table = np.zeros(max(by_length, default=0) + 1, dtype=np.int64)
    table[list(by_length)] = list(by_length.values())
    return table[np.asarray(prepared.lengths[pairing.set], dtype=np.int64)]


@dataclass(frozen=True)
class _Speed:
    """Seconds of a core per word passed, and bytes stored."""

    seconds: float
    stored: float


@dataclass(frozen=True)
class _Way:
    """Some methods, the words that a document costs with them, and a game if it may ask about edited copies."""

    labels: tuple[str, ...]
    cost: int
    game: Game | None = None


def _speed_of(prepared: Prepared, store: Store, pairing_id: str, seconds: float) -> _Speed:
    """The cheapest method on a document, which warms up, and on some; then all methods, as long as there is time."""
    pairing = store.plan.pairing(pairing_id)
    model, items = prepared.models[pairing.model], _middle(prepared, store, pairing)
    clock = stopwatch(model)
    end = clock() + seconds
    cost = prepared.costs[pairing_id][len(items[0].words)]
    whole = _Way(pairing.labels, cost, GAMES[store.plan.set(pairing.set).game])
    cheap = min((_alone(label, model, items[0]) for label in pairing.labels), key=lambda way: way.cost)
    speed = _timed(model, cheap, items[:1], store.plan.settings)
    for way in (cheap, *[whole] * TRIES):
        documents = min(len(items), int((end - clock()) / 2 / (speed.seconds * way.cost)))
        if documents < 1:
            break
        speed = _timed(model, way, items[:documents], store.plan.settings)
    return _Speed(speed.seconds, speed.stored * len(whole.labels) / whole.cost)


def _middle(prepared: Prepared, store: Store, pairing: Pairing) -> list[Item]:
    """Documents around the middle of all work; neighbours have about the same length."""
    ends = np.cumsum(_costs(prepared, pairing))
    start = int(np.searchsorted(ends, ends[-1] / 2))
    file = ItemFile(store.folder / store.plan.set(pairing.set).file)
    return items_of(file.table(start, min(len(ends), start + MOST)))


def _alone(label: str, model: Model, item: Item) -> _Way:
    """A method by itself, with the words of the prediction, which even the cheapest has to wait for."""
    length = len(item.words)
    return _Way((label,), work(plan([label], model), length, model.word_cost) + model.word_cost * length)


def _timed(model: Model, way: _Way, items: list[Item], settings: Mapping[str, int | None]) -> _Speed:
    """Seconds per word passed, and bytes per document and method."""
    explainer = Explainer(model, way.labels, settings["seed"] or 0, settings["batch_words"])
    clock = stopwatch(model)
    with one_thread():
        start = clock()
        sheet, _ = explainer.explain(items, [])
        stored = sum(map(len, sheet.tables([item.key for item in items]).values()))
        if isinstance(way.game, Measured):
            stored += len(measured_file(model, way.game, items, sheet))
        seconds = max(clock() - start, 1e-9)
    return _Speed(seconds / (way.cost * len(items)), stored / (len(items) * len(way.labels)))


@dataclass
class CostEstimate:
    """Seconds per document of each method of a contest: its even share of what its team takes, and what it takes alone.

    ``words`` that a method has passed through the model per document, its share of the team's, by formula; ``measured``
    seconds and documents; ``timed`` those alone. ``mates``: how many are in its team, where it has one.
    """

    words: Mapping[str, float]
    measured: dict[str, tuple[float, int]] = field(default_factory=dict)
    timed: dict[str, tuple[float, int]] = field(default_factory=dict)
    mates: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(teams: Sequence[Pairing], model: Model, lengths: Sequence[int]) -> CostEstimate:
        typical = sorted(lengths)[:: max(1, len(lengths) // 20)]
        words = {team.labels: _mean_work(team.labels, model, typical) / len(team.labels) for team in teams}
        return CostEstimate(
            {label: share for labels, share in words.items() for label in labels},
            mates={label: len(labels) for labels in words for label in labels},
        )

    def note(self, receipt: Receipt) -> None:
        """What a round of a team took."""
        for method, seconds in receipt.together.items():
            self.add(method, seconds, receipt.documents)
        for method, seconds in receipt.alone.items():
            self.add_alone(method, seconds, receipt.alone_documents)

    def add(self, method: str, seconds: float, documents: int) -> None:
        _add(self.measured, method, seconds, documents)

    def add_alone(self, method: str, seconds: float, documents: int) -> None:
        _add(self.timed, method, seconds, documents)

    def spent(self, method: str) -> float:
        return self.measured.get(method, (0.0, 0))[0]

    def seconds(self, method: str) -> float:
        """Per document, when its team plays; the team takes this for each of its methods."""
        if method in self.measured:
            total, documents = self.measured[method]
            return max(total / documents, 1e-6)
        return self.words[method] * self._speed()

    def alone(self, method: str) -> float:
        """Per document, when no other is asked; as long as nobody has timed that, what the whole team takes."""
        if method in self.timed:
            total, documents = self.timed[method]
            return max(total / documents, 1e-6)
        return self.seconds(method) * self.mates.get(method, 1)

    def known(self) -> dict[str, float | None]:
        """What each method costs whoever wants no other; None where it has not played."""
        return {method: self.alone(method) if method in self.measured else None for method in self.words}

    def _speed(self) -> float:
        """Seconds per word passed through the model: the median of the methods that have played."""
        real = [method for method in self.measured if method not in BASELINES] or list(self.measured)
        speeds = [self.seconds(method) / self.words[method] for method in real]
        return median(speeds) if speeds else 1e-9  # nobody has played: the order by formula

    def most_rounds(self, method: str) -> int | None:
        """How many rounds an estimate is good for: none of a dear method while nobody has been timed, one of a method
        that was not timed itself; None: as many as the time allows.
        """
        if method in self.measured:
            return None
        cheap = method in BASELINES or self.words[method] == min(self.words.values())
        return int(cheap or bool(self.measured))


def _add(amounts: dict[str, tuple[float, int]], method: str, seconds: float, documents: int) -> None:
    total, count = amounts.get(method, (0.0, 0))
    amounts[method] = (total + seconds, count + documents)


def seconds_of_all(prepared: Prepared) -> float:
    """What everything would take on one core: the work by formula, at the speed of one document."""
    total = 0.0
    for pairing in prepared.plan.pairings:
        items = tuple(prepared.items[pairing.set])
        model = loaded(prepared.spellings[pairing.model])
        everything = plan(pairing.labels, model)
        words = sum(work(everything, len(item.words)) for item in items)
        total += words * _speed(model, items)
    return total


def _speed(model: Model, items: Sequence[Item]) -> float:
    """Seconds per word passed, by the cheapest method on a document of usual length, warm."""
    usual = sorted(items, key=lambda item: len(item.words))[len(items) // 2]
    labels = plan(None, model).labels
    real = [label for label in labels if _mean_work([label], model, [len(usual.words)]) > 1 + len(usual.words)]
    cheapest = min(real or labels, key=lambda label: _mean_work([label], model, [len(usual.words)]))
    explainer, now = Explainer(model, (cheapest,), 0, None), stopwatch(model)
    with one_thread():
        explainer.explain([usual], [])
        start = now()
        explainer.explain([usual], [])
    return (now() - start) / _mean_work([cheapest], model, [len(usual.words)])


def _mean_work(labels: Sequence[str], model: Model, lengths: Sequence[int]) -> float:
    asked = plan(labels, model)
    return sum(work(asked, length) for length in lengths) / max(1, len(lengths))


@cache
def loaded(spelling: str) -> Model:
    """The model, once per process."""
    return models.load(spelling)
