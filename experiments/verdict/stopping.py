"""`whichword trust` on a made-up game: its own rounds, looks and stops; hits are drawn, and the clock is made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from experiments.verdict.worlds import FAMILY, World
from whichword.planning.costs import CostModel
from whichword.rounds.levels import Levels, Score
from whichword.rounds.looks import Contest, Looking, Rounds, contest_of
from whichword.runs.records import Asked, Pairing
from whichword.statistics.bounds import Outcomes
from whichword.statistics.decision import MARGIN, Decision

PLAYERS = 2
DEAREST = 500.0  # the best method costs so many times what the worst costs, as omission beside one gradient
LEAST_TIME = 0.01  # of what everything would take: the limit of the first start lies between it and all


@dataclass(frozen=True, eq=False)
class DrawnLooks(Looking):
    """Of a game's hits on all documents those that the methods have come to."""

    hits: Outcomes

    def outcomes(self, rounds: Rounds) -> Outcomes:
        sizes = {method: self.contest.documents(method, count) for method, count in rounds.items()}
        rows = np.arange(len(self.hits.hits)) < max(sizes.values())
        part = self.hits.rows(rows)
        for column, name in enumerate(part.names):
            part.hits[sizes.get(name, len(part.hits)) :, column] = np.nan
        return part


@dataclass
class DrawnLevels(Levels):
    """``seconds`` per document of each method, its share of its team's, are true, and so are those ``alone``.

    What the estimates start from may be wrong by a factor of 2.
    """

    seconds: Mapping[str, float]
    alone: Mapping[str, float]
    spent: float = 0.0
    shards: list[str] = field(default_factory=list)
    history: list[Decision] = field(default_factory=list)

    @property
    def played(self) -> set[str]:
        return set(self.shards)

    @property
    def remaining(self) -> float:
        return self.limit - self.spent / self.players

    def play_shards(self, shards: Sequence[str], seconds: float) -> None:
        (score,) = self.scores
        for name in shards:
            self.spent += self.play_shard(score, name)
            if self.remaining <= 0:
                break

    def play_shard(self, score: Score, shard: str) -> float:
        """Note what it costs; in seconds of a core."""
        labels, size = labels_and_size(score.contest, shard)
        for method in labels:
            score.costs.add(method, self.seconds[method] * size, size)
            score.costs.add_alone(method, self.alone[method], 1)
        self.shards.append(shard)
        return sum(self.seconds[method] for method in labels) * size

    def rounds_of(self, score: Score, team: Pairing) -> int:
        played = self.played
        return next((n for n, shard in enumerate(team.shards) if shard.name not in played), len(team.shards))

    def before_look(self, score: Score) -> None:
        pass

    def after_look(self) -> None:
        (score,) = self.scores
        if score.decision is not None:
            self.history.append(score.decision)


def played(world: World, documents: int, random: np.random.Generator) -> list[Decision]:
    """What the verdict was after every look: of a start with a limit that is drawn, then of one with time for all.

    For all that is left there is time on one core: rounds of one method are not shared out.
    """
    game = started(world, documents, random)
    everything = documents * sum(game.seconds.values())
    for limit in (everything / PLAYERS * LEAST_TIME ** random.random(), everything):
        game = replace(game, limit=limit, spent=0.0)
        game.play()
    return game.history


def started(world: World, documents: int, random: np.random.Generator) -> DrawnLevels:
    """A game in which nothing was played yet, without time."""
    hits = world.draw(documents, random)
    names = tuple(name for name in hits.names if name in (*hits.methods, "last"))
    teams = _teams(names)
    contest = contest_of(Pairing("p00", "model", "s00", tuple(map(Asked, names)), {}, ()), documents, teams)
    alone = {name: world.cost(name, DEAREST) for name in names}
    seconds = {name: max(alone[mate] for mate in team) / len(team) for team in teams for name in team}
    formula = {name: seconds[name] * 2 ** random.uniform(-1, 1) for name in names}
    score = Score(contest, DrawnLooks(contest, hits), CostModel(formula), dict.fromkeys(names, 0))
    return DrawnLevels([score], PLAYERS, 0.0, MARGIN, seconds, alone)


def _teams(names: Sequence[str]) -> list[Sequence[str]]:
    """Every other family shares its passes and plays together, the others each for themselves; so does the baseline."""
    *methods, baseline = names
    families = [methods[start : start + FAMILY] for start in range(0, len(methods), FAMILY)]
    together = [[family] if number % 2 else [[name] for name in family] for number, family in enumerate(families)]
    return [*(team for teams in together for team in teams), [baseline]]


def labels_and_size(contest: Contest, shard: str) -> tuple[tuple[str, ...], int]:
    """The methods that a round is of, and its documents."""
    return next((team.labels, len(part.items)) for team in contest.teams for part in team.shards if part.name == shard)
