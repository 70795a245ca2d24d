"""RESULTS.md and growth.svg from the runs that are kept: ``python -m benchmarks.page`` writes them again."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks import growth, memory, sharing
from benchmarks.results import FOLDER, Line, Results, kept

Rows = Sequence[Sequence[Line]]  # a row of the table: what each of the runs found


def write(folder: Path = FOLDER) -> None:
    runs = kept()
    growth.draw(runs[-1].growth, folder / "growth.svg")
    (folder / "RESULTS.md").write_text("\n\n".join(text(runs)) + "\n", encoding="utf8")


def text(runs: Sequence[Results]) -> list[str]:
    last = runs[-1]
    return [
        "# Side by side with the peers",
        _intro(runs),
        _table(runs, False, "the peer's time over ours"),
        "Our own cost in forward passes of the same network, the forward pass being our fastest:",
        _table(runs, True, "forward passes"),
        *last.remarks,
        *_sharing(last),
        "## One long document",
        memory.TEXT,
        *[f"Run {began}:\n\n{memory.table(rows)}" for began, rows in ((each.began, each.memory) for each in runs)],
        "## Growth with the length of a document",
        "Milliseconds a document and family, all of its methods together, in the later run.",
        "![cost by length](growth.svg)",
        growth.table(last.growth),
    ]


def _sharing(run: Results) -> list[str]:
    """A quick run leaves it out."""
    said = "One document, in the later run. Methods that have no pass in common gain nothing by being asked together:"
    return ["## What the methods of a family share", said, sharing.table(run.sharing)] if run.sharing else []


def _intro(runs: Sequence[Results]) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in runs[-1].machine.items())
    command = "make bench QUICK=1" if runs[-1].quick else "make bench"
    return (
        f"Written by `{command}`; runs of {' and '.join(run.began for run in runs)} (UTC). {machine}. One thread, CPU "
        "seconds, ours and the peer in turns in one process, on the same network and documents; medians, and the "
        "smallest and largest ratio in brackets. Machines differ: only ratios count, and one under 1.5 is a tie."
    )


def _table(runs: Sequence[Results], at_most: bool, ratio: str) -> str:
    names = [f"{ratio}, run {number}" for number in range(1, len(runs) + 1)] if len(runs) > 1 else [ratio]
    head = ("network", "what", "against", "bar", *names, "passed", "ms a document (ours)", "the same?")
    rows = [_row(lines) for lines in _matched(runs) if lines[-1].at_most == at_most]
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *rows])


def _matched(runs: Sequence[Results]) -> Rows:
    """The rows of the last run, each with what the runs before it found."""
    found = [{line.name: line for line in run.lines} for run in runs]
    return [[by[name] for by in found if name in by] for name in found[-1]]


def _row(lines: Sequence[Line]) -> str:
    last, passed = lines[-1], all(line.passed for line in lines)
    outcome = "" if last.bar is None else "yes" if passed else "**no**"
    cells = (*last.name, last.asked, *(line.spread for line in lines), outcome, f"{last.milliseconds:.3g}", last.check)
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    write()
