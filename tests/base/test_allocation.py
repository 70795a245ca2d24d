"""Freed memory stays with the process: a second array of 64 MB asks the system for nothing."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from whichword.base.runtime import keep_memory
{call}
for _ in range(2):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    array = np.ones(1 << 23)
    del array
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(call: str) -> int:
    program = PROGRAM.format(call=call)
    return int(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="a setting of glibc")
def test_freed_memory_is_kept() -> None:
    assert 10 * faults("keep_memory()") < faults("")
