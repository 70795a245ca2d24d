"""A network that knows nothing, on disk."""

from pathlib import Path

import torch

import whichword
from whichword.networks import Config
from whichword.text import Vocabulary


def saved_network(folder: Path, classes: tuple[str, str], words: tuple[str, ...]) -> Path:
    """Random weights: enough for everything that is not about being right."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        whichword.Network(Config("lstm", classes, 4, 3), Vocabulary(words)).save(folder)
    return folder
