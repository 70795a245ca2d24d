"""How far one model is in one game that is played in rounds."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from whichword.experiment.rounds_costs import CostEstimate
from whichword.experiment.rounds_looks import Looking
from whichword.experiment.rounds_plan import Contest
from whichword.statistics.decision import Decision


@dataclass
class Score:
    """How far a contest is: rounds played by method, the looks so far, and why methods were stopped."""

    contest: Contest
    looking: Looking
    costs: CostEstimate
    rounds: dict[str, int]
    looks: list[dict[str, int]] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)
    decision: Decision | None = None

    def next_steps(self, level: float) -> Iterator[tuple[float, str, str]]:
        """(seconds, pairing, shard) of all rounds that keep a method under ``level`` seconds in all, in their order."""
        for method, pairing in self.contest.single.items():
            if method in self.stopped:
                continue
            each = self.costs.seconds(method)
            most = self.costs.most_rounds(method)
            for number in range(len(pairing.shards))[self.rounds[method] : most]:
                if each * self.contest.documents(method, number + 1) > level:
                    break
                yield each * len(pairing.shards[number].items), pairing.id, pairing.shards[number].name

    def unplayed_rounds(self) -> list[str]:
        """All shards that are not there, of methods that were not stopped."""
        singles = [entry for entry in self.contest.single.items() if entry[0] not in self.stopped]
        return [shard.name for method, pairing in singles for shard in pairing.shards[self.rounds[method] :]]

    def left(self) -> list[float]:
        """The total at which each method that plays on reaches its next round."""
        return [
            self.costs.seconds(method) * self.contest.documents(method, self.rounds[method] + 1)
            for method, pairing in self.contest.single.items()
            if method not in self.stopped and self.rounds[method] < len(pairing.shards)
        ]

    def seconds_left(self) -> float:
        """Of a core, for all rounds of the methods that play on."""
        playing = [entry for entry in self.contest.single.items() if entry[0] not in self.stopped]
        return sum(
            self.costs.seconds(method) * len(shard.items)
            for method, pairing in playing
            for shard in pairing.shards[self.rounds[method] :]
        )
