"""Code that is not ours: what plug-ins compute depends on their files, so these are part of a run's identity."""

import hashlib
import inspect
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

from whichword.errors import InputError

# ours are hashed as a whole (`runs.identity`), libraries are known by their versions
ELSEWHERE = frozenset({"whichword", "torch", "numpy", "scipy"}) | sys.stdlib_module_names


def foreign_code(entry: object) -> str:
    """A hash over the files that a registered class, instance, function or module comes from, its base classes' too.

    Empty where all of it is ours or a library's.
    """
    files = tuple(sorted({_file(part) for part in _parts(entry) if _is_foreign(part)}))
    return _hashed(files) if files else ""


def _parts(entry: object) -> tuple[object, ...]:
    if isinstance(entry, ModuleType | FunctionType):
        return (entry,)
    return (entry if isinstance(entry, type) else type(entry)).__mro__


def _is_foreign(part: object) -> bool:
    module = part.__name__ if isinstance(part, ModuleType) else getattr(part, "__module__", "")
    return str(module).split(".")[0] not in ELSEWHERE


def _file(part: object) -> Path:
    try:
        return Path(inspect.getfile(part))  # type: ignore[arg-type]
    except (OSError, TypeError):
        name = getattr(part, "__qualname__", repr(part))
        raise InputError(
            f"{name} is in no file, so a run could not tell when it changes: put it into a module"
        ) from None


@cache  # what this process has loaded does not change when a file does
def _hashed(files: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.name.encode() + b"\0" + file.read_bytes()).digest())
    return digest.hexdigest()
