"""``python -m experiments.verdict``: how often the verdict is wrong or says nothing, as two tables."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from experiments.verdict.trials import SIZES, Rates, at_once, in_rounds
from experiments.verdict.worlds import WORLDS
from whichword.cli.app import main
from whichword.errors import InputError

ROUNDS = "Rounds with stops, run and run again, {} games per cell; errors at any look, so at any time to stop"
MARKS = ("<!-- simulation -->", "<!-- end of simulation -->")
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def simulate(
    trials: Annotated[int, typer.Option(help="Simulated games per world and size.")] = 400,
    rounds: Annotated[
        int, typer.Option(help="Games per world and size that are played in rounds, as trust does.")
    ] = 100,
    seed: Annotated[int, typer.Option(help="Same seed, same tables.")] = 0,
    into: Annotated[Path | None, typer.Option(help="A Markdown file that takes the tables between its marks.")] = None,
) -> None:
    """Simulate games whose truth is known, and count what the verdict says of them."""
    console = Console(stderr=True, highlight=False)
    once: dict[str, Mapping[int, Rates]] = {}
    repeated: dict[str, Mapping[int, Rates]] = {}
    for world in WORLDS:
        console.print(world.name, markup=False)
        once[world.name] = {size: at_once(world, size, trials, seed) for size in SIZES}
        repeated[world.name] = {size: in_rounds(world, size, rounds, seed + 1) for size in SIZES}
    lines = [*_table(f"One look, {trials} games per cell", once), "", *_table(ROUNDS.format(rounds), repeated)]
    _put("\n".join(lines), into)


def _table(title: str, rates: Mapping[str, Mapping[int, Rates]]) -> Iterator[str]:
    """A row per world; a cell: named a method worse by 5 / by 10 points, named none, falsely to be avoided."""
    yield f"**{title}**"
    yield ""
    yield f"| truth | {' | '.join(f'{size:,} documents' for size in SIZES)} |"
    yield f"|---|{'---|' * len(SIZES)}"
    for name, by_size in rates.items():
        yield f"| {name} | {' | '.join(_cell(by_size[size]) for size in SIZES)} |"
    worst = [_worst([by_size[size] for by_size in rates.values()]) for size in SIZES]
    yield f"| **largest error** | {' | '.join(worst)} |"


def _cell(rates: Rates) -> str:
    return f"{_percent(rates.wrong_by_five)} / {_percent(rates.wrong_by_ten)}; none {_percent(rates.abstains)}"


def _worst(rates: list[Rates]) -> str:
    five, ten = max(rate.wrong_by_five for rate in rates), max(rate.wrong_by_ten for rate in rates)
    return f"{_percent(five)} / {_percent(ten)}; avoid {_percent(max(rate.falsely_avoided for rate in rates))}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"


def _put(words: str, into: Path | None) -> None:
    if into is None:
        print(words)
        return
    text = into.read_text("utf8")
    start, end = (text.find(mark) for mark in MARKS)
    if start < 0 or end < start:
        raise InputError(f"{into}: the marks {' and '.join(MARKS)} are missing")
    into.write_text(f"{text[: start + len(MARKS[0])]}\n{words}\n{text[end:]}", "utf8")


if __name__ == "__main__":
    main(app)
