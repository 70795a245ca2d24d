"""The errors that a user can cause, and what a person reads of any other that her machine can."""

from collections.abc import Callable

LONGEST = 600  # characters of a message: whoever typed 5,000 digits need not read them all
CRASHED = "crashed: "  # how the remark on a document begins on which a method failed
UNDEFINED = "not defined: "  # ... and for which a method has no relevances, which is no fault of its
FOREIGN = 300  # characters of an error of somebody else's code that are shown


class InputError(ValueError):
    """Bad input, said in one line: the command line prints it and ends with code 2, without a traceback."""


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
    """A model that is asked elsewhere gave no answer, however often it was asked; another document may fare better."""


class DamagedError(InputError):
    """A stored file is missing, cut off, or not what was written."""


def one_line(error: BaseException) -> str | None:
    """What a person reads of an error that input or machine can cause; None: a fault of the program.

    The place that knows more raises `InputError` with file and reason; this is for what no place foresaw: a disk that
    is full, a path that is no UTF-8, a number that no machine word holds, a file that a library does not understand.
    """
    for is_one, words in _KINDS:
        if is_one(error):
            return shortened(" ".join(words(error).split()) or type(error).__name__)
    return None


def shortened(text: str) -> str:
    """A message that fits a screen."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 60]} ... {text[-50:]}"


def named(error: BaseException) -> str:
    """``ValueError: what it says``, for errors of somebody else's code."""
    line = " ".join(str(error).split())
    return f"{type(error).__name__}: {line[:FOREIGN]}" if line else type(error).__name__


def _of(*kinds: type[BaseException]) -> Callable[[BaseException], bool]:
    return lambda error: isinstance(error, kinds)


def _from(*packages: str) -> Callable[[BaseException], bool]:
    """Errors of libraries that need not be loaded here: their classes are known by where they are defined."""
    return lambda error: any(kind.__module__.partition(".")[0] in packages for kind in type(error).__mro__)


def _of_the_system(error: BaseException) -> str:
    assert isinstance(error, OSError)
    reason = error.strerror or str(error) or type(error).__name__
    paths = [str(path) for path in (error.filename, error.filename2) if path is not None]
    return f"{' -> '.join(paths)}: {reason}" if paths else reason


def _of_text(error: BaseException) -> str:
    assert isinstance(error, UnicodeError)
    if not isinstance(error, UnicodeDecodeError | UnicodeEncodeError):
        return f"text that cannot be read: {error}"
    verb = "read" if isinstance(error, UnicodeDecodeError) else "written"
    return f"text cannot be {verb} as {error.encoding} at position {error.start}: {error.reason}"


def _out_of_memory(error: BaseException) -> bool:
    """numpy and Python raise `MemoryError`, torch says it in words."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "allocate memory" in str(error))


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
