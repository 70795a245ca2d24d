"""How to install what is missing, said as it works where this package lies."""

import shlex
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]


def install_command(extra: str, checkout: Path = CHECKOUT) -> str:
    """The command for an extra: from a checkout the checkout itself, by the interpreter that runs, else the package."""
    if not (checkout / "pyproject.toml").is_file():
        return f"pip install 'whichword[{extra}]'"
    pinned = checkout / "constraints.txt"
    words = [sys.executable, "-m", "pip", "install", "--editable", f"{checkout}[{extra}]"]
    return shlex.join([*words, *(["--constraint", str(pinned)] if pinned.is_file() else [])])
