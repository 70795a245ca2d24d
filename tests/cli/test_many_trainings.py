"""``whichword train`` of several networks, and ``whichword trust`` by any executor."""

from pathlib import Path

import pytest
from command_runner import Runner

from whichword.playing.verify import digest
from whichword.runs.run import open_run

SMALL = ("--epochs", "1", "--embedding", "2", "--hidden", "2", "--workers", "2")
CORPUS = "grammar[sentences=60]"


def test_several_networks_side_by_side(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "many"
    done = run("train", CORPUS, "--network", "linear", "--seeds", "2", *SMALL, "--out", str(out))
    assert done.returncode == 0, done.stderr
    folders = sorted(path.name for path in out.iterdir())
    assert len(folders) == 2
    assert [name[-5:] for name in folders] == ["seed0", "seed1"]
    assert sum("epoch 1, heldout" in line for line in done.stdout.splitlines()) == 2
    assert done.stdout.splitlines()[-1].startswith("next: whichword trust ")
    alone = run("train", CORPUS, "--network", "linear", "--seed", "1", *SMALL, "--out", str(tmp_path / "alone"))
    assert alone.returncode == 0, alone.stderr
    weights = [folder / "weights.safetensors" for folder in (out / folders[1], tmp_path / "alone")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--network linear,nosuch", "no network is called 'nosuch'"),
        ("--network linear,cnn --out HERE", "holds other files (letter.txt): several networks need a folder"),
        ("--seeds 0", "seeds must be at least 1, not 0"),
    ],
)
def test_wrong_input(run: Runner, tmp_path: Path, words: str, message: str) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    done = run("train", CORPUS, *(str(tmp_path) if word == "HERE" else word for word in words.split()))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_trust_gives_the_same_digest_by_any_executor(run: Runner, agreement_model: Path, tmp_path: Path) -> None:
    digests = set()
    for executor in ("serial", "processes"):
        line = ("trust", str(agreement_model), "--corpus", "grammar", "--limit", "40", "-m", "lrp,random")
        done = run(*line, "--executor", executor, "--workers", "2", "--out", str(tmp_path / executor))
        assert done.returncode == 0, done.stderr
        digests.add(digest(open_run(tmp_path / executor)))
    assert len(digests) == 1
