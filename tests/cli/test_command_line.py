"""What a person types and sees: coloured words, JSON for programs, exit codes, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import Runner
from interrupting import hearing

import whichword
from whichword.cli import main

COMMAND = [sys.executable, "-W", "error", "-m", "whichword"]


def test_version(run: Runner) -> None:
    assert run("--version").stdout == f"whichword {whichword.__version__}\n"


def test_methods_lists_all(run: Runner) -> None:
    listed = run("methods").stdout
    for name in whichword.METHODS:
        assert name in listed
    assert f"networks: {', '.join(whichword.NETWORKS)}" in listed


def test_explain_as_json(run: Runner, model: Path) -> None:
    done = run("explain", str(model), "a good film", "never seen", "--json", "-m", "lrp", "-m", "occ_2")
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["words"] == ["a", "good", "film"]
    assert list(first["relevance"]) == ["lrp", "occ_2"]
    assert second["unknown"] == [True, True]
    expected = whichword.explain(whichword.load(model), ["a good film"], ["lrp"])[0]
    assert first["relevance"]["lrp"] == pytest.approx(expected.relevance["lrp"].tolist())


def test_explain_reads_standard_input(run: Runner, model: Path) -> None:
    done = run("explain", str(model), "--json", "-m", "last", stdin="a film\ngood\u2028film\n")
    words = [json.loads(line)["words"] for line in done.stdout.splitlines()]
    assert words == [["a", "film"], ["good", "film"]]


def test_explain_in_the_terminal_shows_every_method(run: Runner, model: Path) -> None:
    done = run(
        "explain", str(model), "--all", "a good film \x1b[31m", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    )
    assert done.returncode == 0, done.stderr
    for name in whichword.METHODS:
        assert name in done.stdout
    assert "\x1b[31m" not in done.stdout  # the text's own escape code is shown, not obeyed


def test_target(run: Runner, model: Path) -> None:
    done = run("explain", str(model), "a film", "--target", "no", "--json", "-m", "lrp")
    assert json.loads(done.stdout)["target"] == "no"


def test_debug_shows_the_traceback(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["whichword", "--debug", "explain", str(model), "a", "-m", "lpr"])
    with pytest.raises(whichword.InputError, match="did you mean lrp"):
        main()


def test_as_a_process_of_its_own(model: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "explain", str(model), "a", "-m", "lpr"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr == "whichword: no method is called 'lpr'; did you mean lrp?\n"
    assert not done.stdout


def test_an_interrupted_training_says_how_to_resume(tmp_path: Path) -> None:
    arguments = ["train", "grammar[sentences=300]", "--network", "linear", "--patience", "10000", "--epochs", "10000"]
    words = hearing([*COMMAND, *arguments, "--out", str(tmp_path / "model")])
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline().startswith("epoch 1: ")
        os.kill(process.pid, signal.SIGINT)
        lines = process.stderr.read().splitlines()
        assert process.wait(60) == 130
        assert lines[-1] == "whichword: interrupted; run the same command again to resume"
        assert all(line.startswith("epoch ") for line in lines[:-1])
        assert not process.stdout.read()
    assert (tmp_path / "model" / "training" / "state.safetensors").exists()


def test_names_of_other_tools_are_noted(run: Runner) -> None:
    done = run("methods", "saliency,occ_5", "lrp[eps=1e-6]")
    assert done.stderr == "note: saliency is grad_1_s_l2 here: length of the gradient, score\n"
    for label in ("grad_1_s_l2", "occ_5", "lrp[eps=1e-6]", "occlusion of 5 words", "ε = 1e-6"):
        assert label in done.stdout
