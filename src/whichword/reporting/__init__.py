"""What a run says: tables, recommendations. Reads run folders; never sees torch or a network."""

from whichword.reporting.formats import FORMATS
from whichword.reporting.table import Table
from whichword.reporting.tabulate import table
from whichword.reporting.verdict import Recommendation, recommend

__all__ = ["FORMATS", "Recommendation", "Table", "recommend", "table"]
