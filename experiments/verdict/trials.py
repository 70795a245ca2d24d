"""One world, many times: what the rule names, after one look and after every look of rounds."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from experiments.verdict.stopping import played
from experiments.verdict.worlds import World
from whichword.statistics.decision import Decision, decide

SIZES = (50, 200, 1000, 5000)
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


def in_rounds(world: World, documents: int, trials: int, seed: int) -> Rates:
    """As `trust --time` plays them, with a look after every level; an error is anything wrong at any look."""
    return _rates(world, [played(world, documents, random) for random in _generators(seed, trials)])


def _generators(seed: int, trials: int) -> Iterator[np.random.Generator]:
    return (np.random.default_rng([seed, trial]) for trial in range(trials))


def _rates(world: World, histories: list[list[Decision]]) -> Rates:
    """Errors at any look of a history; abstaining and deciding at its last."""
    worst = np.array([_worst(world, history) for history in histories])
    last = [history[-1] for history in histories if history]
    return Rates(
        wrong_by_five=float(np.mean(worst >= FIVE)),
        wrong_by_ten=float(np.mean(worst >= TEN)),
        abstains=1.0 - sum(decision.choice is not None for decision in last) / len(histories),
        decided=sum(decision.status == "decided" for decision in last) / len(histories),
        falsely_avoided=float(np.mean([any(_slanders(world, d) for d in history) for history in histories])),
    )


def _worst(world: World, history: list[Decision]) -> float:
    """How far behind the best the worst method is that was ever named; below 0 where none was."""
    named = [decision for decision in history if decision.choice is not None]
    return max((world.behind(str(decision.choice)) for decision in named), default=-1.0)


def _slanders(world: World, decision: Decision) -> bool:
    """Something is to be avoided that is truly within five points of the best and five above chance."""
    over = {name: truth - world.chance for name, truth in zip(world.names, world.truth, strict=True)}
    return any(world.behind(name) < FIVE and over[name] > FIVE for name in decision.avoid)
