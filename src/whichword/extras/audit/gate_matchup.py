"""Two runs over the same items, and perhaps a third by another seed, set side by side pairing by pairing."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from whichword.errors import InputError
from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.scoring.judged import Judged
from whichword.scoring.judging import judge


@dataclass(frozen=True)
class Matchup:
    """A pairing of the new run and the same of the old one, and of a second seed's where there is one."""

    title: str
    new: tuple[Run, Pairing]
    old: tuple[Run, Pairing]
    seeds: tuple[Run, Pairing] | None

    def judged(self, side: str) -> Judged:
        """One side's outcomes, on the documents that have an answer on all sides."""
        return self._judged[side]

    @cached_property
    def _judged(self) -> dict[str, Judged]:
        sides = {name: pair for name in ("new", "old", "seeds") if (pair := getattr(self, name)) is not None}
        judged = {name: judge(run, pairing.id) for name, (run, pairing) in sides.items()}
        common = set.intersection(*(set(outcomes.keys) for outcomes in judged.values()))
        return {name: _only(outcomes, common) for name, outcomes in judged.items()}


def _only(judged: Judged, keys: Collection[str]) -> Judged:
    rows = [row for row, key in enumerate(judged.keys) if key in keys]
    return replace(
        judged,
        keys=tuple(judged.keys[row] for row in rows),
        predicted=tuple(judged.predicted[row] for row in rows),
        rmax=judged.rmax[rows],
        ties=judged.ties[rows],
        nonfinite=judged.nonfinite[rows],
        hits={part: hits[rows] for part, hits in judged.hits.items()},
    )


def matchups(new: Run, old: Run, seeds: Run | None) -> Iterator[Matchup]:
    for pairing in new.plan.pairings:
        before = _same_set(new, pairing, old)
        second = None if seeds is None else (seeds, _same_set(new, pairing, seeds))
        yield Matchup(new.plan.title(pairing), (new, pairing), (old, before), second)


def _same_set(new: Run, pairing: Pairing, old: Run) -> Pairing:
    """The pairing over the same items; where several models played them, the one of that label."""
    items = new.plan.set(pairing.set).sha256
    same = [other for other in old.plan.pairings if old.plan.set(other.set).sha256 == items]
    named = [other for other in same if other.model == pairing.model] or same
    if len(named) != 1:
        what = "the same items were not played" if not same else "several models played these items"
        raise InputError(f"{old.folder}: no baseline for {new.plan.title(pairing)}: {what}")
    return named[0]
