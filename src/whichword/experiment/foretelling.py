"""Before a long run, in a line: about how long, and how much disk. Short runs are not kept waiting for it.

`estimating` takes ten seconds and tells methods apart; this takes a second or two of trying in this process.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from whichword.experiment.explaining import Explainer
from whichword.experiment.hands import SERIAL, Hands
from whichword.experiment.item_files import ItemFile
from whichword.experiment.item_rows import items_of
from whichword.experiment.plan import Pairing
from whichword.experiment.spec import SHARD_WORDS
from whichword.experiment.store import Store
from whichword.experiment.threads import one_thread
from whichword.experiment.work import work
from whichword.methods import plan
from whichword.model import Model, stopwatch
from whichword.render.amounts import duration, size
from whichword.types import Item

if TYPE_CHECKING:
    from whichword.experiment.preparing import Prepared

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
    trials = {pairing: _tried(prepared, store, pairing, TRYING / len(amounts)) for pairing in amounts}
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
    """Seconds of a core and bytes stored, per word passed."""

    seconds: float
    stored: float


def _tried(prepared: Prepared, store: Store, pairing_id: str, seconds: float) -> _Speed:
    """The cheapest method on a document, then all methods on as many documents as there is time for."""
    pairing, end = store.plan.pairing(pairing_id), time.monotonic() + seconds
    model, items = prepared.models[pairing.model], _middle(prepared, store, pairing)
    cost = prepared.costs[pairing_id][len(items[0].words)]
    cheapest = min(pairing.labels, key=lambda label: _words(label, model, items[0]))
    per_word = _timed(model, (cheapest,), items[:1], _words(cheapest, model, items[0]), store.plan.settings)
    speed = _Speed(per_word.seconds, per_word.stored * _words(cheapest, model, items[0]) * len(pairing.labels) / cost)
    for _ in range(TRIES):
        documents = min(len(items), int((end - time.monotonic()) / 2 / (speed.seconds * cost)))
        if documents < 1:
            break
        speed = _timed(model, pairing.labels, items[:documents], cost * documents, store.plan.settings)
    return speed


def _middle(prepared: Prepared, store: Store, pairing: Pairing) -> list[Item]:
    """Documents around the middle of all work; neighbours have about the same length."""
    ends = np.cumsum(_costs(prepared, pairing))
    start = int(np.searchsorted(ends, ends[-1] / 2))
    file = ItemFile(store.folder / store.plan.set(pairing.set).file)
    return items_of(file.table(start, min(len(ends), start + MOST)))


def _words(label: str, model: Model, item: Item) -> int:
    return work(plan([label], model), len(item.words), model.word_cost)


def _timed(
    model: Model, labels: tuple[str, ...], items: list[Item], cost: int, settings: Mapping[str, int | None]
) -> _Speed:
    explainer = Explainer(model, labels, settings["seed"] or 0, settings["batch_words"])
    clock = stopwatch(model)
    with one_thread():
        start = clock()
        sheet, _ = explainer.explain(items, [])
        stored = sum(map(len, sheet.tables([item.key for item in items]).values()))
        return _Speed(max(clock() - start, 1e-9) / cost, stored / cost)
