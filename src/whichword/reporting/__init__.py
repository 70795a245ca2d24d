"""What a run says: tables, verdicts in words, the report's page. Reads run folders; never sees torch or a network.

takes      runs
gives      Table (columns of cells), Recommendation (the verdict in words), an HTML page
begin at   table.py (what a cell is), tabulate.py (from a run to cells), verdict.py, page/page.py
"""

from whichword.reporting.formats import FORMATS
from whichword.reporting.table import Table
from whichword.reporting.tabulate import table
from whichword.reporting.verdict import Recommendation, recommend

__all__ = ["FORMATS", "Recommendation", "Table", "recommend", "table"]
