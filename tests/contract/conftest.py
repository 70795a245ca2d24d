"""One table: every registered method x every network, with its faster ways and by the definitions alone."""

import itertools

import pytest
from contract_networks import SHORT_TEXTS, TEXTS, kinds, make_network

from whichword.networks import Network


def _title(case: tuple[tuple[str, bool], bool]) -> str:
    (kind, both), fast = case
    return f"{kind}-{'both' if both else 'one'}-{'fast' if fast else 'plain'}"


@pytest.fixture(params=itertools.product(kinds(), (True, False)), ids=_title)
def network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Network:
    """By the definitions in double precision: without shortcuts no small change of the score is measured again."""
    pair, fast = request.param
    if fast:
        return make_network(*pair)
    monkeypatch.setattr(Network, "shortcuts", staticmethod(lambda network: None))
    return make_network(*pair).double()


@pytest.fixture
def texts(network: Network) -> list[list[str]]:
    """Fewer and shorter ones where everything is done by the definitions."""
    return SHORT_TEXTS if network.fast is None else TEXTS
