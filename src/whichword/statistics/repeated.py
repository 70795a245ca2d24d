"""Looking again and again: bounds that hold at every look together, whoever stops whenever."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

import numpy as np

from whichword.statistics.bounds import ALPHA, Bounds, level_of, lower_limits
from whichword.statistics.leads import Leads
from whichword.statistics.outcomes import BASELINES, CHANCE

RIVALS, ABOVE, PAIRS = 0.7, 0.2, 0.1  # of the error, by kind of statement: most for who may be the best
COMPLETE = 0.75  # of the error of a comparison, for that on all documents; the rounds before share the rest equally
TELLING = 4  # the first round that can show something: on 16 documents every reach is more than a half


def sequence(looks: Iterable[Leads], rounds: int, alpha: float = ALPHA) -> Bounds:
    """``looks[r - 1]``: the leads on the documents of the first r of ``rounds`` rounds, of columns that came so far.

    Documents are played in one order and rounds are the same for all, so for each pair of columns and each r there is
    one lead, whenever it is looked at. Which of them are ever seen depends on the time and on what was seen before;
    what they are does not. So it is enough that the limits of all of them hold together, seen or not (union bound),
    and they do with probability 1 - alpha:

    - ``rivals``: M - 1 comparisons with the best, in every round (Hsu);
    - ``above``: one per method and round, with a baseline that it truly does not beat, for it has to beat all of them;
    - ``leads``: all ordered pairs in every round, for what is to be avoided, and for what is said of those methods
      alone that had the time to play.

    No round is paid for twice however often one looks, and a comparison on all documents, after which there can be no
    other, has most of the error. What a round has shown stays: the limits are the narrowest so far.
    """
    shares = shares_of_error(rounds)
    limits = reduce(_narrowed, (_limits(look, share * alpha) for look, share in zip(looks, shares, strict=False)))
    return replace(limits, level=_level(limits.latest, shares[-1] * alpha))


def shares_of_error(rounds: int) -> list[float]:
    """By round, 1 in all: none where nothing can be shown, most for the last, after which all documents are played."""
    between = max(0, rounds - TELLING)
    if not between:
        return [*[0.0] * (rounds - 1), 1.0]
    return [*[0.0] * (TELLING - 1), *[(1 - COMPLETE) / between] * between, COMPLETE]


def _limits(look: Leads, alpha: float) -> Bounds:
    columns, level = len(look.names), _level(look, alpha)
    methods = sum(name not in (*BASELINES, CHANCE) for name in look.names)
    return Bounds(
        rivals=lower_limits(look, level),
        above=lower_limits(look, ABOVE * alpha / max(1, methods)),
        leads=lower_limits(look, PAIRS * alpha / max(1, columns * (columns - 1))),
        latest=look,
        level=level,
        pairwise=True,
    )


def _level(look: Leads, alpha: float) -> float:
    return level_of(len(look.names), RIVALS * alpha)


def _narrowed(before: Bounds, now: Bounds) -> Bounds:
    """What either says; of pairs that did not come so far, what was seen before."""
    limits = {name: np.maximum(getattr(before, name), getattr(now, name)) for name in ("rivals", "above", "leads")}
    came = now.latest.documents > 0
    seen = {
        name: np.where(came, getattr(now.latest, name), getattr(before.latest, name))
        for name in ("lead", "variance", "documents")
    }
    return Bounds(**limits, latest=Leads(now.names, **seen), level=now.level, pairwise=True)
