"""Names and paths are printed as text: no code in them is obeyed, and what is to be copied can be copied."""

import shlex
from pathlib import Path

import pytest
from command_runner import Runner
from random_network import saved_network


@pytest.mark.parametrize("folder", ["my models", "it's", "$HOME", ":smile:", "[bold]x", "\x1b[31mred", "half\udcff"])
def test_a_path_of_any_name(run: Runner, tmp_path: Path, folder: str) -> None:
    """Trained in, explained from, and proposed for copying."""
    data = tmp_path / "reviews.csv"
    data.write_text("text,label\n" + "".join(f"a good film {n},yes\na bad film {n},no\n" for n in range(20)))
    out = tmp_path / folder
    done = run("train", str(data), "--network", "linear", "--epochs", "1", "--embedding", "2", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    (proposed,) = (line.removeprefix("next: ") for line in done.stdout.splitlines() if line.startswith("next: "))
    if folder.isprintable():
        assert shlex.split(proposed) == ["whichword", "explain", str(out), "A text of yours."]
        assert folder in done.stdout
    assert run("explain", str(out), "a good film", "-m", "last").returncode == 0
    again = run("train", str(data), "--network", "linear", "--epochs", "2", "--embedding", "2", "--out", str(out))
    assert again.returncode == 2
    assert "holds another training" in again.stderr
    assert "\x1b" not in again.stderr
    assert folder in again.stderr or not folder.isprintable()


def test_no_test_part_is_no_accuracy(run: Runner, tmp_path: Path) -> None:
    data = tmp_path / "reviews.csv"
    data.write_text("text,label,part\na,yes,train\nb,no,train\na,yes,heldout\nb,no,heldout\n")
    out = tmp_path / "model"
    done = run("train", f"{data}[part=part]", "--network", "linear", "--epochs", "1", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "test none (no documents)" in done.stdout


@pytest.mark.parametrize("columns", ["0", "1", "-1", "99999999999", "²", "x"])
def test_a_terminal_that_says_nonsense_of_its_width(run: Runner, model: Path, columns: str) -> None:
    done = run("explain", str(model), "a good film", "-m", "last", env={"COLUMNS": columns})
    assert done.returncode == 0, done.stderr
    assert "good" in done.stdout


def test_texts_and_classes_hold_no_emoji_codes_and_no_markup(run: Runner, tmp_path: Path) -> None:
    folder = saved_network(tmp_path / "net", (":smile:", "[red]x[/red]"), ("a", "good", "film"))
    done = run("explain", str(folder), "a :heart: film", "-m", "last", "--target", "[red]x[/red]")
    assert done.returncode == 0, done.stderr
    assert "explained [red]x[/red]" in done.stdout
    assert ":smile:" in done.stdout or "predicted [red]x[/red]" in done.stdout
    assert "😄" not in done.stdout
    assert "❤" not in done.stdout
