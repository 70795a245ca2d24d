"""The errors that a user can cause, and the line that is shown of any other that her machine can cause."""

from collections.abc import Callable

LONGEST = 600  # characters of a message: 5,000 typed digits need not be read again
CRASHED = "crashed: "  # how the remark on a document begins on which a method failed
UNDEFINED = "not defined: "  # ... and for which a method has no relevances by its definition
FOREIGN = 300  # characters that are shown of an error of foreign code


class InputError(ValueError):
    """Bad input, in one line: the command line prints it and ends with code 2, without a traceback."""


class FileError(InputError):
    """A file or folder that was named is not there, or not what it should be."""


class SettingError(InputError):
    """Nothing has this name, or a setting cannot have this value."""


class NotDefinedError(InputError):
    """A method is not defined for this model; the text says why."""


class NoRuleError(InputError):
    """An operation of a network that has no relevance rule; the text names it."""


class ModelFailedError(InputError):
    """A model raised, or gave something that is no answer."""


class FailedCallError(ModelFailedError):
    """A remote model gave no answer, also when asked again; it may answer for another document."""


class DamagedError(InputError):
    """A stored file is missing, cut off, or not what was written."""


def one_line(error: BaseException) -> str | None:
    """Say in one line what input or machine caused; None: a fault of the program.

    The place that knows more raises `InputError` with file and reason; this is for what no place foresaw: a disk that
    is full, a path that is no UTF-8, a number that no machine word holds, a file that a library does not understand.
    """
    for is_one, words in _KINDS:
        if is_one(error):
            return shortened(" ".join(words(error).split()) or type(error).__name__)
    return None


def shortened(text: str) -> str:
    """Shorten a message to fit a screen."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 60]} ... {text[-50:]}"


def named(error: BaseException) -> str:
    """Say ``ValueError: what it says``, for errors of foreign code."""
    line = " ".join(str(error).split())
    return f"{type(error).__name__}: {line[:FOREIGN]}" if line else type(error).__name__


def _of(*kinds: type[BaseException]) -> Callable[[BaseException], bool]:
    return lambda error: isinstance(error, kinds)


def _from(*packages: str) -> Callable[[BaseException], bool]:
    """Match errors of libraries that need not be loaded here: their classes are known by where they are defined."""
    return lambda error: any(kind.__module__.partition(".")[0] in packages for kind in type(error).__mro__)


def _of_the_system(error: BaseException) -> str:
    assert isinstance(error, OSError)
    reason = error.strerror or str(error) or type(error).__name__
    paths = [str(path) for path in (error.filename, error.filename2) if path is not None]
    return f"{' -> '.join(paths)}: {reason}" if paths else reason


def _of_text(error: BaseException) -> str:
    assert isinstance(error, UnicodeError)
    if not isinstance(error, UnicodeDecodeError | UnicodeEncodeError):  # the base class has no encoding or position
        return f"text that cannot be read: {error}"
    verb = "read" if isinstance(error, UnicodeDecodeError) else "written"
    return f"text cannot be {verb} as {error.encoding} at position {error.start}: {error.reason}"


def _out_of_memory(error: BaseException) -> bool:
    """Match lack of memory: numpy and Python raise `MemoryError`, torch says it in words."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "allocate memory" in str(error))


# the first that fits: Arrow's errors are also OSError or ValueError, and say more under their own name
_KINDS: tuple[tuple[Callable[[BaseException], bool], Callable[[BaseException], str]], ...] = (
    (_of(InputError), str),
    (_out_of_memory, lambda error: "there is not enough memory for this: try smaller sizes or shorter texts"),
    (_from("pyarrow"), lambda error: f"Arrow cannot read or write this: {error}"),
    (_from("safetensors", "safetensors_rust"), lambda error: f"not a sound safetensors file: {error}"),
    (_of(OSError), _of_the_system),
    (_of(UnicodeError), _of_text),
    (_of(OverflowError), lambda error: f"a number is too large: {error}"),
    (_of(RecursionError), lambda error: "the input is nested too deeply"),
)
