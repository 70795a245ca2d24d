"""Call the compiled kernels of ``csrc``, if they were built and this machine runs them; everything works without.

By ctypes and not as an extension module: one shared library serves every version of Python, and a kernel is a plain C
function of sizes and pointers. What C cannot check is checked here: every kernel is declared with the length of each
of its arrays, and a call with an array of another length, type or layout is refused before it is made.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from whichword.base.lazy import Tensor

VERSION = 11  # of the declarations in csrc/kernels.c
ENDINGS = {"torch.float32": "f32", "torch.float64": "f64"}
LIBRARIES = [Path(__file__).parents[1] / name for name in ("_kernels_wide.so", "_kernels.so")]  # the faster one first

# name: sizes | arrays, in the order of the C declaration. "?": it may be absent; "i": whole numbers, "d": double, else
# the type of the call; then its length: "~n" a multiple of n, ">n" more than n; "<n" after it: its values are from 0 to
# below n. The name of an array that stands before it is that array's length.
DECLARATIONS = """
lstm_forward: M B T H | words ~4*H, place i B*T<words//(4*H), scales M, bias 4*H, U 4*H*H, mask? B*H, ends i B,
    gates? M*B*T*4*H, before? M*B*T*H, memory? M*B*T*H, squashed? M*B*T*H, last M*B*H
lstm_backward: M S B T H E | U 4*H*H, V? 4*H*E, mask? B*H, ends i B, gates M*B*T*4*H, memory M*B*T*H,
    squashed M*B*T*H, seeds M*S*B*H, sum? S*B*T*4*H, end? S*B*T*4*H, lifted? S*B*T*E
gru_forward: M B T H | words ~3*H, place i B*T<words//(3*H), scales M, bias 3*H, U 3*H*H, mask? B*H, ends i B,
    gates? M*B*T*3*H, before? M*B*T*H, last M*B*H
gru_backward: M S B T H E | U 3*H*H, V? 3*H*E, mask? B*H, ends i B, gates M*B*T*3*H, before M*B*T*H,
    seeds M*S*B*H, sum? S*B*T*3*H, end? S*B*T*3*H, lifted? S*B*T*E
qlstm_forward: M B T H | words B*T*4*H, scales M, bias 4*H, ends i B, gates? M*B*T*4*H, memory? M*B*T*H, last M*B*H
qlstm_backward: M S B T H | ends i B, gates M*B*T*4*H, memory M*B*T*H, seeds M*S*B*H, sum S*B*T*4*H, end? S*B*T*4*H
qgru_forward: M B T H | words B*T*2*H, scales M, bias 2*H, ends i B, gates? M*B*T*2*H, before? M*B*T*H, last M*B*H
qgru_backward: M S B T H | ends i B, gates M*B*T*2*H, before M*B*T*H, seeds M*S*B*H, sum S*B*T*2*H, end? S*B*T*2*H
lstm_relevance_forward: M B T H mode | words B*T*4*H, scales M, bias 4*H, U 4*H*H, ends i B, constants d 1,
    factors M*B*T*4*H, last M*B*H, reference? B*H
lstm_relevance_backward: M S B T H | U 4*H*H, ends i B, factors M*B*T*4*H, seeds M*S*B*H, sum S*B*T*H, end? S*B*T*H
gru_relevance_forward: M B T H mode | words B*T*3*H, scales M, bias 3*H, U 3*H*H, ends i B, constants d 1,
    factors M*B*T*4*H, last M*B*H, reference? B*H
gru_relevance_backward: M S B T H | U 3*H*H, ends i B, factors M*B*T*4*H, seeds M*S*B*H, sum S*B*T*H, end? S*B*T*H
lstm_runs: N T H K | words ~4*H, place i ~T<words//(4*H), bias 4*H, U 4*H*H, row i N, begin i N, dark i N, init i N,
    offset i N+1, stop i ~1, slot i stop, before? place*H, memory? place*H, w d K*H,
    scores d stop*K
gru_runs: N T H K | words ~3*H, place i ~T<words//(3*H), bias 3*H, U 3*H*H, row i N, begin i N, dark i N, init i N,
    offset i N+1, stop i ~1, slot i stop, before? place*H, w d K*H, scores d stop*K
lengths_and_dots: S N E | g S*N*E, e N*E, lengths S*N, dots S*N
scan: B T H | carry B*T*H, gain B*T*H, memory B*T*H
logistic: D N | offset i D+1, weight d 6*N, label d 6*N, v d N
nested: n B T | row i n<B, start i n<T+1, stop i n<T+1, runs i 1, document i n, begin i n, offset i n+1, end i n,
    slot i n
adam_arrays: n step | size d >step, root d >step, constants d 3, lengths i n, gradients i n, p i n, m i n, v i n
adam_rows: n E step | size d >step, root d >step, constants d 3, rows i n, seen i ~1, gradient? n*E, p seen*E,
    m seen*E, v seen*E
