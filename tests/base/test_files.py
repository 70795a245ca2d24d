"""Files appear whole or not at all, through links, never over what is no plain file; a refusal is one line."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from whichword.base import files
from whichword.base.files import locked
from whichword.errors import InputError, one_line


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as refused:
        files.write(path, b"new")
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"{path}: cannot be written: ")
    return str(refused.value).removeprefix(f"{path}: cannot be written: ")


def test_a_file_is_replaced_through_links_and_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "report.html"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (tmp_path / "first").symlink_to("second")
    (tmp_path / "second").symlink_to(target)
    files.write(tmp_path / "first", b"new")
    assert (tmp_path / "first").is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in target.parent.iterdir()] == ["report.html"]


def test_a_link_to_nothing_yet_leads_to_a_new_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "later")
    files.write(tmp_path / "link", b"new")
    assert (tmp_path / "later").read_bytes() == b"new"


def test_a_new_file_has_what_the_mask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write(tmp_path / "new", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_name_as_long_as_can_be(tmp_path: Path) -> None:
    files.write(tmp_path / ("x" * 255), b"new")
    assert refusal(tmp_path / ("x" * 256)) == "File name too long"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "device").symlink_to("/dev/full")
    assert refusal(tmp_path / "pipe") == "it is a pipe, not a file"
    assert refusal(tmp_path) == "it is a folder, not a file"
    assert refusal(Path("/dev/full")) == refusal(tmp_path / "device") == "it is a device, not a file"
    assert refusal(tmp_path / "loop") == "Too many levels of symbolic links"
    assert refusal(tmp_path / "missing" / "file") == "No such file or directory"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_in_a_deleted_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert refusal(Path("report.html")) == "No such file or directory"


def test_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.html").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert refusal(tmp_path / "report.html") == "No space left on device"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("report.html", b"old")]


def test_reading_is_bounded_and_waits_for_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"12345")
    assert files.read(tmp_path / "file", 5) == b"12345"
    for path, reason in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device"), (tmp_path, "a folder")):
        with pytest.raises(OSError, match=reason) as refused:
            files.read(path)
        assert str(refused.value.filename) == str(path)
    with pytest.raises(OSError, match="larger than 4 bytes"):
        files.read(tmp_path / "file", 4)


def test_a_lock_is_a_file_of_its_own(tmp_path: Path) -> None:
    """Through a link, the number of the process would be written over somebody's letter."""
    (tmp_path / "letter").write_text("dear")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "lock").symlink_to(tmp_path / "letter")
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "linked"):
        pass
    assert (tmp_path / "letter").read_text() == "dear"
    (tmp_path / "piped").mkdir()
    os.mkfifo(tmp_path / "piped" / "lock")
    with pytest.raises(InputError, match="it is not a plain file"), locked(tmp_path / "piped"):
        pass


def arrow_error() -> Exception:
    import pyarrow

    return pyarrow.ArrowNotImplementedError("no such\ntype")


def tensor_error() -> Exception:
    from safetensors import SafetensorError

    return SafetensorError("HeaderTooLarge")


def undecodable() -> Exception:
    try:
        b"ab\xff".decode()
    except UnicodeDecodeError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("said\nso"), "said so"),
        (FileNotFoundError(2, "No such file or directory", "x.csv"), "x.csv: No such file or directory"),
        (OSError(18, "Invalid cross-device link", "a", None, "b"), "a -> b: Invalid cross-device link"),
        (OSError("no power"), "no power"),
        (OSError(), "OSError"),
        (undecodable(), "text cannot be read as utf-8 at position 2: invalid start byte"),
        (UnicodeEncodeError("ascii", "é", 0, 1, "no"), "text cannot be written as ascii at position 0: no"),
        (OverflowError("int too large"), "a number is too large: int too large"),
        (MemoryError(), "there is not enough memory for this: try smaller sizes or shorter texts"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: x"), "there is not enough memory for this"),
        (RecursionError("deep"), "the input is nested too deeply"),
        (arrow_error(), "Arrow cannot read or write this: no such type"),
        (tensor_error(), "not a sound safetensors file: HeaderTooLarge"),
        (InputError("9" * 5000), "9" * 540),
    ],
)
def test_what_input_or_machine_can_cause_is_one_line(error: Exception, line: str) -> None:
    said = one_line(error)
    assert said is not None
    assert said.startswith(line)
    assert "\n" not in said
    assert len(said) <= 600


@pytest.mark.parametrize("error", [TypeError("x"), KeyError("x"), AssertionError(), RuntimeError("x"), ValueError("x")])
def test_faults_of_the_program_stay_what_they_are(error: Exception) -> None:
    assert one_line(error) is None


def test_reading_a_small_file_takes_little_memory_and_a_file_without_a_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"x" * 5000)
    code = (
        "import resource, sys; from whichword.base import files;"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30));"
        "print(len(files.read(sys.argv[1])), len(files.read('/proc/self/status')) > 100)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "small")], capture_output=True, text=True)
    assert done.stdout.split() == ["5000", "True"], done.stderr


def test_no_more_is_read_than_was_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 11)
    assert files.read(tmp_path / "file", 11) == b"x" * 11
    with pytest.raises(OSError, match="larger than 10 bytes"):
        files.read(tmp_path / "file", 10)
    with pytest.raises(OSError, match="larger than 10 bytes"):
        files.read("/proc/self/status", 10)
