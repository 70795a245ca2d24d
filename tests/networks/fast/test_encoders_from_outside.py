"""An encoder that nobody knows a faster way through is explained by its definition: as the one that it copies."""

import numpy as np
import pytest
import torch

import whichword
from whichword.networks import NETWORKS, Config, Network
from whichword.networks.encoders import GRU, LSTM, QGRU, QLSTM
from whichword.text import Vocabulary

TEXTS = ["a very good film", "film", "not a good one a a very bad one"]
CELLS = {"lstm": LSTM, "gru": GRU, "qlstm": QLSTM, "qgru": QGRU}


@pytest.fixture(params=CELLS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its own copy is registered for the time of a test."""
    name: str = request.param
    for table in ("_entries", "_families"):
        monkeypatch.setattr(NETWORKS, table, dict(getattr(NETWORKS, table)))
    NETWORKS.register(f"my-{name}")(type("Mine", (CELLS[name],), {}))
    return name


@pytest.mark.parametrize("bidirectional", [False, True])
def test_every_method_says_the_same(kind: str, bidirectional: bool) -> None:
    words = Vocabulary(("a", "very", "good", "film", "not", "bad"))
    torch.manual_seed(0)
    known = Network.of(Config(kind, ("no", "yes"), 5, 4, bidirectional), words).double().requires_grad_(False)
    mine = Network.of(Config(f"my-{kind}", ("no", "yes"), 5, 4, bidirectional), words).double().requires_grad_(False)
    mine.load_state_dict(known.state_dict())
    assert not getattr(mine.fast, "ways", None)
    assert getattr(known.fast, "ways", None)
    for ours, theirs in zip(whichword.explain(known, TEXTS), whichword.explain(mine, TEXTS), strict=True):
        assert ours.relevance.keys() == theirs.relevance.keys() >= {"decomp", "lrp", "limsse_ms_s"}
        for method, values in ours.relevance.items():
            np.testing.assert_allclose(theirs.relevance[method], values, atol=1e-9, err_msg=method)