"""


@cache
def library() -> ctypes.CDLL | None:
    """Load the first shared library of the package that this machine can run, or None; all give the same bits."""
    loaded = (ctypes.CDLL(str(path)) for path in LIBRARIES if path.exists())
    return next((kernels for kernels in loaded if kernels.whichword_usable() == VERSION), None)


def usable(like: Tensor) -> bool:
    """Tell whether there are kernels for tensors of this kind."""
    return like.device.type == "cpu" and str(like.dtype) in ENDINGS and library() is not None


def call(name: str, like: Tensor, *arguments: int | Tensor | None) -> None:
    """Run a kernel for tensors like this one; sizes and arrays in the order of its declaration."""
    declaration = declarations()[name]
    sizes, arrays = arguments[: len(declaration.sizes)], arguments[len(declaration.sizes) :]
    declaration.check(name, str(like.dtype), sizes, arrays)
    pointers = [None if array is None else array.data_ptr() for array in arrays]  # type: ignore[union-attr]
    if _function(f"{name}_{ENDINGS[str(like.dtype)]}")(*sizes, *pointers):
        raise MemoryError(f"kernel {name}")


@cache
def _function(symbol: str) -> ctypes._CFuncPtr:  # type: ignore[name-defined]
    loaded = library()
    assert loaded is not None
    function = loaded[symbol]
    declaration = declarations()[symbol[:-4]]
    numbers, pointers = len(declaration.sizes), len(declaration.arrays)
    function.argtypes = [ctypes.c_int64] * numbers + [ctypes.c_void_p] * pointers
    return function


# how a length is written -> whether so many numbers fit, and how it is said
LENGTHS: dict[str, tuple[Callable[[int, int], bool], str]] = {
    "": (lambda numbers, n: numbers == n, ""),
    "~": (lambda numbers, n: numbers % max(1, n) == 0, "a multiple of "),
    ">": (lambda numbers, n: numbers > n, "more than "),
}


@dataclass(frozen=True)
class Array:
    """A declared array; ``length`` is an expression in the sizes and in the arrays before it."""

    name: str
    optional: bool
    dtype: str  # "" for the type of the call
    sign: str  # "", "~" or ">"
    length: CodeType
    below: CodeType | None  # of whole numbers

    @staticmethod
    def of(text: str) -> "Array":
        name, *kind, numbers = text.split()
        length, _, below = numbers.partition("<")
        sign = length[0] if length[0] in LENGTHS else ""
        expression = compile(length.removeprefix(sign), f"length of {name}", "eval")
        bound = compile(below, f"bound of {name}", "eval") if below else None
        dtype = {"": "", "i": "torch.int64", "d": "torch.float64"}["".join(kind)]
        return Array(name.removesuffix("?"), name.endswith("?"), dtype, sign, expression, bound)

    def trouble(self, tensor: Tensor | None, dtype: str, sizes: dict[str, int]) -> str | None:
        """Say what is wrong with a tensor in this place; ``sizes`` learns its length."""
        if tensor is None:
            return None if self.optional else "is missing"
        if str(tensor.dtype) != (self.dtype or dtype):
            return f"is of type {tensor.dtype}"
        if not tensor.is_cpu:
            return f"is on {tensor.device}"
        if not tensor.is_contiguous():
            return "is not contiguous"
        numbers = sizes[self.name] = tensor.numel()
        length = eval(self.length, {}, sizes)  # an expression of this file, never of a caller
        fits, spoken = LENGTHS[self.sign]
        if not fits(numbers, length):
            return f"has {numbers} numbers, not {spoken}{length}"
        return self._outside(tensor, eval(self.below, {}, sizes)) if self.below and numbers else None

    def _outside(self, tensor: Tensor, bound: int) -> str | None:
        least, most = (int(value) for value in tensor.aminmax())
        return (
            None if least >= 0 and most < bound else f"has values from {least} to {most}, not from 0 to below {bound}"
        )


@dataclass(frozen=True)
class Declaration:
    """A kernel's sizes and arrays."""

    sizes: tuple[str, ...]
    arrays: tuple[Array, ...]

    def check(self, name: str, dtype: str, sizes: tuple[Any, ...], arrays: tuple[Any, ...]) -> None:
        """Refuse what the kernel would read or write wrongly."""
        if len(arrays) != len(self.arrays) or not all(type(size) is int and size >= 0 for size in sizes):
            raise ValueError(f"kernel {name}: it takes {len(self.sizes)} sizes and {len(self.arrays)} arrays")
        values: dict[str, int] = dict(zip(self.sizes, sizes, strict=True))
        for array, tensor in zip(self.arrays, arrays, strict=True):
            if trouble := array.trouble(tensor, dtype, values):
                raise ValueError(f"kernel {name}: {array.name} {trouble}")


@cache
def declarations() -> dict[str, Declaration]:
    """Parse the declarations of all kernels, by name."""
    lines = DECLARATIONS.replace("\n    ", " ").strip().splitlines()
    return dict(_declaration(line) for line in lines)


def _declaration(line: str) -> tuple[str, Declaration]:
    name, _, signature = line.partition(":")
    sizes, _, arrays = signature.partition("|")
    return name, Declaration(tuple(sizes.split()), tuple(Array.of(text) for text in arrays.split(",")))
