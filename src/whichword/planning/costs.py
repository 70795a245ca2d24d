"""Estimate how long it will take, by words passed at measured speeds: before a run, within one, and for `explain`.

A formula says what one document is beside another (`prepare.work`). What a word takes is measured: on a few documents
before anything is played, and on all that was played from then on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import median

import numpy as np
from numpy.typing import NDArray

from whichword import models
from whichword.base.runtime import one_thread
from whichword.errors import SettingError
from whichword.games import GAMES, Game, Measured
from whichword.method_names import BASELINES
from whichword.methods import MethodPlan, plan, teams
from whichword.methods.perturbation import Perturbation
from whichword.model import Model, stopwatch
from whichword.planning.prepare import Prepared, work
from whichword.planning.spec import SHARD_WORDS
from whichword.render.amounts import duration, size
from whichword.runs.items import ItemFile, items_of
from whichword.runs.records import TIMED, Pairing, Receipt
from whichword.runs.store import Store
from whichword.text.places import content_key
from whichword.types import Item
from whichword.workers.shard import Explainer
from whichword.workers.sheet import measured_file
from whichword.workers.tasks import SERIAL, Hands

LONG = 60.0  # seconds by the clock: less is not worth a line
LEAST_WORK = 2 * SHARD_WORDS  # words passed: less is never `LONG`, so nothing is tried
TRYING = 1.5  # seconds, for all pairings
MOST = 256  # documents of a try: more are no faster
SAMPLE = 128  # words of a made-up document, at the most
WORD = "the"  # of a made-up document: any word will do, since costs go by length
BESIDE = "beside the methods"  # what tables call reading, predicting, tables and edited copies
AROUND = 10  # windows of words that an edit costs where only the words around it are computed anew


@dataclass
class CostModel:
    """Seconds of a core per document of one pairing: a method's even share of what its team takes, and it alone.

    ``words`` that a method passes through the model per document, its share of the team's, by formula. ``measured``:
    seconds and documents of each method; ``timed``: those of methods that were asked alone. ``mates``: how many are in
    its team, where it has one. ``beside``: seconds and documents of all that is no method's; ``stored``: bytes.
    """

    words: Mapping[str, float]
    measured: dict[str, tuple[float, float]] = field(default_factory=dict)
    timed: dict[str, tuple[float, float]] = field(default_factory=dict)
    mates: Mapping[str, int] = field(default_factory=dict)
    beside: tuple[float, float] = (0.0, 0.0)
    stored: tuple[float, float] = (0.0, 0.0)

    @staticmethod
    def of(sides: Iterable[Sequence[str]], model: Model, lengths: Iterable[int]) -> CostModel:
        """Begin with the formula alone, for methods in teams, on documents of these lengths."""
        counted = Counter(lengths)  # a formula is asked once per length, not per document
        words = {tuple(side): mean_words(side, model, counted) / len(side) for side in sides}
        return CostModel(
            {label: share for labels, share in words.items() for label in labels},
            mates={label: len(labels) for labels in words for label in labels},
        )

    def note(self, receipt: Receipt) -> None:
        """Add what a shard took, by its receipt."""
        for method, seconds in receipt.together.items():
            self.add(method, seconds, receipt.documents)
        for method, seconds in receipt.alone.items():
            self.add_alone(method, seconds, receipt.alone_documents)

    def add(self, method: str, seconds: float, documents: float) -> None:
        self.measured[method] = _sum(self.measured.get(method), seconds, documents)

    def add_alone(self, method: str, seconds: float, documents: float) -> None:
        self.timed[method] = _sum(self.timed.get(method), seconds, documents)

    def spent(self, method: str) -> float:
        return self.measured.get(method, (0.0, 0))[0]

    def seconds(self, method: str) -> float:
        """Estimate seconds per document when its team plays; the team takes this for each of its methods."""
        return _mean(self.measured[method]) if method in self.measured else self.words[method] * self._speed()

    def alone(self, method: str) -> float:
        """Estimate seconds per document when asked alone; as long as that was not timed, what its whole team takes."""
        return _mean(self.timed[method]) if method in self.timed else self.seconds(method) * self.mates.get(method, 1)

    def known(self) -> dict[str, float | None]:
        """Estimate what each method costs a user of no other; None where it has not played."""
        return {method: self.alone(method) if method in self.measured else None for method in self.words}

    def total(self, documents: float) -> float:
        """Estimate seconds for so many documents, with all methods and what is beside them."""
        return documents * (sum(map(self.seconds, self.words)) + self.beside[0] / max(self.beside[1], 1e-9))

    def disk(self, documents: float) -> float:
        """Estimate bytes for so many documents."""
        return documents * self.stored[0] / max(self.stored[1], 1e-9)

    def _speed(self) -> float:
        """Compute seconds per word passed: the median of the measured methods, which one odd team moves little."""
        real = [method for method in self.measured if method not in BASELINES] or list(self.measured)
        speeds = [self.seconds(method) / self.words[method] for method in real]
        return median(speeds) if speeds else 1e-9  # nothing was measured: the order by formula

    def most_rounds(self, method: str) -> int | None:
        """Tell for how many rounds an estimate is good: none of a dear method while nothing was timed, one of a method
        that was not timed itself; None: as many as the time allows.
        """
        if method in self.measured:
            return None
        cheap = method in BASELINES or self.words[method] == min(self.words.values())
        return int(cheap or bool(self.measured))


def _sum(known: tuple[float, float] | None, seconds: float, documents: float) -> tuple[float, float]:
    total, count = known or (0.0, 0.0)
    return total + seconds, count + documents


def _mean(spent: tuple[float, float]) -> float:
    return max(spent[0] / spent[1], 1e-6)  # a coarse clock may say 0, and speeds are divided by


def mean_words(labels: Sequence[str], model: Model, lengths: Mapping[int, int]) -> float:
    """Average the words per document that methods pass together; ``lengths``: length -> how many documents."""
    asked = plan(labels, model)
    return sum(count * passed(asked, model, n) for n, count in lengths.items()) / max(1, sum(lengths.values()))


def passed(asked: MethodPlan, model: Model, length: int) -> float:
    """Count words by formula; where edits cost only the words around them, not the square of the length."""
    near = min(length, AROUND)
    if near == length or model.fast is None or not model.fast.local:
        return work(asked, length)
    edits = [family for family in asked.families if family[0] is Perturbation]
    rest = [family for family in asked.families if family[0] is not Perturbation]
    around = work(MethodPlan(tuple(edits)), near) * length / near if edits else 0.0  # linear in the length
    return work(MethodPlan(tuple(rest)), length) + around


# --- trying out ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Trial:
    """A few documents of about the same length, on which a model's methods are timed."""

    model: Model
    items: Sequence[Item]
    settings: Mapping[str, int | None]
    game: Game | None = None  # if it may ask about edited copies, they are counted beside the methods

    def fill(self, costs: CostModel, documents: int, seconds: float, enough: float) -> CostModel:
        """Time each team on a document, the cheapest first, then all together on more and more, while there is time.

        It ends as soon as ``documents`` are seen to take no more than ``enough``: more documents at once cost less
        each. What there is no time for is taken to be as fast as the others.
        """
        clock = stopwatch(self.model)
        end, tried = clock() + seconds, list[str]()
        if not self.items:
            return costs
        for side in sorted(teams(costs.words), key=lambda side: costs.words[side[0]] * len(side)):
            if tried and 4 * costs.seconds(side[0]) * len(side) > end - clock():
                continue
            self._time(costs, side, 1)  # what is loaded or compiled once does not count
            self._time(costs, side, 1)
            tried += side
        count = 1
        while costs.total(documents) > enough:
            each = sum(map(costs.seconds, tried)) + costs.beside[0] / max(costs.beside[1], 1e-9)
            most = min(len(self.items), 8 * count, int((end - clock()) / 2 / each))  # half of the time that is left
            if most <= count:
                break
            count = most
            self._time(costs, [label for label in costs.words if label in tried], count)
        return costs

    def _time(self, costs: CostModel, labels: Sequence[str], count: int) -> None:
        """Replace what was known by what the first documents take: larger counts are nearer to a run."""
        items, clock = list(self.items[:count]), stopwatch(self.model)
        explainer = Explainer(
            self.model, tuple(labels), self.settings.get("seed") or 0, self.settings.get("batch_words")
        )
        with one_thread():
            start = clock()
            sheet, timing = explainer.explain(items, [])
            stored = sum(map(len, sheet.tables([item.key for item in items]).values()))
            if isinstance(self.game, Measured):
                stored += len(measured_file(self.model, self.game, items, sheet))
            spent = clock() - start
        lengths = Counter(len(item.words) for item in items)
        for side in teams(labels):
            usual = costs.words[side[0]] * len(side)  # of a document of the whole set
            like = count * mean_words(side, self.model, lengths) / usual
            costs.measured |= {label: (timing.together[label], like) for label in side}
        whole = len(costs.words) / len(labels)  # tables and copies are by method
        costs.beside = (whole * max(0.0, spent - sum(timing.together.values())), count)
        costs.stored = (whole * stored, count)


