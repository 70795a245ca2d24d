"""The plan of a run in rounds: a pairing per team of methods, a shard per round, documents in random order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from whichword.method_names import BASELINES
from whichword.methods import teams
from whichword.planning.prepare import Prepared
from whichword.runs.canonical import sha256
from whichword.runs.item_files import items_bytes
from whichword.runs.plan import ItemSet, Pairing, RunPlan, shards_between
from whichword.text.keys import content_key
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
        """Of each method."""
        return {label: team for team in self.teams for label in team.labels}

    def documents(self, method: str, rounds: int) -> int:
        """How many the method has played after so many rounds."""
        return sum(len(shard.items) for shard in self.team[method].shards[:rounds])


def in_rounds(prepared: Prepared) -> tuple[Prepared, tuple[Contest, ...]]:
    """The same things, each team for itself. The first documents are a random sample of all, so are the next."""
    seed = prepared.plan.settings["seed"]
    items = {name: in_random_order(rows, seed) for name, rows in prepared.items.items()}
    sets = tuple(_reordered(item_set, items[item_set.id]) for item_set in prepared.plan.sets)
    contests = tuple(
        contest_of(pairing, len(items[pairing.set]), teams(pairing.labels)) for pairing in prepared.plan.pairings
    )
    plan = replace(
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
    return replace(prepared, plan=plan, items=items, order=enumerate), contests


def _together(contests: Iterable[Contest]) -> dict[str, str]:
    """For the identity: who plays with whom."""
    return {
        f"teams of {contest.whole.id}": "; ".join(", ".join(team.labels) for team in contest.teams if team.labels[1:])
        for contest in contests
    }


def in_random_order(items: Iterable[Item], seed: int) -> tuple[Item, ...]:
    return tuple(sorted(items, key=lambda item: content_key("round", str(seed), item.key)))


def _reordered(item_set: ItemSet, items: Sequence[Item]) -> ItemSet:
    return replace(item_set, sha256=sha256(items_bytes(items)))


def contest_of(pairing: Pairing, documents: int, labels: Iterable[Sequence[str]] | None = None) -> Contest:
    """A pairing's methods in rounds over so many documents; ``labels`` of each team, None: each method for itself."""
    sides = [[label] for label in pairing.labels] if labels is None else labels
    named = ((f"{pairing.id}-{number:02d}", side) for number, side in enumerate(sides))
    return Contest(pairing, tuple(_team(pairing, name, side, documents) for name, side in named))


def _team(pairing: Pairing, name: str, labels: Sequence[str], documents: int) -> Pairing:
    methods = tuple(method for method in pairing.methods if method.label in labels)
    shards = tuple(shards_between(name, list(_rounds(documents))))
    return replace(pairing, id=name, methods=methods, undefined={}, shards=shards)


def _rounds(documents: int) -> Iterator[int]:
    """Where rounds begin, and where the last one ends."""
    yield 0
    stop = min(FIRST, documents)
    while stop < documents:
        yield stop
        stop = min(2 * stop, documents)
    yield documents


def played_plan(plan: RunPlan, pairing: Pairing, rounds: int) -> RunPlan:
    """The plan as if there were nothing but the first rounds of one team."""
    return replace(plan, pairings=(replace(pairing, shards=pairing.shards[:rounds]),))


def fullest(sizes: Mapping[str, int], choice: str | None = None) -> int:
    """The documents that give the largest table, by what each method has played; a chosen method is always in it."""
    methods = {name: size for name, size in sizes.items() if size and name not in BASELINES}
    candidates = [size for size in methods.values() if choice is None or size <= methods[choice]]
    return max(candidates, key=lambda least: least * sum(size >= least for size in methods.values()), default=0)
