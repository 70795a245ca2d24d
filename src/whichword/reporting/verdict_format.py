"""Verdicts for programs: one line with a JSON object per model."""

import json

from whichword.reporting.recommendation import recommend
from whichword.reporting.table import Table


def verdict(table: Table) -> str:
    """status, group, choice, avoid, needed."""
    return "".join(json.dumps(advice.to_json(), allow_nan=False) + "\n" for advice in recommend(table).advice)