def tried(prepared: Prepared, pairing: Pairing, seconds: float, enough: float, store: Store | None = None) -> CostModel:
    """Estimate what a pairing will cost, by trying its methods out for some seconds."""
    model = prepared.models.get(pairing.model) or models.load(prepared.spellings[pairing.model])
    lengths = np.asarray(prepared.lengths[pairing.set], dtype=np.int64)
    costs = CostModel.of(teams(pairing.labels), model, lengths.tolist())
    game = GAMES[prepared.plan.set(pairing.set).game]
    trial = Trial(model, _middle(prepared, pairing, store), prepared.plan.settings, game)
    return trial.fill(costs, len(lengths), seconds, enough)


def _middle(prepared: Prepared, pairing: Pairing, store: Store | None) -> list[Item]:
    """Read documents around the middle of all work; neighbours in the set's file have about the same length."""
    ends = np.cumsum(_work(prepared, pairing))
    start = int(np.searchsorted(ends, ends[-1] / 2)) if len(ends) else 0
    stop = min(len(ends), start + MOST)
    if store is not None:
        return items_of(ItemFile(store.folder / store.plan.set(pairing.set).file).table(start, stop))
    return [item for _, item in islice(prepared.rows(pairing.set), start, stop)]


def _work(prepared: Prepared, pairing: Pairing) -> NDArray[np.int64]:
    """Count the words by formula of every document of the pairing's set, in the order of its file."""
    by_length = prepared.costs[pairing.id]
    table = np.zeros(max(by_length, default=0) + 1, dtype=np.int64)
    table[list(by_length)] = list(by_length.values())
    return table[np.asarray(prepared.lengths[pairing.set], dtype=np.int64)]


