"""One process tree per run: a lock that the kernel drops when its holder dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whichword.errors import InputError

NAME = "lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder, or say at once who does. The file stays; only the kernel's lock on it counts."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{folder}: another process{_holder(handle)} is at work on this run") from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)


def _holder(handle: int) -> str:
    written = os.pread(handle, 20, 0).decode("ascii", "replace")
    return f" ({written})" if written.isdigit() else ""
