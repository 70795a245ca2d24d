"""What a batch leaves is given back when it is done with: nothing waits in a ring of references to be collected."""

import gc
from collections.abc import Iterator

import pytest
import torch
from fast_cases import MANY, documents, every_network, make, names, targets

from whichword.methods import Questions, plan
from whichword.networks import Network


@pytest.fixture
def garbage() -> Iterator[list[object]]:
    """What only the collector can free, kept for a look."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield gc.garbage
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def asked(network: Network) -> None:
    batch = documents()
    network.score(batch)
    plan(None, network).answer(network, Questions(batch, targets(batch), names(batch)))


@every_network
@pytest.mark.parametrize("folded", [False, True])
def test_no_tensor_waits_for_the_collector(kind: str, both: bool, folded: bool, garbage: list[object]) -> None:
    network = make(kind, both)
    asked(network.prepared(MANY) if folded else network)
    gc.collect()
    assert not [type(thing) for thing in garbage if isinstance(thing, torch.Tensor)]
