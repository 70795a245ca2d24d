"""The report of the demo's run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOURCE = Path(__file__).parents[2] / "src"
COMMAND = "import sys; sys.argv[0] = 'whichword'; from whichword.cli import main; main()"


def whichword(*arguments, folder):
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", COMMAND, *arguments], cwd=folder, env=environment, check=True, timeout=1800)


def test_it_opens_without_an_error_or_a_request(watched, tmp_path):
    whichword("demo", "--out", "demo", folder=tmp_path)
    whichword("report", "demo/run", "--out", "report.html", folder=tmp_path)
    page = watched.page
    page.goto((tmp_path / "report.html").as_uri())
    page.wait_for_selector("#document .heat")
    names = page.eval_on_selector_all("#view option", "all => all.map(one => one.value)")
    assert len(names) == 7
    for name in names:
        page.select_option("#view", name)
        page.wait_for_selector(f'#document[data-view="{name}"] .heat')
        maps = page.eval_on_selector_all("#document .heat", "all => all.map(one => one.textContent)")
        assert len(set(maps)) == 1
        assert len(maps) > 1
    assert watched.errors == []
    assert watched.requests == [(tmp_path / "report.html").as_uri()]
