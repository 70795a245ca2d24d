"""The notebook runs as it stands, and what it shows is drawn by the one renderer."""

import re
from pathlib import Path
from typing import Any

import html5lib
import nbformat
import pytest
from nbclient import NotebookClient

PATH = Path(__file__).parent.parent / "examples" / "quickstart.ipynb"


@pytest.fixture(scope="module")
def stored() -> Any:
    return nbformat.read(PATH, as_version=4)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run from the first cell to the last in an empty folder, warnings being errors."""
    notebook = nbformat.read(PATH, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    strict = nbformat.v4.new_code_cell("import warnings; warnings.simplefilter('error')")
    notebook.cells.insert(0, strict)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return notebook


def displayed(notebook: Any, code: str) -> Any:
    """What the cell that ends in this code shows, as HTML."""
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.endswith(code))
    (output,) = (output for output in cell.outputs if output.output_type == "execute_result")
    return html5lib.parseFragment(output.data["text/html"], namespaceHTMLElements=False)


def test_it_is_stored_with_results_and_without_places(stored: Any) -> None:
    """As python -m experiments.pages.notebook leaves it."""
    nbformat.validate(stored)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert all(cell.outputs for cell in code[1:])
    assert "/" not in "".join(cell.source for cell in code).replace(' / "', "")
    assert not re.search(r"/(home|root|tmp|usr|work)\b", PATH.read_text("utf8"))
    assert PATH.stat().st_size < 300_000


def test_what_is_stored_is_what_it_shows(stored: Any, executed: Any) -> None:
    """Sentences and tables; digits may differ from one processor to another."""
    shown = [[output.output_type for output in cell.outputs] for cell in executed.cells[1:] if cell.cell_type == "code"]
    assert shown == [
        [output.output_type for output in cell.outputs] for cell in stored.cells if cell.cell_type == "code"
    ]
    assert _without_digits(displayed(stored, "explanation")) == _without_digits(displayed(executed, "explanation"))


def _without_digits(tree: Any) -> str:
    return re.sub(r"[-−.\d]", "", "".join(tree.itertext()))


def test_every_cell_runs(executed: Any) -> None:
    outputs = [output for cell in executed.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


def test_the_network_learned_something(executed: Any) -> None:
    printed = next(
        output.text
        for cell in executed.cells
        for output in cell.get("outputs", ())
        if "right about" in output.get("text", "")
    )
    assert float(printed.split()[2].rstrip("%")) > 95


def test_an_explanation_is_heat_maps(executed: Any) -> None:
    words = ["the", "dancers", "that", "sell", "the", "old", "computer", "to", "your", "sister", "always"]
    for code, at_least in (("explanation", 5), ("target=other)[0]", 22)):
        tree = displayed(executed, code)
        maps = [node for node in tree.iter("div") if node.get("class") == "whichword-heatmap"]
        assert len(maps) >= at_least
        assert all([span.text for span in heatmap.iter("span")] == words for heatmap in maps)


def test_the_table_and_the_recommendation(executed: Any) -> None:
    rows = ["".join(row.itertext()) for row in displayed(executed, "results").iter("tr")]
    for method in ("limsse_ms_s", "lrp", "random"):
        assert any(method in row for row in rows)
    advice = "".join(displayed(executed, "recommend(results)").itertext())
    assert re.search(r"qlstm on grammar: (Use \w+|Cannot tell yet): ", advice)
    assert "What the games cannot tell" in advice


def test_trust_says_what_to_use_or_that_it_cannot_tell(stored: Any, executed: Any) -> None:
    for notebook in (stored, executed):
        words = "".join(displayed(notebook, "\nverdict").itertext())
        assert re.search(r"topics on \S+: (Use \w+|Cannot tell yet): ", words)
