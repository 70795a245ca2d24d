"""Search the best and the worst order in which words can be taken away: by every subset, or by a beam.

A value is known for sets of words; an order of words passes through sets of growing size, and its curve is the mean
value at some sizes. Values come from a function that asks the model: ``ask(sets [n, T]) -> [n]``, larger is better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Sets = NDArray[np.bool_]
Ask = Callable[[Sets], NDArray[np.float64]]


def sizes(words: int, steps: int, share: float = 0.5) -> tuple[int, ...]:
    """Choose the sizes at which an order is looked at: 1, 2, ... up to ``share`` of the words, at most ``steps``."""
    last = max(1, int(np.ceil(share * words)))
    return tuple(sorted({round(1 + (last - 1) * i / max(1, min(steps, last) - 1)) for i in range(min(steps, last))}))


def along(order: Sequence[int], at: Sequence[int], words: int) -> Sets:
    """List the sets that an order passes through at these sizes, [len(at), T]."""
    places = np.argsort(np.asarray(order, dtype=np.int64), kind="stable")  # the place of each word in the order
    return np.asarray(places[None, :] < np.asarray(at)[:, None]).reshape(len(at), words)


def exhaustive(words: int, at: Sequence[int], ask: Ask) -> tuple[list[int], float]:
    """Find the best of all orders and its mean value: a longest path through all 2^T sets, size by size."""
    codes = np.arange(2**words)
    sets = (codes[:, None] >> np.arange(words)) & 1 == 1  # bit t of a code: word t is in the set
    values = ask(sets)
    counts = sets.sum(1)
    best, come_from = np.where(counts == 0, 0.0, -np.inf), np.full(len(codes), -1)
    for code in sorted(codes.tolist(), key=lambda code: int(counts[code])):  # a set after all that lead to it
        for word in range(words):
            after = code | (1 << word)
            gained = best[code] + (values[after] if counts[after] in at else 0.0)
            if after != code and gained > best[after]:
                best[after], come_from[after] = gained, word
    return _traced(come_from, words), float(best[-1]) / len(at)


def _traced(come_from: NDArray[np.int64], words: int) -> list[int]:
    """Trace the best way back from the set of all words."""
    code, order = 2**words - 1, []
    while code:
        order.append(int(come_from[code]))
        code ^= 1 << order[-1]
    return order[::-1]


@dataclass(frozen=True, eq=False)
class _State:
    """A way so far: its words in order, and the sum of its values."""

    order: tuple[int, ...]
    total: float = 0.0


def beam(words: int, at: Sequence[int], ask: Ask, width: int) -> tuple[list[int], float]:
    """Find a good order and its mean value: from size to size the ``width`` best ways go on.

    A way grows by the words that do best alone beside those it has; where sizes leave words out, by several at once,
    of which the last is tried in ``width`` ways.
    """
    states = [_State(())]
    for size in at:
        candidates = [way for state in states for way in _grown(state, size, words, ask, width)]
        candidates.sort(key=lambda way: way[1])  # of ways to one set, the best is written last
        ways = list({frozenset(order): (order, total) for order, total in candidates}.values())
        values = ask(np.array([_set(order, words) for order, _ in ways]))
        grown = [_State(order, total + value) for (order, total), value in zip(ways, values.tolist(), strict=True)]
        states = sorted(grown, key=lambda state: -state.total)[:width]
    best = states[0]
    remaining = [word for word in range(words) if word not in best.order]
    return [*best.order, *remaining], best.total / len(at)


def _grown(state: _State, size: int, words: int, ask: Ask, width: int) -> list[tuple[tuple[int, ...], float]]:
    free = [word for word in range(words) if word not in state.order]
    alone = ask(np.array([_set((*state.order, word), words) for word in free]))
    ranked = [free[i] for i in np.argsort(-alone, kind="stable")]
    block = size - len(state.order)  # words to add
    lasts = ranked[block - 1 : block - 1 + width]  # several words at once: only the last of them varies
    return [((*state.order, *ranked[: block - 1], last), state.total) for last in lasts]


def _set(order: Sequence[int], words: int) -> Sets:
    chosen = np.zeros(words, bool)
    chosen[list(order)] = True
    return chosen


def copies(words: int, at: Sequence[int], width: int, exact: int) -> int:
    """Count the copies that a search asks about, at most."""
    if words <= exact:
        return int(2**words)
    return sum((width if number else 1) * (words + width) for number in range(len(at)))
