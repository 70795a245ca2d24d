"""``whichword trust``: say which method can be trusted, in one command and in the time there is."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from whichword.cli.evaluate import typed_spec
from whichword.cli.options import (
    DECIDING_GAMES,
    AllMethods,
    BatchWords,
    ClassNames,
    ClusterAddress,
    CorpusNames,
    DataFolder,
    DocumentLimit,
    ExecutorName,
    Plugins,
    RunOut,
    Seed,
    Workers,
    command,
    games_option,
    models_argument,
    option,
    say,
)
from whichword.errors import SettingError
from whichword.registry import announce
from whichword.workers.tasks import Hands

if TYPE_CHECKING:
    from whichword.planning.spec import Spec
    from whichword.reporting.trust import Verdict

_TIME = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<unit>s|m|h|)")
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def trust(
    models: Annotated[list[str], models_argument()],
    corpus: CorpusNames = None,
    game: Annotated[list[str] | None, games_option(DECIDING_GAMES)] = None,
    method: AllMethods = None,
    classes: ClassNames = None,
    limit: DocumentLimit = None,
    time: Annotated[
        str | None,
        option("--time", help="How long at most: 90s, 10m, 1h. [default: 10m, where everything would take longer]"),
    ] = None,
    margin: Annotated[
        float, option("--margin", help="Points of accuracy that a choice may be worse than the best.")
    ] = 5.0,
    json: Annotated[bool, option("--json", help="One JSON object per model, and nothing else.")] = False,
    seed: Seed = 0,
    plugin: Plugins = None,
    batch_words: BatchWords = None,
    data: DataFolder = None,
    out: RunOut = Path("trust"),
    workers: Workers = None,
    executor: ExecutorName = None,
    address: ClusterAddress = None,
) -> None:
    """Say which explanation method to trust for a model, or that none is proven yet.

    Plays the game that fits the corpus with every method, decides, and writes a report into the run's folder. A
    method is named only where it is shown to be within the margin of the best. Run the same command again to resume,
    or to sharpen the answer.

    Examples:
      whichword trust models/reviews-lstm --corpus reviews.csv
      whichword trust hf:models/minilm --corpus docstrings --time 10m --json
      whichword trust models/reviews-lstm --corpus reviews.csv --executor ray --address local
    """
    announce(plugin or [])
    spec = typed_spec(models, corpus, game, method, classes, limit, seed, batch_words, data)
    hands = Hands.of(workers, executor, address)
    verdict = _play(spec, out, hands, margin / 100, None if time is None else seconds(time))  # typed in points
    _print(verdict, json, models[0])


def seconds(spelling: str) -> float:
    """Parse ``90s``, ``10m``, ``1.5h``, or a number of seconds."""
    match = _TIME.fullmatch(spelling.strip())
    if match is None or not 0 < float(match["number"]) < float("inf"):  # 400 digits match, and are infinity
        raise SettingError(f"--time: {spelling!r} is no time; write 90s, 10m or 1h")
    return float(match["number"]) * _SECONDS[match["unit"]]


def _play(spec: "Spec", out: Path, hands: Hands, margin: float, limit: float | None) -> "Verdict":
    from whichword.cli.progress import Display
    from whichword.reporting.trust import check_margin, decided

    check_margin(margin)  # before models are loaded
    with Display(hands.workers) as display:
        return decided(spec, out, hands, display, margin, limit)


def _print(verdict: "Verdict", as_json: bool, model: str) -> None:
    import json

    from whichword.reporting.screen import LINES, screen

    if as_json:
        for entry in verdict.to_json():  # one line each, for tools that read line by line
            print(json.dumps(entry, allow_nan=False))
        return
    print(screen(verdict.advice, LINES - 3))  # room for the two lines below and the prompt
    say(f"report: {verdict.report}")
    say(f"next: {_next(verdict, model)}")


def _next(verdict: "Verdict", model: str) -> str:
    choice = verdict.advice[0].method
    if choice:
        return command("explain", model, "A text.", "-m", choice)
    if verdict.unfinished:
        return "run the same command again: it takes up where it stopped, and can only sharpen the answer"
    return command("table", verdict.run)
