"""How sure a table is: intervals, paired tests, tie groups, slices, and the verdict."""

from whichword.statistics.bootstrap import resampled_means
from whichword.statistics.columns import mean_absolute_difference, spearman
from whichword.statistics.groups import TieGroup, paper_marks, tie_group
from whichword.statistics.intervals import Interval, wilson
from whichword.statistics.multiple import holm
from whichword.statistics.paired import Comparison, compare, discordant, mcnemar
from whichword.statistics.planning import exact_power, needed_documents
from whichword.statistics.slicing import length_bucket, slice_facts, slices
from whichword.statistics.verdicts import BASELINES, Played, Verdict, verdict

__all__ = [
    "BASELINES",
    "Comparison",
    "Interval",
    "Played",
    "TieGroup",
    "Verdict",
    "compare",
    "discordant",
    "exact_power",
    "holm",
    "length_bucket",
    "mcnemar",
    "mean_absolute_difference",
    "needed_documents",
    "paper_marks",
    "resampled_means",
    "slice_facts",
    "slices",
    "spearman",
    "tie_group",
    "verdict",
    "wilson",
]
