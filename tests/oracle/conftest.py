"""The ways through a network: by the definitions alone, by torch's shortcuts, by the compiled kernels."""

import pytest

from whichword.base import kernels
from whichword.networks import Network


@pytest.fixture(params=["plain", "shortcuts", "kernels"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "kernels" and kernels.library() is None:
        pytest.skip("the kernels were not built")
    if request.param != "kernels":
        monkeypatch.setattr(kernels, "library", lambda: None)
    if request.param == "plain":
        monkeypatch.setattr(Network, "shortcuts", staticmethod(lambda network: None))
    return str(request.param)
