"""How sure a table is: intervals, paired tests, tie groups, slices, and the decision.

takes      Outcomes: hits of methods and baselines on the same documents
gives      bounds on differences, and a Decision: who is shown to be good, who bad, what it would take
begin at   bounds.py (what holds at every look), decision.py (what is said of it)
"""

from whichword.statistics.bounds import ALPHA, BASELINES, CHANCE, Bounds, Leads, Outcomes, bounds, leads, sequence
from whichword.statistics.decision import MARGIN, Decision, decide, decide_by, for_all
from whichword.statistics.summaries import length_bucket, mean_absolute_difference, slice_facts, slices, spearman
from whichword.statistics.tests import (
    Comparison,
    Interval,
    TieGroup,
    compare,
    discordant,
    holm,
    mcnemar,
    paper_marks,
    resampled_means,
    tie_group,
    wilson,
)

__all__ = [
    "ALPHA",
    "BASELINES",
    "CHANCE",
    "MARGIN",
    "Bounds",
    "Comparison",
    "Decision",
    "Interval",
    "Leads",
    "Outcomes",
    "TieGroup",
    "bounds",
    "compare",
    "decide",
    "decide_by",
    "discordant",
    "for_all",
    "holm",
    "leads",
    "length_bucket",
    "mcnemar",
    "mean_absolute_difference",
    "paper_marks",
    "resampled_means",
    "sequence",
    "slice_facts",
    "slices",
    "spearman",
    "tie_group",
    "wilson",
]
