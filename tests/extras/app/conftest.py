"""Small networks and one run, as `whichword serve` would find them."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient
from web_shelf import PORT, make_network, make_run

from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import Shelf, open_shelf


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three networks with random weights, and a run of the first of them."""
    base = tmp_path_factory.mktemp("shelf")
    models = [make_network(base / kind, kind) for kind in ("cnn", "lstm", "qgru")]
    return [*models, make_run(base, models[0])]


@pytest.fixture(scope="session")
def shelf(folders: list[Path]) -> Shelf:
    return open_shelf(folders)


@pytest.fixture
def client(shelf: Shelf) -> TestClient:
    """The app, asked by its own page."""
    address = f"http://127.0.0.1:{PORT}"
    return TestClient(create_app(shelf, PORT), base_url=address, headers={"origin": address})
