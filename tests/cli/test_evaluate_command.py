"""The commands: evaluate, verify, digest, table; and what an interruption says."""

import json
from pathlib import Path

import pytest
from planted_corpus import tiny_network
from typer.testing import CliRunner

from whichword.cli.commands import app
from whichword.cli.progress import Display
from whichword.errors import InputError
from whichword.planning.spec import Spec
from whichword.playing.make import evaluate
from whichword.runs.run import Run


def invoke(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def test_a_run_from_the_command_line(tmp_path: Path) -> None:
    model, out = tiny_network(tmp_path / "cnn", "cnn"), tmp_path / "run"
    command = ("evaluate", model, "--corpus", "planted", "-m", "lrp,omit_1[edges=right]", "-m", "random", "--limit", 9)
    code, said = invoke(*command, "--out", out, "--workers", 1)
    assert code == 0
    assert f"{out}: 1 shards made, 0 were there" in said
    plan = json.loads((out / "run.json").read_text())["body"]
    assert [method["label"] for method in plan["pairings"][0]["methods"]] == ["lrp", "omit_1[edges=right]", "random"]
    assert plan["sets"][0]["game"] == "hybrid"
    assert plan["sets"][0]["items"] == 9
    assert f"{out}: complete, nothing to do" in invoke(*command, "--out", out, "--workers", 1)[1]
    assert invoke("verify", out) == (0, f"{out}: 1 of 1 shards sound, 0 unplanned files\n")
    assert len(invoke("digest", out)[1].strip()) == 64
    code, said = invoke("table", out)
    assert "hybrid on planted" in said
    assert "What the games cannot tell" in said
    assert [row["method"] for row in json.loads(invoke("table", out, "--format", "json")[1])] == [
        "lrp",
        "omit_1[edges=right]",
        "random",
    ]


def test_a_spec_from_the_command_line(tmp_path: Path) -> None:
    tiny_network(tmp_path / "cnn", "cnn")
    file = tmp_path / "spec.toml"
    file.write_text('methods = ["lrp"]\nlimit = 4\n[models]\nc = "cnn"\n[[play]]\ncorpora = ["planted"]\n')
    assert invoke("evaluate", "--spec", file, "--out", tmp_path / "run", "--workers", 1)[0] == 0
    with pytest.raises(InputError, match="can be combined only with --out"):
        invoke("evaluate", "--spec", file, "--corpus", "planted")


def test_verify_names_what_is_missing_damaged_and_strange(copied: Path, made: Run) -> None:
    names = list(made.plan.shards)
    for end in ("json", "predictions.parquet", "relevances.parquet"):
        (copied / f"shards/{names[0]}.{end}").unlink()
    (copied / f"shards/{names[1]}.relevances.parquet").write_bytes(b"")
    (copied / "shards/strange\x1b.txt").write_text("")
    code, said = invoke("verify", copied)
    assert code == 1
    assert f"missing: {names[0].split('/')[1]}.json" in said
    assert f"damaged: shards/{names[1]}.relevances.parquet: the checksum does not fit" in said
    assert "unplanned: shards/strange\\x1b.txt" in said
    assert f"{len(names) - 2} of {len(names)} shards sound, 1 unplanned files" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("evaluate",), "no model was named"),
        (("evaluate", "nowhere"), "no corpus was named"),
        (("evaluate", "nowhere", "--corpus", "planted"), "no model loader opens 'nowhere'"),
        (("verify", "nowhere"), "nowhere holds no run"),
        (("digest", "nowhere"), "nowhere holds no run"),
        (("table", "nowhere"), "nowhere holds no run"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=said) as caught:
        invoke(*words)
    assert "\n" not in str(caught.value)


class Impatient(Display):
    """Presses Ctrl-C after two shards."""

    def made(self, receipt) -> None:  # type: ignore[no-untyped-def]
        super().made(receipt)
        assert self.estimate is not None
        if self.estimate.shards[0] == 2:
            raise KeyboardInterrupt


def test_an_interrupted_run_keeps_its_shards_and_says_so(
    spec: Spec, made: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt), Impatient(1) as display:
        evaluate(spec, tmp_path / "run", 1, display)
    total = len(made.plan.shards)
    assert f"stopped: 2 of {total} shards were made, and they are kept" in capsys.readouterr().err
    again = evaluate(spec, tmp_path / "run")
    assert (again.computed, again.reused) == (total - 2, 2)
