"""One case of the verdict: a model in a game on a corpus, all parts of the game together."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from whichword.statistics.decision import Costs, Decision


@dataclass(frozen=True)
class Case:
    """One model in one game on one corpus. Without a ``decision`` no document counts, or only baselines played."""

    run: str
    model: str
    corpus: str
    game: str
    decision: Decision | None
    seconds: Costs  # per document, each method asked alone
    documents: int  # of the set, counted or not
    available: int  # of the corpus
    unplayed: Mapping[str, str] = field(default_factory=dict)  # stopped before the end, or never played, and why
    silent: str = ""  # why this game decides nothing about this model, in words; "": it does