# --- who asks --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forecast:
    """Seconds of one core and bytes for some shards; by title of a pairing: seconds by method and beside them."""

    seconds: float
    disk: int
    shards: int
    pairings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def line(self, hands: Hands) -> str | None:
        """Say how long it will take, or None where that is not long. A cluster's workers are not known here."""
        elsewhere = hands.address not in (None, "local")
        workers = self.workers(hands)
        if self.seconds / workers <= LONG:
            return None
        who = "of one core" if elsewhere else f"on {workers} workers" if workers > 1 else "on one worker"
        return f"about {duration(self.seconds / workers)} {who}, {size(self.disk)} on disk"

    def workers(self, hands: Hands) -> int:
        """Count the workers on this machine."""
        elsewhere = hands.address not in (None, "local")
        return 1 if elsewhere or hands.executor == SERIAL else max(1, min(hands.workers, self.shards))


def foretold(prepared: Prepared, store: Store, todo: Collection[str]) -> Forecast | None:
    """Forecast what these shards will take; None where that is little, or where no model is loaded to try it with."""
    if not prepared.models or sum(_shares(prepared, todo).values()) == 0:
        return None
    amounts = {pairing.id: int(_amount(prepared, pairing, todo)) for pairing in store.plan.pairings}
    return forecast(prepared, todo, TRYING, store) if sum(amounts.values()) >= LEAST_WORK else None


