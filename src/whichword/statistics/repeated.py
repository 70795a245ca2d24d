"""Looking again and again: bounds that hold at every look together, whoever stops whenever."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from whichword.statistics.bounds import ALPHA, Bounds, level_of, lower_limits
from whichword.statistics.leads import Leads, Matrix
from whichword.statistics.outcomes import BASELINES, CHANCE

RIVALS, ABOVE, PAIRS = 0.7, 0.2, 0.1  # of the error, by kind of statement: most for who may be the best
EXPECTED = 0.5  # of the error of a comparison, for the round that both methods are expected to reach
COMPLETE = 0.25  # and for that on all documents; the rounds before share the rest equally
TELLING = 4  # the first round that can show something: on 16 documents every reach is more than a half


def sequence(
    looks: Iterable[Leads], rounds: int, alpha: float = ALPHA, expected: Mapping[str, int] | None = None
) -> Bounds:
    """``looks[r - 1]``: the leads on the documents of the first r of ``rounds`` rounds, of columns that came so far.

    Documents are played in one order and rounds are the same for all, so for each pair of columns and each r there is
    one lead, whenever it is looked at. Which of them are ever seen depends on the time and on what was seen before;
    what they are does not. So it is enough that the limits of all of them hold together, seen or not (union bound),
    and they do with probability 1 - alpha:

    - ``rivals``: M - 1 comparisons with the best, in every round (Hsu);
    - ``above``: one per method and round, with a baseline that it truly does not beat, for it has to beat all of them;
    - ``leads``: all ordered pairs in every round, for what is to be avoided, and for what is said of those methods
      alone that had the time to play.

    No round is paid for twice however often one looks. Most of a comparison's error is for the round that both are
    ``expected`` to come to in the time there is (a method that is not named: the last), and for all documents, after
    which there can be no other. What is expected may depend on costs and the time, never on hits. What a round has
    shown stays: the limits are the narrowest so far.
    """
    shares = np.array([shares_of_error(rounds, reached) for reached in range(1, rounds + 1)])
    limits = reduce(
        _narrowed,
        (
            _limits(look, alpha * shares[_both_reach(look.names, rounds, expected or {}) - 1, number])
            for number, look in enumerate(looks)
        ),
    )
    return replace(limits, level=level_of(len(limits.names), RIVALS * alpha * float(shares[-1, -1])))


def shares_of_error(rounds: int, expected: int | None = None) -> list[float]:
    """By round, 1 in all: none where nothing can be shown, most for the expected one (None: the last) and the last."""
    between = max(0, rounds - TELLING)
    if not between:
        return [*[0.0] * (rounds - 1), 1.0]
    shares = [*[0.0] * (TELLING - 1), *[(1 - EXPECTED - COMPLETE) / between] * between, COMPLETE]
    shares[max(TELLING, min(expected or rounds, rounds)) - 1] += EXPECTED
    return shares


def _both_reach(names: Sequence[str], rounds: int, expected: Mapping[str, int]) -> NDArray[np.int64]:
    """The round that both of two columns are expected to reach, [M, M]."""
    reach = np.clip([expected.get(name, rounds) for name in names], 1, rounds)
    both: NDArray[np.int64] = np.minimum(reach[:, None], reach[None, :])
    return both


def _limits(look: Leads, alpha: Matrix) -> Bounds:
    """In one round; ``alpha`` [M, M] is the error of each comparison in it, of all kinds together."""
    columns = len(look.names)
    methods = sum(name not in (*BASELINES, CHANCE) for name in look.names)
    return Bounds(
        rivals=lower_limits(look, RIVALS * alpha / max(1, columns - 1)),
        above=lower_limits(look, ABOVE * alpha / max(1, methods)),
        leads=lower_limits(look, PAIRS * alpha / max(1, columns * (columns - 1))),
        latest=look,
        level=0.0,  # that of a comparison on all documents, once all rounds are there
        pairwise=True,
    )


def _narrowed(before: Bounds, now: Bounds) -> Bounds:
    """What either says; of pairs that did not come so far, what was seen before."""
    limits = {name: np.maximum(getattr(before, name), getattr(now, name)) for name in ("rivals", "above", "leads")}
    came = now.latest.documents > 0
    seen = {
        name: np.where(came, getattr(now.latest, name), getattr(before.latest, name))
        for name in ("lead", "variance", "documents")
    }
    return Bounds(**limits, latest=Leads(now.names, **seen), level=now.level, pairwise=True)
