"""A command that hears Ctrl-C whoever started the tests: what runs under nohup, or behind `&`, ignores it."""

import sys
from collections.abc import Sequence

_HEARING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"


def hearing(command: Sequence[str]) -> list[str]:
    """The same process becomes ``command``, an interpreter with its arguments."""
    return [sys.executable, "-c", _HEARING, *command]
