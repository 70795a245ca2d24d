"""What a process of ours sets up: threads for sums, memory that is kept, and how to install what is missing."""

import ctypes
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whichword.base.lazy import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute with one thread in here, so that sums have one order, and the same bits, in every process."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


TRIM, MAP = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of mallopt
KEPT = 1 << 29  # bytes of an array: only larger ones go back at once
ALL = 2**31 - 1  # bytes that stay at the heap's end, as many as can be said: a long document leaves a gigabyte


def keep_memory() -> None:
    """Keep freed memory with this process (glibc; elsewhere nothing happens); for commands and workers alone.

    Arrays as long as a document are made and dropped all the time. By default those above 32 MB go back to the system
    at once, and to ask for them again, page by page, costs more than much of the work that is done in them.
    """
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", lambda *_: 0)
        set_option(TRIM, ALL)
        set_option(MAP, KEPT)


CHECKOUT = Path(__file__).resolve().parents[3]


def install_command(extra: str, checkout: Path = CHECKOUT) -> str:
    """Spell the command that installs an extra: from a checkout the checkout itself, by this interpreter."""
    if not (checkout / "pyproject.toml").is_file():
        return f"pip install 'whichword[{extra}]'"
    pinned = checkout / "constraints.txt"
    words = [sys.executable, "-m", "pip", "install", "--editable", f"{checkout}[{extra}]"]
    return shlex.join([*words, *(["--constraint", str(pinned)] if pinned.is_file() else [])])