def forecast(prepared: Prepared, todo: Collection[str], seconds: float, store: Store | None = None) -> Forecast:
    """Forecast what these shards will take, by trying all pairings out for some seconds in all."""
    shares = {pairing: share for pairing, share in _shares(prepared, todo).items() if share}
    total, disk, pairings = 0.0, 0.0, {}
    for number, share in shares.items():
        pairing = prepared.plan.pairing(number)
        costs = tried(prepared, pairing, seconds / len(shares), 0.0, store)
        documents = share * len(prepared.lengths[pairing.set])
        alone = min(TIMED, max(1, int(documents) // 20)) * sum(map(costs.alone, costs.words))  # as `Pairing.timed`
        beside = costs.total(documents) - documents * sum(map(costs.seconds, costs.words)) + alone
        methods = {label: documents * costs.seconds(label) for label in costs.words}
        pairings[prepared.plan.title(pairing)] = {**methods, BESIDE: beside}
        total, disk = total + sum(methods.values()) + beside, disk + costs.disk(documents)
    return Forecast(total, round(disk), len(todo), pairings)


def _shares(prepared: Prepared, todo: Collection[str]) -> dict[str, float]:
    """Map pairings to the part of their work that these shards are."""
    whole = {pairing.id: _amount(prepared, pairing, None) for pairing in prepared.plan.pairings}
    return {
        pairing.id: _amount(prepared, pairing, todo) / max(1.0, whole[pairing.id]) for pairing in prepared.plan.pairings
    }


def _amount(prepared: Prepared, pairing: Pairing, todo: Collection[str] | None) -> float:
    """Count words by formula of a pairing's shards among these; None: all of its shards."""
    ends = np.concatenate([[0], np.cumsum(_work(prepared, pairing))])
    parts = (shard.items for shard in pairing.shards if todo is None or shard.name in todo)
    return float(sum(ends[rows[-1] + 1] - ends[rows[0]] for rows in parts))


def everything(prepared: Prepared, enough: float) -> float:
    """Estimate seconds of one core for all; tried out until it is seen to take no more than ``enough``."""
    pairings = prepared.plan.pairings
    share = enough / max(1, len(pairings))
    lengths = prepared.lengths
    return sum(tried(prepared, p, TRYING / len(pairings), share).total(len(lengths[p.set])) for p in pairings)


def explaining(model: Model, lengths: Sequence[int], asked: MethodPlan) -> dict[str, float]:
    """Estimate seconds of each method for documents of these lengths, tried out on made-up ones."""
    counted = [length for length in lengths if length]  # an empty document is answered without the model
    if not counted:
        return dict.fromkeys(asked.labels, 0.0)
    costs = CostModel.of(teams(asked.labels), model, counted)
    words = (WORD,) * min(max(counted), SAMPLE)
    items = [Item(content_key("made up", str(number)), words, text=" ".join(words)) for number in range(4)]
    Trial(model, items, {}).fill(costs, len(counted), TRYING, 0.0)
    return {label: costs.seconds(label) * len(counted) for label in asked.labels}


def within(seconds: Mapping[str, float], limit: float) -> None:
    """Refuse what would take longer than ``limit`` seconds, and say which methods do."""
    total = sum(seconds.values())
    if total > limit:
        costly = sorted(seconds, key=lambda name: -seconds[name])[:3]  # more would not fit a line
        shares = ", ".join(f"{name} {duration(seconds[name])}" for name in costly)
        raise SettingError(
            f"this would take about {duration(total)}, more than {duration(limit)} (most of it: {shares})"
        )
