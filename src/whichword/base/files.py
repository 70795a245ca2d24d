"""Files that appear whole or not at all, and files that are read whole or refused.

A writer follows a symbolic link to what it stands for and replaces only plain files: a device, a pipe or a folder of
that name is refused. What can go wrong (no permission, no space, a name that is too long, links in a circle, a working
folder that was deleted) is one line with the path.

One process tree per folder: a lock that the kernel drops when its holder dies, however it dies.
"""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whichword.errors import FileError

PART = ".whichword-"  # what the names of files in the making begin with
LARGEST = 2**32  # bytes of a file that is read as a whole
STEP = 2**20  # bytes that are read at once of a file that is longer than it said

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def write(path: str | Path, data: bytes) -> None:
    """Put ``data`` at ``path``; `InputError` in one line where that cannot be."""
    with replacing(path) as part:
        part.write_bytes(data)


def append(path: str | Path, data: bytes) -> None:
    """Put ``data`` at the end of a plain file, or of a new one; `InputError` in one line where that cannot be."""
    try:
        with plain_target(path).open("ab") as file:
            file.write(data)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {reason(error)}") from None


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a path to write to, which takes the place of ``path`` at the end; a failure leaves ``path`` as it was."""
    part: Path | None = None
    try:
        target = plain_target(path)
        part = target.with_name(f"{PART}{secrets.token_hex(6)}")  # short: the target's name may be as long as can be
        yield part
        _like(part, target)
        settle(part, target)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {reason(error)}") from None
    finally:
        if part is not None:
            with suppress(OSError):  # where it could not be made, it cannot be removed either
                part.unlink(missing_ok=True)


def plain_target(path: str | Path) -> Path:
    """Follow links to what a path stands for: a plain file that may be written, or nothing yet."""
    with suppress(FileNotFoundError):  # nothing there, or a link to nothing: it will be made
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise IsADirectoryError(0, _not_a_file(mode))
        if not os.access(path, os.W_OK):
            raise PermissionError(0, "it is write-protected")
    return Path(os.path.realpath(path))


def settle(part: Path, target: Path) -> None:
    """Sync the part, move it into place, sync the folder: after a power cut it is the old file or the new."""
    _sync(part)
    part.replace(target)
    _sync(target.parent)


def read(path: str | Path, most: int = LARGEST) -> bytes:
    """Read a plain file of at most ``most`` bytes; `OSError` with the path otherwise, never a wait on a pipe."""
    with naming(path), open(path, "rb", opener=_plain) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(min(size, most) + 1)  # not ``most``: Python allocates all that is asked for
        while len(data) <= most and (more := file.read(STEP)):  # it has grown, or its size was none (/proc)
            data += more
        if len(data) > most:
            raise OSError(0, f"larger than {most:,} bytes, the most that is read")
        return data


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Add the file's name to system errors in here; those of an open file have none."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise type(error)(error.errno, reason(error), str(path)) from None
        raise


def _plain(path: str, flags: int) -> int:
    """Open a plain file alone: opening a pipe would wait for its writer."""
    handle = os.open(path, flags | os.O_NONBLOCK)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise OSError(0, _not_a_file(mode), path)
    return handle


def refuse_special(path: str | Path) -> None:
    """Raise `OSError` for what is no plain file: a pipe would be waited for, a device never ends."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        raise OSError(0, _not_a_file(mode), str(path))


def expanded(path: str | Path) -> Path:
    """Expand ``~`` and ``~name`` to home folders."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise FileError(f"{path}: no such user") from None


def reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__


def _not_a_file(mode: int) -> str:
    return f"it is {next((words for is_one, words in _KINDS if is_one(mode)), 'something else')}, not a file"


def _like(part: Path, target: Path) -> None:
    """Copy the permissions of the file that is replaced; a new one has what the user's mask leaves."""
    with suppress(FileNotFoundError):
        part.chmod(stat.S_IMODE(target.stat().st_mode))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


NAME = "lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder, or name at once the process that does. The file stays; only the kernel's lock on it counts."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = _opened(folder / NAME)
    try:
        with naming(folder / NAME):
            _hold(handle, folder)
        yield
    finally:
        os.close(handle)


def _opened(path: Path) -> int:
    """Open the lock file itself: through a link, this process's number would be written over another file."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    handle = os.open(path, flags, 0o644)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileError(f"{path}: it is not a plain file, so it is no lock")
    return handle


def _hold(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FileError(f"{folder}: another process{_holder(handle)} is at work on it") from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)


def _holder(handle: int) -> str:
    written = os.pread(handle, 20, 0).decode("ascii", "replace")
    return f" ({written})" if written.isdigit() else ""
