"""Runs of format 1, made before items had their text, are read as they were: by table, report and verify."""

import json
from pathlib import Path

from whichword.experiment.checking import verify
from whichword.experiment.reading import open_run
from whichword.reporting import recommend, table
from whichword.reporting.figures import figure, to_svg
from whichword.reporting.page import report_page

RUN = Path(__file__).parent / "format1"  # two untrained networks, docstrings and grammar, made by version 0.1.0


def test_its_table_is_the_one_that_its_own_version_made() -> None:
    stored = json.loads(RUN.with_suffix(".json").read_text(encoding="utf8"))
    columns = table([RUN]).columns
    counted = [
        [column.model, column.part, method, round(cell.tally.hits, 6), cell.tally.total]
        for column in columns
        for method, cell in column.cells.items()
    ]
    assert counted == stored
    assert len(recommend(table([RUN])).advice) == 2


def test_every_byte_is_sound() -> None:
    findings = verify(RUN)
    assert findings.sound
    assert findings.unplanned == ()


def test_the_words_joined_by_spaces_are_the_text() -> None:
    run = open_run(RUN)
    items = [item for played in run.plan.sets for item in run.items(played.id)]
    assert len(items) == 42
    assert all(item.text == " ".join(item.words) for item in items)


def test_report_and_figure() -> None:
    run = open_run(RUN)
    item = run.items(run.plan.sets[0].id)[0]
    page = report_page([RUN])
    assert item.key in to_svg(figure(run, item.key))
    assert "words from fragments of the predicted class" in page
    assert "number, wrong predictions" in page
