"""The kernels' declarations fit the C sources; a call that does not fit its declaration is refused beforehand."""

import os
import re
import shutil
from pathlib import Path

import pytest
import torch
from torch import Tensor

from whichword.base import kernels
from whichword.base.kernels import Declaration, declarations

SOURCES = Path(__file__).parents[2] / "csrc"
FUNCTION = re.compile(r"^int (?:NAME\((\w+)\)|(\w+)_f64)\(([^)]*)\) \{", re.MULTILINE)
ARGUMENT = re.compile(r"(?:const )?(int64_t|REAL|double) (\**)(\w+)")
DTYPES = {("REAL", "*"): "", ("int64_t", "*"): "torch.int64", ("double", "*"): "torch.float64"}
DTYPES |= {("REAL", "**"): "torch.int64"}  # addresses
CALLED = {"P": "words"}  # what C calls them -> what the declarations do
SIZES = {"M": 2, "S": 3, "B": 4, "T": 5, "H": 6, "K": 2, "mode": 1, "N": 7, "D": 3, "n": 4, "E": 5, "step": 9}
LENGTHS = {"": lambda n: n, "~": lambda n: 2 * n, ">": lambda n: n + 1}  # that fit
OPTIONAL = {  # arrays for which C takes NULL
    "forward": {"mask", "gates", "before", "memory", "squashed"},
    "backward": {"V", "mask", "sum", "end", "lifted"},
    "relevance_forward": {"reference"},
    "qlstm_backward": {"end"},
    "qgru_backward": {"end"},
    "relevance_backward": {"end"},
    "runs": {"before", "memory"},
    "rows": {"gradient"},
}
DOUBLE = {"logistic", "nested"}  # kernels for double only
FREE = {"stop", "seen"}  # arrays of any length: it is that of others
Signature = tuple[list[str], list[tuple[str, str]]]  # sizes; arrays and their types
every_kernel = pytest.mark.parametrize("name", list(declarations()))


def signatures(source: str) -> dict[str, Signature]:
    """Of all functions that C exports."""
    return {match[1] or match[2]: signature(match[3]) for match in FUNCTION.finditer(source)}


def signature(arguments: str) -> Signature:
    parsed = [ARGUMENT.fullmatch(" ".join(argument.split())).groups() for argument in arguments.split(",")]
    sizes = [name for kind, stars, name in parsed if (kind, stars) == ("int64_t", "")]
    assert [name for _, _, name in parsed[: len(sizes)]] == sizes  # the sizes come first
    arrays = [(CALLED.get(name, name), DTYPES[kind, stars]) for kind, stars, name in parsed[len(sizes) :]]
    return sizes, arrays


def declared(declaration: Declaration) -> Signature:
    return list(declaration.sizes), [(array.name, array.dtype) for array in declaration.arrays]


@pytest.fixture(scope="module")
def source() -> str:
    return "\n".join(path.read_text(encoding="utf8") for path in sorted(SOURCES.glob("*.[ch]")))


def test_every_declaration_is_that_of_the_source(source: str) -> None:
    exported = signatures(source)
    assert exported.keys() == declarations().keys()
    for name, declaration in declarations().items():
        real = {"": "torch.float64"} if name in DOUBLE else {}  # there is one for double only
        sizes, arrays = declared(declaration)
        assert exported[name] == (sizes, [(array, real.get(dtype, dtype)) for array, dtype in arrays]), name


