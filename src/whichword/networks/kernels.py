"""The compiled kernels of ``csrc``, if they were built and this machine can run them; everything works without them."""

import ctypes
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import torch
from torch import Tensor

VERSION = 4  # of the declarations in csrc/recurrence.c
ENDINGS = {torch.float32: "f32", torch.float64: "f64"}


@cache
def library() -> ctypes.CDLL | None:
    """The shared library beside this file, or None."""
    found = [
        path for suffix in EXTENSION_SUFFIXES if (path := Path(__file__).with_name(f"_recurrence{suffix}")).exists()
    ]
    if not found:
        return None
    loaded = ctypes.CDLL(str(found[0]))
    return loaded if loaded.whichword_usable() == VERSION else None


def usable(like: Tensor) -> bool:
    """Whether there are kernels for tensors of this kind."""
    return like.device.type == "cpu" and like.dtype in ENDINGS and library() is not None


def call(name: str, like: Tensor, *arguments: int | Tensor | None) -> None:
    """Run a kernel; whole numbers and tensors (as pointers, None as NULL) in the order of its C declaration."""
    kernels = library()
    assert kernels is not None
    function = getattr(kernels, f"{name}_{ENDINGS[like.dtype]}")
    if function.argtypes is None:
        function.argtypes = [ctypes.c_int64 if isinstance(each, int) else ctypes.c_void_p for each in arguments]
    if function(*map(_argument, arguments)):
        raise MemoryError(f"{name}: no memory")


def _argument(value: int | Tensor | None) -> int | None:
    if not isinstance(value, Tensor):
        return value
    assert value.is_contiguous()
    return value.data_ptr()
