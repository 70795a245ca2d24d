"""One process tree per folder: a lock that the kernel drops when its holder dies, however it dies."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whichword.base.files import naming
from whichword.errors import InputError

NAME = "lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder, or say at once who does. The file stays; only the kernel's lock on it counts."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = _opened(folder / NAME)
    try:
        with naming(folder / NAME):
            _hold(handle, folder)
        yield
    finally:
        os.close(handle)


def _opened(path: Path) -> int:
    """The lock file itself: through a link, the number of this process would be written over somebody's file."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    handle = os.open(path, flags, 0o644)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InputError(f"{path}: it is not a plain file, so it is no lock")
    return handle


def _hold(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{folder}: another process{_holder(handle)} is at work on it") from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)


def _holder(handle: int) -> str:
    written = os.pread(handle, 20, 0).decode("ascii", "replace")
    return f" ({written})" if written.isdigit() else ""
