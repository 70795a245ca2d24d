"""What a run says: tables, recommendations. Reads run folders; never sees torch or a network."""

from whichword.report.formats import FORMATS
from whichword.report.recommendation import Recommendation, recommend
from whichword.report.table import Table, table

__all__ = ["FORMATS", "Recommendation", "Table", "recommend", "table"]
