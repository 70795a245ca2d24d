"""The plan of a run in rounds, and looks at it: outcomes after any number of rounds of each method, and the decision.

The plan has a pairing per team of methods and a shard per round, with documents in random order.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from whichword.games import GAMES, Game
from whichword.method_names import BASELINES
from whichword.methods import teams
from whichword.planning.prepare import Prepared
from whichword.runs.items import items_bytes
from whichword.runs.records import ItemSet, Pairing
from whichword.runs.run import Run
from whichword.runs.sealed import sha256
from whichword.runs.store import Store
from whichword.scoring.hits import Hits, Lost, ShardScorer, united
from whichword.scoring.outcomes import outcomes
from whichword.scoring.shard import read_shard
from whichword.statistics import Leads, leads, sequence
from whichword.statistics.bounds import Outcomes
from whichword.statistics.decision import Costs, Decision, decide_by
from whichword.text.places import content_key
from whichword.types import Item

FIRST = 4  # documents of the first round; then as many as were played before


@dataclass(frozen=True)
class Contest:
    """One model on one set: ``whole`` is the pairing of all its methods, ``teams`` those of methods that play together.

    A team's methods share their passes: alone, each of them would cost about what all of them do.
    """

    whole: Pairing
    teams: tuple[Pairing, ...]

    @cached_property
    def team(self) -> Mapping[str, Pairing]:
        """The team of each method."""
        return {label: team for team in self.teams for label in team.labels}

    def documents(self, method: str, rounds: int) -> int:
        """Count the documents that the method has played after so many rounds."""
        return sum(len(shard.items) for shard in self.team[method].shards[:rounds])


def in_rounds(prepared: Prepared) -> tuple[Prepared, tuple[Contest, ...]]:
    """Plan the same things, each team for itself. The first documents are a random sample of all, so are the next."""
    seed = prepared.plan.settings["seed"]
    items = {name: in_random_order(rows, seed) for name, rows in prepared.items.items()}
    sets = tuple(_reordered(item_set, items[item_set.id]) for item_set in prepared.plan.sets)
    contests = tuple(
        contest_of(pairing, len(items[pairing.set]), teams(pairing.labels)) for pairing in prepared.plan.pairings
    )
    plan = structs.replace(
        prepared.plan,
        identity={
            **prepared.plan.identity,
            "rounds": f"doubled from {FIRST} documents, error by what is expected",
            **_together(contests),
        },
        settings={**prepared.plan.settings, "rounds": FIRST},
        sets=sets,
        pairings=tuple(team for contest in contests for team in contest.teams),
    )
    return replace(prepared, plan=plan, items=items, order=enumerate), contests  # not by length


def _together(contests: Iterable[Contest]) -> dict[str, str]:
    """Name, for the identity, the methods that play together."""
    return {
        f"teams of {contest.whole.id}": "; ".join(", ".join(team.labels) for team in contest.teams if team.labels[1:])
        for contest in contests
    }


def in_random_order(items: Iterable[Item], seed: int) -> tuple[Item, ...]:
    return tuple(sorted(items, key=lambda item: content_key("round", str(seed), item.key)))  # by hash: anywhere alike


def _reordered(item_set: ItemSet, items: Sequence[Item]) -> ItemSet:
    return structs.replace(item_set, sha256=sha256(items_bytes(items)))


def contest_of(pairing: Pairing, documents: int, labels: Iterable[Sequence[str]] | None = None) -> Contest:
    """Plan a pairing in rounds over so many documents; ``labels`` of each team, None: each method for itself."""
    sides = [[label] for label in pairing.labels] if labels is None else labels
    named = ((f"{pairing.id}-{number:02d}", side) for number, side in enumerate(sides))
    return Contest(pairing, tuple(_team(pairing, name, side, documents) for name, side in named))


def _team(pairing: Pairing, name: str, labels: Sequence[str], documents: int) -> Pairing:
    methods = tuple(method for method in pairing.methods if method.label in labels)
    return structs.replace(pairing, id=name, methods=methods, undefined={}, cuts=tuple(_rounds(documents)))


def _rounds(documents: int) -> Iterator[int]:
    """Yield where rounds begin, and where the last one ends."""
    yield 0
    stop = min(FIRST, documents)
    while stop < documents:
        yield stop
        stop = min(2 * stop, documents)
    yield documents


def fullest(sizes: Mapping[str, int], choice: str | None = None) -> int:
    """Find the size that gives the largest table, by what each method has played; a chosen method is always in it."""
    methods = {name: size for name, size in sizes.items() if size and name not in BASELINES}
    candidates = [size for size in methods.values() if choice is None or size <= methods[choice]]
    return max(candidates, key=lambda least: least * sum(size >= least for size in methods.values()), default=0)


Rounds = Mapping[str, int]  # method -> rounds played


@dataclass(frozen=True, eq=False)
class Looking(ABC):
    """What a contest has shown. Leads are kept, so that a look costs no more than what is new."""

    contest: Contest
    seen: dict[tuple[int, frozenset[str]], Leads] = field(default_factory=dict, kw_only=True)

    @abstractmethod
    def outcomes(self, rounds: Rounds) -> Outcomes | None:
        """Return hits of every method of the contest, nan where it has not played; None where none has."""

    def decision(
        self, rounds: Rounds, seconds: Costs, margin: float, expected: Rounds | None = None
    ) -> Decision | None:
        """Decide after so many rounds of each method: a choice among all, else what is shown of those that had time.

        ``expected``: the rounds that each method was expected to have time for, before the first look.

        It does not depend on when looks were taken. Methods that played few documents for want of time would leave
        everything open; some limits hold for all pairs, so they hold for what is said of the others. Who is in the
        group and what is to be avoided is the same whichever are compared.
        """
        outcomes = self.outcomes(rounds)
        if outcomes is None or not len(outcomes.hits):
            return None
        every = max(len(team.shards) for team in self.contest.teams)  # the error is shared by all rounds there could be
        limits = sequence(self._leads(rounds), every, expected=expected)
        whole = decide_by(limits, outcomes, seconds, margin)
        if whole.choice is not None and not whole.open:  # it holds for all methods
            return whole
        sizes = {method: self.contest.documents(method, count) for method, count in rounds.items() if count}
        decisions = {
            n: decide_by(limits, outcomes, seconds, margin, contenders=[name for name in sizes if sizes[name] >= n])
            for n in sorted(set(sizes.values()))  # all methods first, then those that came further
        }
        return _unnamed(_most_telling(list(decisions.values())) or decisions.get(fullest(sizes), whole))

    def _leads(self, rounds: Rounds) -> Iterator[Leads]:
        """Yield leads on the documents of the first round, of the first two, ..., of the methods that came so far."""
        for number in range(1, max(rounds.values()) + 1):
            came = frozenset(method for method, count in rounds.items() if count >= number)
            if (number, came) not in self.seen:  # documents that were played do not change
                outcomes = self.outcomes({method: number if method in came else 0 for method in rounds})
                self.seen[number, came] = leads(cast("Outcomes", outcomes))
            yield self.seen[number, came]


@dataclass(frozen=True, eq=False)
class ScoredRound:
    """A round of a team: its items, and their hits; what items share counts with them (`ShardScorer.lost`)."""

    items: list[Item]
    hits: Hits
    lost: Lost
    companions: NDArray[np.object_]

    def counted(self, values: NDArray[np.float64], gone: Collection[str]) -> NDArray[np.float64]:
        """Put nan where a companion does not count."""
        return np.where([name in gone for name in self.companions], np.nan, values) if gone else values


@dataclass(frozen=True, eq=False)
class StoredLooks(Looking):
    """Looks by the rounds in a run's folder: every shard is read and scored once, however many looks there are."""

    store: Store
    scored: dict[str, ScoredRound] = field(default_factory=dict)

    def outcomes(self, rounds: Rounds) -> Outcomes | None:
        played = {method: self._rounds(method, count) for method, count in rounds.items() if count}
        if not played:
            return None
        longest = max(rounds.items(), key=lambda entry: self.contest.documents(*entry))[0]
        items = [item for part in played[longest] for item in part.items]
        lost = {method: united(part.lost for part in parts) for method, parts in played.items()}
        hits = {part: np.full((len(items), len(self.contest.whole.methods)), np.nan) for part in self.game.parts}
        for column, method in enumerate(self.contest.whole.labels):
            place = self.contest.team[method].labels.index(method)  # its column in the team's tables
            for shard in played.get(method, ()):
                for part, table in hits.items():
                    values = shard.hits.hits[part][:, place]
                    table[shard.hits.places, column] = shard.counted(values, lost[method].get(part, ()))
        first = next(iter(played))
        return outcomes(self.contest.whole.labels, hits, _chance(played[first], lost[first], self.game), items)

    @property
    def game(self) -> Game:
        return GAMES[self.store.plan.set(self.contest.whole.set).game]

    def _rounds(self, method: str, count: int) -> list[ScoredRound]:
        team = self.contest.team[method]
        for shard in team.shards[:count]:
            if shard.name not in self.scored:
                scorer = ShardScorer.of(read_shard(Run(self.store), team, shard), self.game)
                lost = scorer.lost() if self.game.together else {}  # items of other games count alone
                self.scored[shard.name] = ScoredRound(scorer.shard.items, scorer.hits(team), lost, scorer.companions)
        return [self.scored[shard.name] for shard in team.shards[:count]]


def _chance(rounds: Sequence[ScoredRound], lost: Lost, game: Game) -> dict[str, float | None]:
    """Average by part what a random word gets where it counts; None where nothing does."""
    chance: dict[str, float | None] = {}
    for part in game.parts:
        gone = lost.get(part, ())
        shares = np.concatenate([played.counted(played.hits.shares[part], gone) for played in rounds])
        counted = shares[~np.isnan(shares)]
        chance[part] = float(counted.sum()) / len(counted) if len(counted) else None
    return chance


def _most_telling(decisions: Sequence[Decision]) -> Decision | None:
    """Find the first that names the best of most methods.

    The best of a few is no choice: the cheapest method would be the best of itself.
    """
    named = [decision for decision in decisions if decision.choice is not None]
    return next((decision for decision in named if len(decision.open) < len(decision.behind) / 2), None)


def _unnamed(decision: Decision) -> Decision:
    """Withdraw the choice while too little is known of a method; what is good among the others is kept."""
    if decision.choice is None or not decision.open:
        return decision
    good = decision.good or (decision.choice,)
    return replace(decision, status="undecided", choice=None, good=good, needed=None)
