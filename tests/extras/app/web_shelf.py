"""Networks and a run for the app, and what a page sends it."""

import json
import random
from pathlib import Path
from typing import Any

import torch
from starlette.testclient import TestClient

from whichword.networks import Network
from whichword.networks.network import Config
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.text import Vocabulary

PORT = 8123
CLASSES = ("apple", "brick", "cloud")
WORDS = tuple(f"w{i}" for i in range(30))
TEXT = "w1 w2 w3 strange w4 w1 w5 w6 w7 w8 ."
METHODS = ("lrp", "omit_1", "occ_1", "limsse_ms_s", "decomp", "random", "last")


def make_network(
    folder: Path, kind: str, dtype: torch.dtype = torch.float32, classes: tuple[str, ...] = CLASSES
) -> Path:
    """A network with random weights, saved."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        network = Network(Config(kind, classes, 5, 6), Vocabulary((*WORDS, ".")))
        network.embedding.data.normal_()
        network.w.data.normal_()
    network.to(dtype).requires_grad_(False).save(folder)
    return folder


def make_run(base: Path, model: Path) -> Path:
    """The hybrid game on a file of forty texts, for a few methods."""
    dice = random.Random(5)
    rows = [
        f"{' '.join(dice.choices(WORDS, k=9))}. {' '.join(dice.choices(WORDS, k=7))}.,{dice.choice(CLASSES)}"
        for _ in range(40)
    ]
    (base / "texts.csv").write_text("text,label\n" + "\n".join(rows) + "\n", encoding="utf8")
    corpus = f"{base / 'texts.csv'}[test=60,heldout=10,train=30]"
    play = Play(("cnn",), (corpus,), ("hybrid[sentences=3]",), ("lrp", "omit_1", "random"))
    return evaluate(Spec({"cnn": model}, (play,)), base / "played").run.folder


def events(client: TestClient, **question: Any) -> list[dict[str, Any]]:
    """What the app tells about a text, line by line."""
    body = json.dumps({"model": 0, "methods": ["lrp"], **question})  # as a browser does: lone surrogates by number
    answer = client.post("/api/explain", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]
