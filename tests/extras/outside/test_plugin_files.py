"""A method in one Python file: judged on a run that is there, and evaluated by processes of its own."""

from pathlib import Path

import pytest
from command_runner import Runner

import whichword
from whichword.methods import METHODS
from whichword.runs.run import open_run
from whichword.scoring.run import judge

PLUGIN = '''
from dataclasses import dataclass
from whichword.methods import METHODS

@METHODS.register("{name}")
@dataclass(frozen=True)
class WordLength:
    """phi(t) = the number of letters."""

    def explain(self, model, questions):
        values = questions.zeros()
        for row, reading in enumerate(questions.batch.readings):
            for t, word in enumerate(reading.words[: reading.seen]):
                values[row, t] = len(word)
        return values
'''


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("plugins")
    from whichword.networks import Config
    from whichword.text import Vocabulary

    whichword.Network(Config("cnn", ("singular", "plural"), 4, 3), Vocabulary(("the", "that"))).save(base / "net")
    play = whichword.Play(("net",), ("grammar",), methods=("omit_1",), limit=6)
    whichword.evaluate(whichword.Spec({"net": base / "net"}, (play,)), base / "run")
    return base


@pytest.fixture(autouse=True)
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test plugs in is gone after it."""
    monkeypatch.setenv("WHICHWORD_PLUGINS", "")
    for table in ("_entries", "_families"):
        monkeypatch.setattr(METHODS, table, dict(getattr(METHODS, table)))


def test_a_plugin_is_judged_on_a_run(run: Runner, played: Path, tmp_path: Path) -> None:
    path = tmp_path / "letters.py"
    path.write_text(PLUGIN.format(name="letters"))
    done = run("judge", str(played / "run"), "--plugin", str(path), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    result = open_run(tmp_path / "out")
    judged = judge(result, "p00")
    assert judged.methods == ("omit_1", "letters")
    for item, place in zip(result.items("s00"), judged.rmax[:, 1], strict=True):
        assert len(item.words[place]) == max(map(len, item.words))


@pytest.mark.parametrize("command", ["evaluate", "trust"])
def test_processes_load_the_plugin_too(run: Runner, played: Path, tmp_path: Path, command: str) -> None:
    name = f"letters_to_{command}"
    path = tmp_path / f"{name}.py"
    path.write_text(PLUGIN.format(name=name))
    arguments = (str(played / "net"), "--corpus", "grammar", "--limit", "6", "-m", name)
    done = run(command, *arguments, "--plugin", str(path), "--workers", "2", "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert any(entry == f"method {name}" for entry in open_run(tmp_path / "run").plan.identity)
    assert name in METHODS


def test_wrong_plugins_are_one_line(run: Runner, played: Path, tmp_path: Path) -> None:
    for number, (source, words) in enumerate({"1 / 0": "ZeroDivisionError", "x = 1": "registers no method"}.items()):
        path = tmp_path / f"wrong{number}.py"
        path.write_text(source)
        done = run("judge", str(played / "run"), "--plugin", str(path), "--out", str(tmp_path / "out"))
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
