"""One table: every registered method x every network."""

import pytest
from contract_networks import kinds, make_network

from whichword.networks import Network


@pytest.fixture(params=kinds(), ids=lambda pair: f"{pair[0]}-{'both' if pair[1] else 'one'}")
def network(request: pytest.FixtureRequest) -> Network:
    return make_network(*request.param)
