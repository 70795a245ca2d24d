"""The notebook that plays a column again: what is stored in it is what is kept, and it runs as it stands."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from experiments.columns import read_results
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
PATH = ROOT / "examples" / "table" / "recompute_a_column.ipynb"


def printed(notebook: Any) -> str:
    return "".join(
        output.get("text", "") for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    )


@pytest.fixture
def stored() -> Any:
    return nbformat.read(PATH, as_version=4)


def test_it_is_stored_with_results_and_without_places(stored: Any) -> None:
    """As python -m experiments.pages.notebook --path leaves it."""
    nbformat.validate(stored)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert all(cell.outputs for cell in code[1:])
    assert not re.search(r"/(home|root|tmp|usr|work)\b", PATH.read_text("utf8"))
    assert PATH.stat().st_size < 300_000


def test_what_is_stored_is_the_column_that_is_kept(stored: Any) -> None:
    kept = read_results(ROOT / "experiments" / "modern" / "results")["M34"]
    assert f"digest {kept.digest[:12]}: equal to the one that is kept" in printed(stored)
    for method, figure in kept.figures.items():
        assert re.search(rf"^{re.escape(method)} +{figure.hits:.1f} of {figure.total} ", printed(stored), re.MULTILINE)


@pytest.mark.slow
def test_it_runs(stored: Any, tmp_path: Path) -> None:
    NotebookClient(stored, timeout=1200, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert re.search(r"M34: \d+ of 200 documents count, digest [0-9a-f]{12}: ", printed(stored))