@every_kernel
def test_only_what_c_can_do_without_may_be_absent(name: str) -> None:
    arrays = declarations()[name].arrays
    free = OPTIONAL.get(name) or OPTIONAL.get(name.partition("_")[2], set())
    optional = free & {array.name for array in arrays}
    assert {array.name for array in arrays if array.optional} == optional


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int64_t B, int64_t T, int64_t H, const REAL *carry", "int64_t B, int64_t H, int64_t T, const REAL *carry"),
        ("int64_t H, const REAL *carry", "int64_t H, int64_t G, const REAL *carry"),
        ("const REAL *carry, const REAL *gain, REAL *memory", "const REAL *gain, const REAL *carry, REAL *memory"),
        ("const REAL *carry, const REAL *gain, REAL *memory", "const REAL *carry, REAL *memory"),
        ("const REAL *carry, const REAL *gain", "const REAL *carry, const double *gain"),
        ("int NAME(scan)(", "int NAME(scanned)("),
        ("int NAME(scan)(", "int NAME(extra)(int64_t n) {}\nint NAME(scan)("),
    ],
)
def test_a_change_of_the_source_is_noticed(source: str, old: str, new: str) -> None:
    assert old in source
    with pytest.raises(AssertionError):
        test_every_declaration_is_that_of_the_source(source.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [("scan: B T H |", "scan: B H T |"), ("carry B*T*H, gain", "gain"), ("offset i D+1", "offset d D+1")],
)
def test_a_change_of_a_declaration_is_noticed(source: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert old in kernels.DECLARATIONS
    monkeypatch.setattr(kernels, "DECLARATIONS", kernels.DECLARATIONS.replace(old, new, 1))
    monkeypatch.setattr(f"{__name__}.declarations", declarations.__wrapped__)
    with pytest.raises(AssertionError):
        test_every_declaration_is_that_of_the_source(source)


def test_the_version_is_that_of_the_source(source: str) -> None:
    assert re.findall(r"#define VERSION (\d+)", source) == [str(kernels.VERSION)]


def test_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if kernels.library() is None:
        pytest.skip("the kernels were not built")
    monkeypatch.setattr(kernels, "VERSION", kernels.VERSION + 1)
    assert kernels.library.__wrapped__() is None
    monkeypatch.setattr(kernels, "LIBRARIES", [tmp_path / "nothing.so"])
    assert kernels.library.__wrapped__() is None


def test_where_there_is_a_compiler_there_are_kernels() -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not (os.environ.get("CI") and compiler):
        pytest.skip("this is asked where CI is set and a C compiler is there")
    assert all(path.exists() for path in kernels.LIBRARIES), f"{compiler} is there, but the kernels were not built"
    for dtype in (torch.float32, torch.float64):
        assert kernels.usable(torch.zeros(1, dtype=dtype)), "the kernels were built for another version or processor"


@every_kernel
def test_every_kernel_is_in_the_library(name: str) -> None:
    loaded = kernels.library()
    if loaded is None:
        pytest.skip("the kernels were not built")
    for ending in ("f64",) if name in DOUBLE else kernels.ENDINGS.values():
        assert loaded[f"{name}_{ending}"]


# ---------------------------------------------------------------------------------------------------------------------
# Calls that are refused


@pytest.fixture(autouse=True)
def reached(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that a call would have run: none of them is, so that a wrong call does no harm here."""
    symbols: list[str] = []

    def function(symbol: str):  # type: ignore[no-untyped-def]
        symbols.append(symbol)
        return lambda *arguments: 0

    monkeypatch.setattr(kernels, "_function", function)
    return symbols


def fitting(name: str, dtype: torch.dtype = torch.float64) -> tuple[list[int], list[Tensor | None]]:
    """Sizes and arrays as the declaration has them."""
    declaration = declarations()[name]
    sizes = {size: SIZES[size] for size in declaration.sizes}
    lengths, arrays = dict(sizes), []
    for array in declaration.arrays:
        number = LENGTHS[array.sign](eval(array.length, {}, lengths))
        kinds = {"": dtype, "torch.int64": torch.int64, "torch.float64": torch.float64}
        arrays.append(torch.zeros(number, dtype=kinds[array.dtype]))
        lengths[array.name] = number
    return list(sizes.values()), arrays


def refusal(name: str, sizes: list[object], arrays: list[object]) -> str:
    with pytest.raises(ValueError, match=rf"^kernel {name}: ") as refused:
        kernels.call(name, torch.zeros(1, dtype=torch.float64), *sizes, *arrays)
    return str(refused.value).removeprefix(f"kernel {name}: ")


@every_kernel
def test_what_fits_is_called(name: str, reached: list[str]) -> None:
    for dtype, ending in ((torch.float64, "f64"), (torch.float32, "f32")):
        sizes, arrays = fitting(name, dtype)
        kernels.call(name, torch.zeros(1, dtype=dtype), *sizes, *arrays)
        pairs = zip(declarations()[name].arrays, arrays, strict=True)
        absent = [None if array.optional else tensor for array, tensor in pairs]
        kernels.call(name, torch.zeros(1, dtype=dtype), *sizes, *absent)
        assert reached[-2:] == [f"{name}_{ending}"] * 2


def spoiled(tensor: Tensor) -> dict[str, object]:
    """What is wrong -> such a tensor."""
    strided = torch.zeros(2 * len(tensor), dtype=tensor.dtype)[::2]
    layout = {} if strided.is_contiguous() else {"is not contiguous": strided}  # one number always is
    return {"is of type torch.float32": tensor.float(), "is on meta": tensor.to("meta"), **layout}


@every_kernel
def test_arrays_that_do_not_fit_are_refused_by_name(name: str, reached: list[str]) -> None:
    for place, array in enumerate(declarations()[name].arrays):
        sizes, arrays = fitting(name)
        for trouble, tensor in spoiled(arrays[place]).items():
            assert refusal(name, sizes, [*arrays[:place], tensor, *arrays[place + 1 :]]) == f"{array.name} {trouble}"
        if not array.optional:
            absent = [*arrays[:place], None, *arrays[place + 1 :]]
            assert refusal(name, sizes, absent) == f"{array.name} is missing"
    assert not reached


@every_kernel
def test_lengths_that_do_not_fit_are_refused_by_name(name: str, reached: list[str]) -> None:
    """A number less, and where more would not be read, a number more."""
    for place, array in enumerate(declarations()[name].arrays):
        sizes, arrays = fitting(name)
        number = arrays[place].numel()
        for wrong in (number - 1, number + 1):
            if array.name in FREE or (array.sign == ">" and wrong > number):
                continue
            tensor = torch.zeros(wrong, dtype=arrays[place].dtype)
            message = refusal(name, sizes, [*arrays[:place], tensor, *arrays[place + 1 :]])
            assert message.startswith(f"{array.name} has {wrong} numbers, not "), message
    assert not reached


@every_kernel
def test_another_number_of_arguments_is_refused(name: str, reached: list[str]) -> None:
    sizes, arrays = fitting(name)
    told = f"it takes {len(sizes)} sizes and {len(arrays)} arrays"
    wrong = [
        (sizes, arrays[:-1]),
        (sizes, [*arrays, arrays[-1]]),
        (sizes[:-1], arrays),
        ([*sizes, 1], arrays),
        ([-1, *sizes[1:]], arrays),
        ([float(sizes[0]), *sizes[1:]], arrays),
    ]
    assert [refusal(name, *arguments) for arguments in wrong] == [told] * len(wrong)
    assert not reached


def test_arrays_of_one_document_too_few_are_refused() -> None:
    """States of fewer documents than the words have would be read beyond their end."""
    sizes, arrays = fitting("lstm_runs")
    arrays[1] = torch.zeros(2 * len(arrays[1]), dtype=torch.int64)
    assert refusal("lstm_runs", sizes, arrays).startswith("before has ")


@pytest.mark.parametrize("name", ["lstm_forward", "gru_forward", "lstm_runs", "gru_runs"])
@pytest.mark.parametrize("row", [-1, 2])
def test_words_that_are_not_there_are_refused(name: str, row: int) -> None:
    """``words`` has two rows here; any other would be read outside it."""
    sizes, arrays = fitting(name)
    arrays[1][-1] = row
    assert refusal(name, sizes, arrays).startswith(f"place has values from {min(row, 0)} to {max(row, 0)}, ")
