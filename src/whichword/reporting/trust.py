"""Play what fits into the time, decide, write the report: `whichword trust` and `whichword.trust`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whichword.errors import InputError, SettingError
from whichword.planning.spec import Play, Spec
from whichword.reporting.table import Case
from whichword.reporting.tabulate import table
from whichword.reporting.verdict import Advice, Recommendation, recommend
from whichword.statistics.decision import MARGIN

if TYPE_CHECKING:
    from whichword.model import Model
    from whichword.playing.progress import Watch
    from whichword.workers.tasks import Hands

REPORT = "report.html"
TIME_LIMIT = 600.0  # seconds, where none is given and everything would take longer


@dataclass(frozen=True)
class Verdict:
    """What was decided, and where it stands. ``advice`` is one entry per model and corpus."""

    recommendation: Recommendation
    cases: tuple[Case, ...]
    run: Path
    report: Path

    @property
    def advice(self) -> tuple[Advice, ...]:
        return self.recommendation.advice

    @property
    def unfinished(self) -> bool:
        """Whether methods were stopped, or had no time, before all documents were played."""
        return any(case.unplayed for case in self.cases)

    def to_json(self) -> list[dict[str, Any]]:
        """An object per model: status, group, choice, avoid, needed."""
        return [advice.to_json() for advice in self.advice]

    def __str__(self) -> str:
        return f"{self.recommendation}\nreport: {self.report}"

    def _repr_html_(self) -> str:
        return self.recommendation._repr_html_()


def trust(
    model: Model | str,
    texts: Sequence[str],
    labels: Sequence[str],
    *,
    methods: Iterable[str] | str = "all",
    game: str | None = None,
    classes: Mapping[str, str] | None = None,
    out: str | Path | None = None,
    time: float | None = None,
    margin: float = MARGIN,
    seed: int = 0,
) -> Verdict:
    """Find out which explanation method can be trusted for this model on texts like these.

    ``model``: what `load` or `wrap` gave, or the spelling of one. ``labels``: the class of each text, by the names of
    the model's classes, or ``classes`` says which label is which class. ``game``: None, the one that fits.
    ``out``: the run's folder; None: a temporary one. ``time``: seconds at most; None: ten minutes where everything
    would take longer. ``margin``: how much worse than the best, in shares of documents, a choice may be.
    """
    folder = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="whichword-")) / "run"  # kept: the report
    names = (methods,) if isinstance(methods, str) else tuple(methods)  # a string would become its letters
    with _spelling(model) as spelling, _corpus(texts, labels) as corpus:
        label = "model" if spelling.startswith("live:") else Path(spelling).name  # a model in memory has no name
        play = Play((label,), (corpus,), (game,) if game else (), names, None, classes or {})
        return decided(Spec({label: spelling}, (play,), seed), folder, margin=margin, time_limit=time)


def decided(
    spec: Spec,
    folder: Path,
    hands: Hands | None = None,
    watch: Watch | None = None,
    margin: float = MARGIN,
    time_limit: float | None = None,
) -> Verdict:
    """Play the spec's games, in rounds where everything would take longer than the time there is; then decide."""
    from whichword.rounds.rounds import play_within  # loads torch, which reading a verdict does not need
    from whichword.workers.tasks import Hands

    check_margin(margin)
    play_within(spec, folder, hands or Hands(), watch, time_limit or TIME_LIMIT, time_limit is not None, margin)
    return verdict_of(folder, margin)


def verdict_of(folder: Path, margin: float = MARGIN) -> Verdict:
    """Return the verdict of a run that is there, and write its report."""
    from whichword.reporting.page.page import write_report  # the longest chain of imports, and only reports need it

    report = folder / REPORT
    write_report([folder], report, margin=margin)
    results = table([folder], margin)
    return Verdict(recommend(results), results.cases, folder, report)


def check_margin(margin: float) -> float:
    """Refuse a margin unless it is a share of documents that a method can be worse by."""
    if not 0 < margin < 1:  # refuses nan too
        raise SettingError(f"the margin must lie between 0 and 1 (100 points), not {margin:g}")
    return margin


@contextmanager
def _spelling(model: Model | str) -> Iterator[str]:
    if isinstance(model, str | Path):
        yield str(model)
        return
    from whichword.models.loaders_foreign import LIVE

    with LIVE.spelled(model) as spelling:  # lets go of the model afterwards
        yield spelling


@contextmanager
def _corpus(texts: Sequence[str], labels: Sequence[str]) -> Iterator[str]:
    """Write the texts as a corpus that is nothing but test part."""
    if len(texts) != len(labels):
        raise InputError(f"there are {len(texts)} texts, but {len(labels)} labels")
    if not texts:
        raise InputError("there is no text")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.jsonl"
        rows = ({"text": text, "label": label, "part": "test"} for text, label in zip(texts, labels, strict=True))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf8")
        yield f"{path}[part=part]"  # the column that says so
