"""The LaTeX that tables and figures write, compiled by pdflatex (apt-get install texlive-latex-recommended)."""

import shutil
import subprocess
from pathlib import Path

import pytest
from synthetic_run import Recipe, make_run

from whichword.render import latex
from whichword.render.heatmap import heatmap
from whichword.reporting.figures import DRAWINGS, figure
from whichword.reporting.tabulate import table
from whichword.runs.run import open_run

pytestmark = pytest.mark.slow

HOSTILE = ("\\end{table}", "50%", "$x_1^2$", "#&~", "{", "}", "[a]", "*", "--", "<>|\"'`", "\x1b[0m", "é", "ß", "C++")
PAGE = """\\documentclass{article}
\\usepackage{graphicx}
%s\\begin{document}
%s
\\end{document}
"""


@pytest.fixture(scope="module")
def pdflatex() -> str:
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("pdflatex is missing (apt-get install texlive-latex-recommended)")
    return program


def compiled(pdflatex: str, body: str, folder: Path) -> bytes:
    (folder / "page.tex").write_text(PAGE % (latex.PREAMBLE, body), "utf8")
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout.decode("utf8", "replace")[-2000:]
    return (folder / "page.pdf").read_bytes()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    base = tmp_path_factory.mktemp("runs")
    words = tuple(word for word in HOSTILE if word.isprintable())
    agreement = Recipe(documents=40, game="agreement", classes=("singular", "plural"), model="gru_50%")
    return [
        make_run(base / "one", Recipe(documents=40, words=words)),
        make_run(base / "two", agreement, seed=1),
    ]


def test_a_table_compiles(pdflatex: str, runs: list[Path], tmp_path: Path) -> None:
    text = table(runs).to("latex")
    assert r"\tiny number,{} \\ \tiny wrong predictions \\ \tiny {[}hit\_feat\_wrong{]}" in text
    assert compiled(pdflatex, text, tmp_path).startswith(b"%PDF")


def test_a_figure_compiles(pdflatex: str, runs: list[Path], tmp_path: Path) -> None:
    run = open_run(runs[0])
    drawing = DRAWINGS["latex"](figure(run, run.items("s00")[0].key))
    assert isinstance(drawing, str)
    assert compiled(pdflatex, drawing, tmp_path).startswith(b"%PDF")


def test_any_word_compiles(pdflatex: str, tmp_path: Path) -> None:
    """Every printable character of ASCII and Latin-1, with every style, and paragraphs in a row."""
    words = [*HOSTILE, *(chr(code) for code in (*range(0x21, 0x7F), *range(0xA1, 0x100)) if code != 0xAD)]
    values = [(-1) ** t * t for t in range(len(words))]
    text = "\n\n".join([" ".join(words[:9]), " ".join(words[9:])])
    cells = heatmap(words, values, marks=range(0, 200, 3), rmax=3, unknown=[t % 5 == 0 for t in values], text=text)
    unfinished = heatmap(["a", "b"], [float("nan"), float("inf")])
    body = latex.stacked({"lrp": cells, "limsse_ms_s[samples=3]": cells, "a_%": unfinished})
    assert compiled(pdflatex, body, tmp_path).startswith(b"%PDF")
