"""A process that imports once and then forks a child for every command, so that a test can kill -9 real processes fast.

Reads one JSON line a command, ``{"folder": ..., "workers": ...}``, and answers with the child's process id. After the
next line (whatever it says) it answers with the child's exit status (negative: the signal that killed it). A child that
has ended keeps its process id until then, so that a late kill hits nobody else.
"""

import json
import os
import sys
from pathlib import Path

import torch
from planted_corpus import CORPORA  # registers the corpus

from whichword.corpora import read_corpus
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.runs.identity import code_version
from whichword.training import Training, train

CORPUS = "planted[documents=240]"
SETTINGS = Training(network="cnn", embedding=6, hidden=8, batch=2, epochs=4, patience=4, learning_rate=0.01)


def pipeline(folder: Path, workers: int) -> None:
    """Train, explain, judge: whatever is there already is not done again."""
    torch.set_num_threads(1)
    train(read_corpus(CORPUS), SETTINGS, folder / "model", lambda position, steps: None)
    plays = (Play(("cnn",), (CORPUS,), ("hybrid[sentences=3]",), limit=30),)
    evaluate(Spec({"cnn": str(folder / "model")}, plays, shard_words=25_000), folder / "run", workers)


def main() -> None:
    assert "planted" in CORPORA
    code_version()  # the sources are read once, here: an edit while the test runs is not what is tested
    print("ready", flush=True)
    while line := sys.stdin.readline():
        command = json.loads(line)
        child = os.fork()
        if child == 0:
            pipeline(Path(command["folder"]), command["workers"])
            os._exit(0)
        print(child, flush=True)
        sys.stdin.readline()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
