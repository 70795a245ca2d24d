"""RESULTS.md and growth.svg from the runs that are stored: ``python -m benchmarks.page`` writes them again."""

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import growth, memory, pretrained_page, sharing, training, trust_cost
from benchmarks.results import ALONE, FOLDER, FORWARD, PARTS, Line, Results, Stored
from benchmarks.tables import table_of

Matched = Sequence[Sequence[Line | None]]  # a row of the table: what each of the runs measured


def write(folder: Path = FOLDER) -> None:
    stored = Stored.load()
    if grown := stored.last("growth").growth:
        growth.draw(grown, folder / "growth.svg")
    (folder / "RESULTS.md").write_text("\n\n".join(text(stored)) + "\n", encoding="utf8")


def text(stored: Stored) -> list[str]:
    latest = stored.latest
    return [
        "# Side by side with the peers",
        _intro(latest),
        *_documents(latest),
        *_rows(latest),
        *stored.last("remarks").remarks,
        *pretrained_page.section([run for run in stored.transformers if run.transformers][-1:]),
        *trust_cost.section([run.trust for run in stored.transformers if run.trust][-1:]),
        *_inner([*stored.before, *latest]),
        *_sharing(stored.having("sharing")),
        *_long(stored.having("memory")),
        *_growth(stored.last("growth")),
        *_training(stored.last("training")),
    ]


def _intro(runs: Sequence[Results]) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in runs[-1].machine.items())
    command = "make bench QUICK=1" if runs[-1].quick else "make bench"
    return (
        f"Written by `{command}`; runs of {' and '.join(map(_told, runs))} (UTC). {machine}. One thread, CPU "
        "seconds, ours and the peer in turns in one process, on the same network and documents; medians, and the "
        "smallest and largest ratio in brackets. Machines differ: only ratios count, and one under 1.5 is a tie. Ours "
        "is `whichword.explain` from lists of words on, with reading, folding, prediction and the explanations it "
        "returns; the peer begins with word ids in tensors of equal length, looks them up and predicts too."
    )


def _told(run: Results) -> str:
    return run.began if run.finished else f"{run.began} (broken off: what it lacks is left empty)"


def _documents(runs: Sequence[Results]) -> list[str]:
    workloads = {network: told for run in runs for network, told in run.workloads.items()}
    texts = ["\n".join(f"- {network}: {told}" for network, told in workloads.items())]
    quick = ["A quick run takes a quarter of them, but for lrp, deeplift and decomp."]
    return [*texts, *(quick if runs[-1].quick else [])]


def _rows(runs: Sequence[Results]) -> list[str]:
    """The three kinds of rows."""
    return [
        _table(runs, lambda line: not line.at_most, "the peer's time over ours"),
        "`explain` with one cheap method, in forward passes of the same network (not folded, documents read):",
        _table(runs, lambda line: line.against == FORWARD, "forward passes"),
        "What `explain` adds: its time over that of the method alone and one forward pass, both on a folded network "
        "and on batches of documents that are read, without anything that the two could share:",
        _table(runs, lambda line: line.against == PARTS, "our time over the parts'"),
    ]


def _table(runs: Sequence[Results], belongs: Callable[[Line], bool], ratio: str) -> str:
    ratios = [f"{ratio}, run {number}" for number in range(1, len(runs) + 1)] if len(runs) > 1 else [ratio]
    head = ("network", "what", "against", "bar", *ratios, "passed", "ms per document (ours)", "the same?")
    return table_of(head, [_row(lines) for lines in _matched(runs) if any(line and belongs(line) for line in lines)])


def _matched(runs: Sequence[Results]) -> Matched:
    """The rows of all runs, in the order of the first."""
    by_name = [{line.name: line for line in run.lines} for run in runs]
    names = dict.fromkeys(name for lines in by_name for name in lines)
    return [[lines.get(name) for lines in by_name] for name in names]


def _row(lines: Sequence[Line | None]) -> Sequence[str]:
    measured = [line for line in lines if line is not None]
    last, passed = measured[-1], all(line.passed for line in measured)
    outcome = "" if last.bar is None else "yes" if passed else "**no**"
    spreads = ("" if line is None else line.spread for line in lines)
    return (*last.name, last.limit, *spreads, outcome, f"{last.milliseconds:.3g}", last.check)


def _inner(runs: Sequence[Results]) -> list[str]:
    """Earlier runs too: what the methods cost does not depend on what the rows have timed."""
    times = [run.inner_times() for run in runs]
    rows = [
        (network, what, *(_milliseconds(run.get(network, {}).get(what)) for run in times))
        for network, what in dict.fromkeys((network, what) for run in times for network in run for what in run[network])
    ]
    return [
        "## The methods alone",
        "Milliseconds per document on a folded network, documents read and classes known. Runs from before "
        "`explain` was timed had fewer documents, in one batch.",
        table_of(("network", "what", *(f"run {run.began}" for run in runs)), rows),
    ]


def _milliseconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _sharing(runs: Sequence[Results]) -> list[str]:
    """A quick run leaves it out."""
    last = {network: families for run in runs for network, families in run.sharing.items()}
    told = (
        "Per document, each network in the last run that has it. Together: one call of `explain`; one by one: a call "
        "for each method, with its own reading, folding and prediction. Methods that have no pass in common gain "
        "little by being asked together:"
    )
    return ["## What the methods of a family share", told, sharing.table(last)] if last else []


def _long(runs: Sequence[Results]) -> list[str]:
    tables = [f"Run {run.began}{_earlier(run)}:\n\n{memory.table(run.memory)}" for run in runs]
    return ["## One long document", memory.TEXT, *tables] if runs else []


def _earlier(run: Results) -> str:
    """Of a run that is shown because no later one has this part."""
    return ", before `explain` was timed: the methods alone" if run.timed == ALONE else ""


def _growth(run: Results) -> list[str]:
    """A run that was broken off may have none."""
    if not run.growth:
        return []
    return [
        "## Growth with the length of a document",
        "`explain` of one document (too few words to fold the network), milliseconds per document and family, all of "
        f"its methods together, in the run of {run.began}{_earlier(run)}.",
        "![cost by length](growth.svg)",
        growth.table(run.growth),
    ]


def _training(run: Results) -> list[str]:
    """A quick run leaves it out."""
    told = "One step after the other, in the last run; see `docs/performance-training.md`:"
    return ["## Training", told, table_of(training.HEAD, run.training)] if run.training else []


if __name__ == "__main__":
    write()
