"""``python -m experiments.verdict.replay RUN``: what `trust` would have said of a full run in the time there is.

The rounds, looks and stops of `trust` itself on the hits and costs of a run; nothing is computed again and the clock
is made up, so that a full run and a short one are compared on any machine, whoever else uses it. Of a run that is not
finished, the documents that are there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from msgspec import structs

from experiments.verdict.stopping import DrawnLevels
from whichword.cli.app import main
from whichword.cli.trust import seconds
from whichword.methods import METHODS, teams
from whichword.planning.costs import CostModel
from whichword.planning.items import sample
from whichword.rounds.levels import Score
from whichword.rounds.looks import Looking, Rounds, contest_of, in_random_order
from whichword.rounds.rounds import KEPT_BACK
from whichword.runs.run import MethodCost, Run
from whichword.runs.store import Store
from whichword.scoring.outcomes import Judged, outcomes_of
from whichword.scoring.run import judge
from whichword.statistics.bounds import Outcomes
from whichword.statistics.decision import MARGIN, Decision, decide
from whichword.types import Item

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dataclass(frozen=True, eq=False)
class ReplayedLooks(Looking):
    """Of a run's hits those that the methods have come to; ``judged`` and ``items`` are in the order of rounds."""

    judged: Judged
    items: tuple[Item, ...]

    def outcomes(self, rounds: Rounds) -> Outcomes | None:
        sizes = [self.contest.documents(method, rounds.get(method, 0)) for method in self.judged.methods]
        unplayed = np.arange(len(self.items))[:, None] >= np.array(sizes)
        hits = {part: np.where(unplayed, np.nan, hits) for part, hits in self.judged.hits.items()}
        return outcomes_of(replace(self.judged, hits=hits), self.items) if any(sizes) else None


@app.command()
def replay(
    folder: Annotated[Path, typer.Argument(help="A run of one model in one game, with every method.")],
    time: Annotated[str, typer.Option(help="How long trust has: 90s, 10m, 1h.")] = "10m",
    workers: Annotated[int, typer.Option(help="Cores.")] = 2,
    starts: Annotated[int, typer.Option(help="How often the same command is run.")] = 1,
    limit: Annotated[int | None, typer.Option(help="As if both had been given --limit.")] = None,
) -> None:
    """Print the verdict of everything, and that of each start of trust."""
    run = finished_part(folder)
    table = HitTable.of(run, limit)
    print(told("everything", decide(outcomes_of(table.judged, table.items), _seconds(run))))
    for number, game in enumerate(replayed(run, table, seconds(time), workers, starts), 1):
        (score,) = game.scores
        if score.decision is not None:
            print(told(f"start {number} of {time}", score.decision))
        sizes = {method: score.contest.documents(method, count) for method, count in score.rounds.items()}
        print(f"  documents played: {', '.join(f'{method} {size}' for method, size in sizes.items())}")
        print("".join(f"  {method}: {reason}\n" for method, reason in score.stopped.items()), end="")


def finished_part(folder: Path) -> Run:
    """A run of the first shards alone, up to one that is not there."""
    store = Store.open(folder)
    (pairing,) = store.plan.pairings
    done = sum(1 for _ in takewhile(lambda shard: store.trouble(shard.name) is None, pairing.shards))
    part = structs.replace(pairing, cuts=pairing.cuts[: done + 1])
    return Run(Store(folder, structs.replace(store.plan, pairings=(part,))))


def _seconds(run: Run) -> dict[str, float]:
    (pairing,) = run.plan.pairings
    return {method: cost.seconds for method, cost in run.costs(pairing.id).items()}


def _shares(costs: Mapping[str, MethodCost]) -> dict[str, float]:
    """Of what each team takes: no more than its methods alone take, nor than all of their kind took in the run."""
    shares: dict[str, float] = {}
    for team in teams(costs):
        kind = type(METHODS[team[0]])
        together = sum(cost.together for label, cost in costs.items() if type(METHODS[label]) is kind)
        whole = min(sum(costs[label].seconds for label in team), together)
        shares |= dict.fromkeys(team, whole / len(team))
    return {label: shares[label] for label in costs}


@dataclass(frozen=True, eq=False)
class HitTable:
    """What a run's methods did, in the order of rounds."""

    judged: Judged
    items: tuple[Item, ...]

    @staticmethod
    def of(run: Run, limit: int | None = None) -> "HitTable":
        """Of the documents that are there; a ``limit`` takes those that it would have taken of the corpus."""
        (pairing,) = run.plan.pairings
        seed, judged, items = run.plan.settings["seed"], judge(run, pairing.id), run.items(pairing.set)
        rows = {key: row for row, key in enumerate(judged.keys)}
        taken = items if limit is None else sample(items, limit, seed)
        ordered = tuple(item for item in in_random_order(taken, seed) if item.key in rows)
        order = [rows[item.key] for item in ordered]
        hits = {part: values[order] for part, values in judged.hits.items()}
        return HitTable(replace(judged, keys=tuple(item.key for item in ordered), hits=hits), ordered)


def replayed(run: Run, table: HitTable, limit: float, workers: int, starts: int) -> Iterator[DrawnLevels]:
    """The game after each start."""
    (pairing,) = run.plan.pairings
    contest, shares = contest_of(pairing, len(table.items), teams(pairing.labels)), _shares(run.costs(pairing.id))
    looks = ReplayedLooks(contest, table.judged, table.items)
    score = Score(contest, looks, CostModel(shares), dict.fromkeys(shares, 0))
    game = DrawnLevels([score], workers, limit - KEPT_BACK, MARGIN, shares, _seconds(run))
    for _ in range(starts):
        game = replace(game, spent=0.0)
        game.play()
        yield game


def told(which: str, decision: Decision) -> str:
    lists = {name: getattr(decision, name) for name in ("group", "unproven", "avoid", "good", "open")}
    words = "".join(f"\n  {name} ({len(names)}): {', '.join(names)}" for name, names in lists.items())
    return f"{which}: {decision.status}, choice {decision.choice}, {decision.documents} documents{words}"


if __name__ == "__main__":
    main(app)
