"""What the C library does with freed memory, in processes that are ours alone: the commands and their workers."""

import ctypes
import sys

TRIM, MAP = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of mallopt
KEPT = 1 << 29  # bytes of an array: only larger ones go back at once
ALL = 2**31 - 1  # bytes that stay at the heap's end, as many as can be said: a long document leaves a gigabyte


def keep_memory() -> None:
    """Freed memory stays with this process (glibc; elsewhere nothing happens).

    Arrays as long as a document are made and dropped all the time. By default those above 32 MB go back to the system
    at once, and to ask for them again, page by page, costs more than much of the work that is done in them.
    """
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", lambda *_: 0)
        set_option(TRIM, ALL)
        set_option(MAP, KEPT)
