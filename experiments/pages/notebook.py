"""``python -m experiments.pages.notebook``: run examples/quickstart.ipynb from end to end, and keep what it shows."""

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from whichword.cli.app import main as run_command

app = typer.Typer(add_completion=False)


@app.command()
def execute(
    path: Annotated[Path, typer.Option(help="The notebook.")] = Path("examples/quickstart.ipynb"),
) -> None:
    """Execute the notebook in an empty folder and store it with its outputs."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            notebook, timeout=1200, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()
    for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        _tidy(cell, number + 1)
    notebook.metadata.pop("widgets", None)
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
    print(path)


def _tidy(cell: Any, number: int) -> None:
    """Times and progress say something about the machine, not about the notebook."""
    cell.metadata.pop("execution", None)
    cell.execution_count = number
    cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    for output in cell.outputs:
        if "execution_count" in output:
            output.execution_count = number


if __name__ == "__main__":
    run_command(app)
