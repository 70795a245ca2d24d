"""One world, many times: what the rule names, after one look and after every look."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from experiments.verdict.worlds import World
from whichword.statistics import leads, sequence
from whichword.statistics.decision import Decision, decide, decide_by

SIZES = (50, 200, 1000, 5000)
LOOKS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 5000)
FIVE, TEN = 0.05 - 1e-9, 0.10 - 1e-9


@dataclass(frozen=True)
class Rates:
    """Shares of all trials."""

    wrong_by_five: float  # a method is named that is truly five points worse than the best, or more
    wrong_by_ten: float
    abstains: float  # no method is named
    decided: float
    falsely_avoided: float  # a good method is among those to avoid


def at_once(world: World, documents: int, trials: int, seed: int) -> Rates:
    """All documents, one look."""
    decisions = [
        decide(world.draw(documents, random), world.seconds, ahead=False) for random in _generators(seed, trials)
    ]
    return _rates(world, [[decision] for decision in decisions])


def in_rounds(world: World, trials: int, seed: int) -> dict[int, Rates]:
    """A look after every round; the error at a size is that anything wrong was said at any look up to it."""
    histories = [_history(world, random) for random in _generators(seed, trials)]
    return {size: _rates(world, [history[: k + 1] for history in histories]) for k, size in enumerate(LOOKS)}


def _history(world: World, random: np.random.Generator) -> list[Decision]:
    outcomes = world.draw(LOOKS[-1], random)
    numbers = np.arange(LOOKS[-1])
    parts = [outcomes.rows(numbers < size) for size in LOOKS]
    limits = sequence(leads(part) for part in parts)
    return [decide_by(limit, part, world.seconds, ahead=False) for limit, part in zip(limits, parts, strict=True)]


def _generators(seed: int, trials: int) -> Iterator[np.random.Generator]:
    return (np.random.default_rng([seed, trial]) for trial in range(trials))


def _rates(world: World, histories: list[list[Decision]]) -> Rates:
    """Errors at any look of a history; abstaining and deciding at its last."""
    worst = np.array([max(_behind(world, decision) for decision in history) for history in histories])
    last = [history[-1] for history in histories]
    return Rates(
        wrong_by_five=float(np.mean(worst >= FIVE)),
        wrong_by_ten=float(np.mean(worst >= TEN)),
        abstains=float(np.mean([decision.choice is None for decision in last])),
        decided=float(np.mean([decision.status == "decided" for decision in last])),
        falsely_avoided=float(np.mean([any(_slanders(world, d) for d in history) for history in histories])),
    )


def _behind(world: World, decision: Decision) -> float:
    return -1.0 if decision.choice is None else world.behind(decision.choice)


def _slanders(world: World, decision: Decision) -> bool:
    """Something is to be avoided that is truly within five points of the best and five above chance."""
    over = {name: truth - world.chance for name, truth in zip(world.names, world.truth, strict=True)}
    return any(world.behind(name) < FIVE and over[name] > FIVE for name in decision.avoid)
