"""Plug-ins that are single files: ``--plugin my_method.py``. Loading one runs it, and it registers what it has.

The files stand in an environment variable, because the processes of a run have to load them too.
"""

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from whichword.errors import InputError

VARIABLE = "WHICHWORD_PLUGINS"


def announce(paths: Sequence[Path]) -> None:
    """These files are plug-ins of this process and of those that it starts."""
    for path in paths:
        if not path.is_file():
            raise InputError(f"--plugin: {path} is no file")
    before = os.environ.get(VARIABLE, "")
    listed = [*_listed(), *(str(path.resolve()) for path in paths)]
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys(listed))
    try:
        load_announced()
    except InputError:
        os.environ[VARIABLE] = before
        raise


def load_announced() -> None:
    """Run the files that were announced, each once."""
    for path in _listed():
        name = f"whichword_plugin_{Path(path).stem}"
        if getattr(sys.modules.get(name), "__file__", None) != path:
            _load(name, path)


def _listed() -> list[str]:
    return [path for path in os.environ.get(VARIABLE, "").split(os.pathsep) if path]


def _load(name: str, path: str) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"--plugin: {path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InputError(f"--plugin: {path}: {type(error).__name__}: {error}") from error
