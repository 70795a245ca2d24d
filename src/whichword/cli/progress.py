"""Show how far a run is: a table of methods in a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Sequence

from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from whichword.cli.options import console
from whichword.playing.progress import Estimate, Line, asked_copies
from whichword.render import escape
from whichword.reporting.screen import by_title, power
from whichword.reporting.table import rate
from whichword.runs.records import Receipt, RunPlan
from whichword.runs.run import left_out

PAUSE = 15.0  # seconds between plain lines, which a log file keeps


class Display:
    """A watch that shows a table of methods in a terminal, plain lines elsewhere."""

    def __init__(self, workers: int) -> None:
        self.console = console(stderr=True)
        self.workers = workers
        self.live = Live(console=self.console, transient=True, auto_refresh=False) if sys.stderr.isatty() else None
        self.estimate: Estimate | None = None
        self.last_lines = time.monotonic()

    def __enter__(self) -> "Display":
        if self.live:
            self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self.live:
            self.live.stop()
        if kind is KeyboardInterrupt and self.estimate:  # other errors have a line of their own
            done, total = self.estimate.shards
            kept = "and they are kept: run the same command again to resume"
            self._line(f"stopped: {done} of {total} shards were made, {kept}")

    def planned(self, plan: RunPlan, todo: Sequence[str], damaged: Sequence[str]) -> None:
        self.estimate = Estimate(plan, todo, min(self.workers, len(todo)))
        for trouble in damaged:
            self._line(f"made again: {trouble}")
        for title, pairings in by_title(plan).items():
            undefined = {name: reason for pairing in pairings for name, reason in pairing.undefined.items()}
            absent = "".join(f"; {name} is n/a: {reason}" for name, reason in undefined.items())
            played, methods = plan.set(pairings[0].set), sum(len(pairing.methods) for pairing in pairings)
            gone = f"; {left_out(played.left_out)}" if played.left_out else ""
            total = sum(asked_copies(plan, pairing) for pairing in pairings)
            copies = f", about {total:,} edited copies" if total else ""
            self._line(f"{title}: {played.items} documents, {methods} methods{copies}{gone}{absent}")
        for line in power(plan):
            self._line(line)
        self._line(f"{len(plan.shards)} shards, {len(todo)} to do")

    def made(self, receipt: Receipt) -> None:
        if self.estimate is None:
            return
        self.estimate.add(receipt)
        if self.live:
            self.live.update(_dashboard(self.estimate), refresh=True)
        elif time.monotonic() - self.last_lines > PAUSE:  # monotonic: the clock of the day may be set back
            self.last_lines = time.monotonic()
            for line in _plain(self.estimate):
                self._line(line)

    def notice(self, text: str) -> None:
        self._line(text)

    def judging(self, title: str) -> None:
        if self.live:
            self.live.update(Text(f"judging {title}"), refresh=True)

    def _line(self, text: str) -> None:
        self.console.print(escape.terminal(text), soft_wrap=True)  # log files have no width


def _dashboard(estimate: Estimate) -> Group:
    done, total = estimate.shards
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("method", "documents", "per second", "left"):
        table.add_column(title, justify="left" if title == "method" else "right")
    for line in estimate.lines():
        table.add_row(Text(line.method), f"{line.done}/{line.total}", rate(line.rate), _clock(line.left))
    head = Text(f"{done} of {total} shards, {_clock(estimate.left())} left")
    return Group(table, head, ProgressBar(total, done, width=60))


def _plain(estimate: Estimate) -> list[str]:
    """Write a line for all, then one for the methods that share passes and so have one rate."""
    done, total = estimate.shards
    shared: dict[tuple[str, str], list[Line]] = {}
    for line in estimate.lines():
        shared.setdefault((rate(line.rate), _clock(line.left)), []).append(line)  # equal as they are shown
    return [f"{done} of {total} shards, {_clock(estimate.left())} left", *map(_together, shared.values())]


def _together(lines: Sequence[Line]) -> str:
    """Sum up methods with equal shares of their passes: with what is beside, the times add up."""
    speed, left, count = lines[0].rate, lines[0].left, len(lines)
    shown = rate(speed and speed / count), _clock(None if left is None else left * count)  # a speed of None stays None
    return f"  {shown[0]} documents per second, {shown[1]} left: {', '.join(line.method for line in lines)}"


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes, remainder = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{remainder:02d}" if hours else f"{minutes}:{remainder:02d}"
