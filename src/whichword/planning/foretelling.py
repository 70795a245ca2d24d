"""Before a long run, in a line: about how long, and how much disk. Short runs are not kept waiting for it.

`estimating` takes ten seconds and tells methods apart; this takes a second or two of trying in this process.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from whichword.base.runtime import one_thread
from whichword.games import GAMES, Game, Measured
from whichword.methods import plan
from whichword.model import Model, stopwatch
from whichword.planning.spec import SHARD_WORDS
from whichword.planning.work import work
from whichword.render.amounts import duration, size
from whichword.runs.item_files import ItemFile
from whichword.runs.item_rows import items_of
from whichword.runs.plan import Pairing
from whichword.runs.store import Store
from whichword.types import Item
from whichword.workers.explaining import Explainer
from whichword.workers.hands import SERIAL, Hands
from whichword.workers.measuring import measured_file

if TYPE_CHECKING:
    from whichword.planning.preparing import Prepared

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
