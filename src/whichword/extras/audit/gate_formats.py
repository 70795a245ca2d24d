"""The gate's checks for people, for build servers (JUnit XML) and for GitHub's summary page."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from whichword.extras.audit.gate import FAILED, PASSED, SKIPPED, GateCheck
from whichword.render import escape

SIGNS = {PASSED: "ok", FAILED: "FAILED", SKIPPED: "--"}
MARKS = {PASSED: "✅", FAILED: "❌", SKIPPED: "➖"}


def is_green(checks: Sequence[GateCheck]) -> bool:
    """Something was checked, and nothing failed."""
    return not any(check.outcome == FAILED for check in checks) and any(check.outcome == PASSED for check in checks)


def verdict_line(checks: Sequence[GateCheck]) -> str:
    counts = Counter(check.outcome for check in checks)
    parts = [f"{counts[outcome]} {outcome}" for outcome in (PASSED, FAILED, SKIPPED) if counts[outcome]]
    return f"gate {'passed' if is_green(checks) else 'failed'}: {', '.join(parts)}"


def text(checks: Sequence[GateCheck]) -> str:
    lines = []
    for column, group in groupby(checks, key=lambda check: check.column):
        lines.append(escape.terminal(column))
        lines += [escape.terminal(f"  {SIGNS[check.outcome]:6} {check.name}: {check.words}") for check in group]
    return "\n".join([*lines, verdict_line(checks)])


def summary(checks: Sequence[GateCheck]) -> str:
    """Markdown, for ``$GITHUB_STEP_SUMMARY``."""
    rows = [
        f"| {MARKS[check.outcome]} | {escape.markdown(check.column)} | {escape.markdown(check.name)} "
        f"| {escape.markdown(check.words)} |"
        for check in checks
    ]
    head = ["### Explanations: " + verdict_line(checks), "", "| | model, corpus, game | check | |", "|---|---|---|---|"]
    return "\n".join([*head, *rows]) + "\n"


def junit(checks: Sequence[GateCheck]) -> str:
    """One test case per check."""
    counts = Counter(check.outcome for check in checks)
    numbers = {"tests": len(checks), "failures": counts[FAILED], "errors": 0, "skipped": counts[SKIPPED]}
    suite = ElementTree.Element("testsuite", {"name": "whichword gate"} | {k: str(v) for k, v in numbers.items()})
    for check in checks:
        case = ElementTree.SubElement(suite, "testcase", {"classname": check.column, "name": check.name})
        kind = {FAILED: "failure", SKIPPED: "skipped"}.get(check.outcome)
        if kind:
            ElementTree.SubElement(case, kind, {"message": check.words})
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
