"""The whole reproduction, step by step; each step is kept, so it can be stopped at any moment."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from experiments.columns import ColumnResult, Heading, column_of, read_results, save
from experiments.paper.options import Places
from experiments.paper.playing import Evaluate, play
from experiments.paper.spec import Playing
from experiments.paper.tallies import write_tallies
from experiments.paper.training import train_all, trained
from whichword.base.files import locked
from whichword.runs.run import Run
from whichword.runs.sealed import commit, sweep


def reproduce(places: Places, evaluate: Evaluate) -> Iterator[str]:
    """Do what is missing, group by group: train, play, keep the columns. Yields a line for each thing done."""
    playings = places.spec.playings(places.options.only)
    with locked(places.options.out):
        for _, group in groupby(playings, key=lambda playing: playing.group.name):
            some = list(group)
            if places.options.train:
                yield from train_all(places, some)
            for playing in some:
                yield _column(places, playing, evaluate)


def _column(places: Places, playing: Playing, evaluate: Evaluate) -> str:
    """Play one network and keep its columns."""
    record = trained(places, playing)
    if record is None:
        return f"{playing.name}: left out, its network is not trained yet"
    _keep_record(places, playing, record)
    run = play(places, playing, evaluate)
    kept = read_results(places.results)
    columns = playing.columns.values()
    there = all(column in kept and kept[column].run == run.plan.run for column in columns)
    for result in [] if there else _results(run, playing):
        save(result, places.results)
    write_tallies(places)
    return f"{playing.name}: {', '.join(columns)} {'were there' if there else 'done'}"


def _results(run: Run, playing: Playing) -> list[ColumnResult]:
    """The columns of a finished run."""
    headings = [Heading(name, playing.group.name, playing.network, part) for part, name in playing.columns.items()]
    return [column_of(run, heading) for heading in headings]


def _keep_record(places: Places, playing: Playing, record: dict[str, Any]) -> None:
    """Accuracies and the training log, without the paths of this machine."""
    settings = record["settings"] | {"vectors": record["identity"].get("vectors", "")}
    log = [list(epoch.values()) for epoch in record["position"]["log"]]
    position = {"best_epoch": record["position"]["best_epoch"], "log": [" ".join(map(str, line)) for line in log]}
    body = {name: record[name] for name in ("corpus", "heldout", "test")} | {"settings": settings} | position
    text = json.dumps(body, indent=1, ensure_ascii=False) + "\n"
    commit(places.results, f"networks/{playing.model}.json", text.encode("utf8"))
    sweep(places.results)
