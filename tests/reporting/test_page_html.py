"""The page itself, read by a real HTML parser: it loads nothing, runs nothing else, and text stays text."""

import base64
import hashlib
import json
import random
import re

import html5lib
import pytest
from synthetic_run import Recipe, make_run

from whichword.cli.commands import app
from whichword.errors import InputError
from whichword.render import escape
from whichword.reporting.page import assets as page_assets
from whichword.reporting.page import page
from whichword.reporting.page.page import report_page, write_report

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "{{7*7}}{% raw %}",
    "&lt;b&gt;",
    "javascript:alert(1)",
    "\u2028\u2029\u202e",
    "=cmd|' /C calc'!A0",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("h") / "<b>run & 'co'"
    recipe = Recipe(
        words=HOSTILE,
        classes=HOSTILE[:3],
        methods=("lrp", *HOSTILE[:5]),
        model=HOSTILE[0],
        corpus=HOSTILE[2],
        note=HOSTILE[1],
    )
    return report_page([make_run(folder, recipe)])


def tree(text):
    return html5lib.parse(text, namespaceHTMLElements=False)


def test_nothing_is_loaded(hostile):
    root = tree(hostile)
    for node in root.iter():
        assert node.get("src") is None
        assert node.get("srcset") is None
        assert (node.get("href") or "#").startswith(("#", "data:,"))
        assert not [name for name in node.attrib if str(name).startswith("on")]
    style = "".join(node.text or "" for node in root.iter("style"))
    assert "url(" not in style
    assert "@import" not in style


def test_only_our_scripts_run(hostile):
    root = tree(hostile)
    policy = root.find("head/meta[@http-equiv='Content-Security-Policy']").get("content")
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe-inline" not in policy.split("style-src")[0]
    programs = [node.text for node in root.iter("script") if node.get("type") is None]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in programs]
    assert re.findall("'sha256-([^']+)'", policy) == hashes
    assert len(programs) == 3
    others = {node.get("type") for node in root.iter("script")} - {None}
    assert others == {"application/json", "application/octet-stream"}


def test_the_policy_comes_before_anything_it_must_govern(hostile):
    head = tree(hostile).find("head")
    tags = [(node.tag, node.get("http-equiv")) for node in head]
    assert tags.index(("meta", "Content-Security-Policy")) < min(
        i for i, (tag, _) in enumerate(tags) if tag in ("style", "link", "script")
    )


def test_hostile_names_stay_text(hostile):
    root = tree(hostile)
    shown = "".join(root.itertext())
    for name in (HOSTILE[0], HOSTILE[2], "<b>run & 'co'"):
        assert name in shown
    assert root.find(".//img") is None
    assert root.find(".//main//svg") is None
    data = json.loads(root.find(".//script[@id='report-data']").text)
    assert data["pairings"][0]["model"] == HOSTILE[0]
    assert set(data["pairings"][0]["methods"]) >= set(HOSTILE[:5])
    assert data["pairings"][0]["classes"] == list(HOSTILE[:3])


def test_ten_thousand_generated_texts_through_template_and_script():
    dice = random.Random(5)
    pieces = [
        *HOSTILE,
        "<",
        ">",
        "&",
        '"',
        "'",
        "]]>",
        "--",
        "é",
        "语",
        "\U0001f600",
        "\x7f",
        "\t",
        "\n",
        "a",
        " ",
        "\\",
        "</",
        "{{",
        "}}",
    ]
    texts = ["".join(dice.choices(pieces, k=dice.randint(1, 6))) for _ in range(10_000)]
    template = page._environment().from_string(
        '{% for text in texts %}<i title="{{ text }}">{{ text }}</i>{% endfor %}'
        '<script type="application/json">{{ data }}</script>'
    )
    made = template.render(texts=texts, data=page.Markup(escape.script(texts)))
    fragment = html5lib.parseFragment(made, namespaceHTMLElements=False)
    assert [node.tag for node in fragment] == ["i"] * len(texts) + ["script"]
    assert [node.text for node in fragment[:-1]] == texts
    assert [node.get("title") for node in fragment[:-1]] == texts
    assert json.loads(fragment[-1].text) == texts


def test_two_runs_in_one_page(tmp_path):
    folders = [make_run(tmp_path / name / "run", Recipe(documents=12, methods=("lrp", "omit_1"))) for name in "ab"]
    data = json.loads(tree(report_page(folders)).find(".//script[@id='report-data']").text)
    assert [(one["name"], one["set"], one["run"]) for one in data["pairings"]] == [
        ("p0", "s0", "run (1)"),
        ("p1", "s1", "run (2)"),
    ]


def test_the_same_run_gives_the_same_page(tmp_path):
    folder = make_run(tmp_path / "run", Recipe(documents=12, methods=("lrp", "omit_1")))
    assert report_page([folder]) == report_page([folder])


def test_the_file_appears_whole_or_not_at_all(tmp_path):
    folder = make_run(tmp_path / "run", Recipe(documents=5, methods=("lrp",)))
    out = tmp_path / "report.html"
    assert write_report([folder], out) == out.stat().st_size
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["report.html", "run"]
    with pytest.raises(InputError, match="cannot be written"):
        write_report([folder], tmp_path / "absent" / "report.html")


def test_no_run_is_one_line(tmp_path):
    with pytest.raises(InputError, match="holds no run"):
        report_page([tmp_path])


def test_the_libraries_are_those_that_the_documentation_names():
    for name in page.LIBRARIES:
        text = page_assets.asset(name)
        assert "</script" not in text
        assert "<!--" not in text
    assert page_assets.asset("vendor/plot.min.js").startswith("// @observablehq/plot v0.6.17 ")
    assert page_assets.asset("vendor/d3.min.js").startswith("// https://d3js.org v7.9.2 ")


def test_command_line(tmp_path):
    from typer.testing import CliRunner

    import whichword.cli.commands

    assert whichword.cli.commands
    folder = make_run(tmp_path / "run", Recipe(documents=5, methods=("lrp",)))
    result = CliRunner().invoke(app, ["report", str(folder), "--out", str(tmp_path / "r.html")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "r.html").read_text("utf8").startswith("<!doctype html>")
