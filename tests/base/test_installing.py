"""What is missing is installed by a command that works where the package lies."""

import shlex
import sys
from pathlib import Path

from whichword.base.runtime import CHECKOUT, install_command


def test_an_installed_package_is_named(tmp_path: Path) -> None:
    assert install_command("web", tmp_path) == "pip install 'whichword[web]'"


def test_a_checkout_is_installed_itself(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    assert shlex.split(install_command("web", folder))[1:] == ["-m", "pip", "install", "--editable", f"{folder}[web]"]
    (folder / "constraints.txt").touch()
    assert shlex.split(install_command("web", folder))[-2:] == ["--constraint", str(folder / "constraints.txt")]


def test_these_tests_run_in_a_checkout() -> None:
    assert (CHECKOUT / "pyproject.toml").is_file()
    assert install_command("web").startswith(shlex.quote(sys.executable))
