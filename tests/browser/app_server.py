"""The app as a person starts it: the command in a process of its own, with a network of known weights and a run."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

from whichword import Network
from whichword.networks.network import Config
from whichword.text import Vocabulary

CLASSES = ("art", "biology", "chess")
KNOWN = (
    "the",
    "a",
    "of",
    "and",
    "cell",
    "painting",
    "bishop",
    "takes",
    "sees",
    "old",
    "big",
    "queen",
    "gene",
    ".",
    ",",
)
COMMAND = "import sys; sys.argv[0] = 'whichword'; from whichword.cli import main; main()"


def save_network(folder: Path, kind: str, classes: tuple[str, ...] = CLASSES) -> Path:
    """Random weights in double precision."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        network = Network(Config(kind, classes, 6, 7), Vocabulary(KNOWN))
        for parameter in network.parameters():
            parameter.data.normal_()
    network.double().requires_grad_(False).save(folder)
    return folder


@contextmanager
def served(*arguments: str | Path) -> Iterator[str]:
    """The app's address, while it runs."""
    command = [sys.executable, "-c", COMMAND, "serve", *map(str, arguments), "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            said = process.stdout.readline()
            assert "http://127.0.0.1:" in said, said
            yield next(word for word in said.split() if word.startswith("http"))
        finally:
            process.terminate()
