"""By the compiled kernels, and by torch operations."""

import pytest

from whichword.base import kernels


@pytest.fixture(params=["kernels", "steps"])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "kernels" and kernels.library() is None:
        pytest.skip("the kernels were not built")
    if request.param == "steps":
        monkeypatch.setattr(kernels, "library", lambda: None)
    return str(request.param)
