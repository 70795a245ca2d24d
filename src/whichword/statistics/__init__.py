"""How sure a table is: intervals, paired tests, tie groups, slices, and the decision."""

from whichword.statistics.decision import for_all
from whichword.statistics.tests import resampled_means
from whichword.statistics.bounds import ALPHA, Bounds, bounds
from whichword.statistics.summaries import mean_absolute_difference, spearman
from whichword.statistics.decision import MARGIN, Decision, decide, decide_by
from whichword.statistics.tests import TieGroup, paper_marks, tie_group
from whichword.statistics.tests import Interval, wilson
from whichword.statistics.bounds import Leads, leads
from whichword.statistics.tests import holm
from whichword.statistics.bounds import BASELINES, CHANCE, Outcomes
from whichword.statistics.tests import Comparison, compare, discordant, mcnemar
from whichword.statistics.bounds import sequence
from whichword.statistics.summaries import length_bucket, slice_facts, slices

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
