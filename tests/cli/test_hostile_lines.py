"""Hundreds of command lines that a person, a script or an enemy may type: one line on standard error and code 2.

Values that no number, setting or path can have are tried on every option of every command, as the commands declare
them: a new option is tried without a word here.
"""

import inspect
import os
import shlex
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType
from typing import Any

import pytest
from command_runner import Runner
from faults import count

from whichword.cli.commands import PANELS

LONG = "9" * 5000
ESCAPED, EMOJI, HALF = "\x1b[31mred", ":smile:", "half\udcff"

# what the words before an option have to be, so that the option is what is wrong
BEFORE = {
    "demo": "",
    "train": "reviews.csv --out OUT",
    "explain": "MODEL a",
    "evaluate": "MODEL --corpus grammar --out OUT",
    "merge": "RUN --out OUT",
    "agree": "RUN",
    "shortcut": "cnn --corpus grammar --out OUT",
    "judge": "RUN --out OUT",
    "gate": "RUN --against RUN",
    "trust": "NUMBER --corpus grammar --out OUT",
    "table": "RUN",
    "report": "RUN",
    "serve": "MODEL",
    "verify": "RUN",
    "digest": "RUN",
    "figure": "RUN --document KEY",
    "data": "",
    "methods": "",
}
VALUES = {
    int: ("", " ", "x", "1.5", "nan", "inf", LONG, "9" * 20, "-" + "9" * 20, "²", EMOJI, ESCAPED, HALF),
    float: ("", "x", "nan", "inf", "-inf", "1e999", LONG, EMOJI, HALF),
    Path: ("", "a\0b"),
}
Case = tuple[list[str], str]


def kind_of(annotation: Any) -> Any:
    """``Annotated[int | None, ...]`` -> int."""
    declared = typing.get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation
    parts = typing.get_args(declared) if isinstance(declared, UnionType) else (declared,)
    return parts[0]


def options(command: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """(spelling, kind) of the options with a value."""
    for parameter in inspect.signature(command).parameters.values():
        for about in getattr(parameter.annotation, "__metadata__", ()):
            declared = (about.default, *(about.param_decls or ()))  # typer takes the first spelling for a default
            spellings = [text for text in declared if isinstance(text, str) and text.startswith("--")]
            if spellings:
                yield spellings[0], kind_of(parameter.annotation)


def by_option() -> Iterator[Case]:
    """Every option with every value that is none of its kind."""
    for command in (command for panel in PANELS.values() for command in panel):
        before = BEFORE.get(command.__name__)  # None: a new command, which may say what else is missing
        for spelling, kind in options(command):
            for value in VALUES.get(kind, ()):
                words = [command.__name__, *shlex.split(before or ""), spelling, value]
                yield words, spelling.lstrip("-") if before is not None else ""


NUMBERS = ("none", "nan", "inf", "", "x", "1_0", "²", LONG)
SETTINGS = {
    "explain MODEL a -m {}": {
        "lrp": {"eps": (*NUMBERS, "0", "-1", "true"), "attention": ("", "x", "none")},
        "deeplift": {"eps": (*NUMBERS, "0", "-1"), "readout": ("", "x", "none")},
        "limsse_ms_s": {"samples": (*NUMBERS[1:], "0", "-1", "1.5", "true")},
        "limsse_bb": {"samples": (*NUMBERS[1:], "0", "-1", "1.5")},
        "grad_int_s_dot": {"steps": (*NUMBERS, "0", "-1", "1.5")},
        "omit_3": {"edges": ("", "x", "none", "1")},
        "occ_1": {"edges": ("", "x", "none", "1")},
    },
    "evaluate NUMBER --corpus reviews.csv --out OUT --game {}": {
        "hybrid": {"sentences": (*NUMBERS, "0", "-1", "1.5"), "cut": (*NUMBERS[1:], "0", "-1")},
    },
    "data {}": {
        "reviews.csv": {
            "text": ("", "x", "none"),
            "label": ("", "x"),
            "part": ("x",),
            "train": (*NUMBERS, "-1"),
            "heldout": (*NUMBERS, "-1"),
            "test": (*NUMBERS, "-1"),
            "strict": ("", "x", "none", "1"),
            "quoting": ("", "x", "none.", "1"),
        },
        "grammar": {"sentences": (*NUMBERS, "0", "-1", "1.5"), "none": (*NUMBERS, "-1"), "seed": NUMBERS},
        "docstrings": {"largest": (*NUMBERS, "0", "-1"), "shortest": NUMBERS},
        "yelp": {"share": NUMBERS, "strict": ("", "x", "none")},
        "agreement": {"train": NUMBERS, "quoting": ("", "1")},
        "ud": {"frequent": NUMBERS, "strict": ("1",)},
    },
}


def by_setting() -> Iterator[Case]:
    """Every setting with every value that is none of its kind, or out of its range."""
    for line, entries in SETTINGS.items():
        for name, settings in entries.items():
            for setting, values in settings.items():
                for value in values:
                    yield [word.format(f"{name}[{setting}={value}]") for word in line.split()], ""


PATHS = {
    "LONG": "File name too long",
    "LOOP": "Too many levels of symbolic links",
    "PIPE": "pipe",
    "/dev/full": "device",
    "/dev/null": "device",
    "FILE/inside": "Not a directory",
}
WRITING = (
    "report RUN --out {}",
    "figure RUN --document KEY --out {}",
    "figure RUN --document KEY -f svg --out {}",
    "judge RUN --texts {}",
    "gate RUN --against RUN --json {}",
)
FOLDERS = (
    "train reviews.csv --out {}",
    "trust NUMBER --corpus grammar --out {}",
    "evaluate NUMBER --corpus grammar --out {}",
    "demo --out {}",
)
READING = (
    "verify {}",
    "digest {}",
    "table {}",
    "report {} --out OUT",
    "figure {} --document a",
    "evaluate --spec {}",
    "judge RUN --relevances {}",
    "judge {} --relevances FILE",
    "gate {} --against RUN",
    "gate RUN --against {}",
    "merge {} --out OUT",
    "evaluate --spec {} --dry-run",
)


def by_path() -> Iterator[Case]:
    """Every writer and reader at places where nothing can be written or read."""
    for line in WRITING:
        for path, reason in PATHS.items():
            yield line.format(path).split(), reason
        yield line.format("MODEL").split(), "it is a folder, not a file"
        yield line.format("missing/x").split(), "No such file or directory"
    for line in FOLDERS:
        for path in PATHS:
            yield line.format(path).split(), ""
    for line in READING:
        for path in ("LONG", "LOOP", "PIPE", "/dev/null", "/dev/zero", "MODEL", "FILE/inside", "missing"):
            yield line.format(path).split(), ""


BY_HAND: list[tuple[str, str]] = [
    ("explain ':smile:' a", "':smile:'"),
    ("explain '[red]x' a", "'[red]x'"),
    ("explain MODEL a --target ':thumbs_up:'", "':thumbs_up:'"),
    ("explain MODEL a --device cuda:99", "torch cannot compute on the device 'cuda:99'"),
    ("explain MODEL a --device ''", "torch cannot compute on the device ''"),
    ("explain MODEL a --device :smile:", "':smile:'"),
    ("explain MODEL a --device meta:-1", "torch cannot compute on the device"),
    (f"explain MODEL a -m omit_{LONG}", "no method is called"),
    ("explain MODEL a -m omit_²", "no method is called"),
    ("explain MODEL a -m 'lrp[eps=1,eps=2]'", "setting eps is given twice"),
    ("explain MODEL a -m 'lrp[eps=1,]'", "must be written name=value"),
    ("explain MODEL a -m 'lrp[]]'", "write name or name[setting=value,...]"),
    ("trust NUMBER --corpus grammar --out OUT --time nan", "'nan' is no time"),
    (f"trust NUMBER --corpus grammar --out OUT --time {LONG}", "is no time"),
    ("trust NUMBER --corpus grammar --out OUT --time -1s", "is no time"),
    ("trust NUMBER --corpus grammar --out OUT --time ''", "is no time"),
    ("explain os.path:join a", "os.path:join: the function failed: TypeError"),
    ("explain os:getcwd a", "a str is no model"),
    ("explain json.nothing:missing a", "cannot be imported"),
    ("train RUN", "no corpus is called"),
    ("train reviews.csv --out RUN", "holds other files"),
    ("train reviews.csv --out MODEL", "holds a network that was not trained there"),
    ("train '~nosuchuser/r.csv'", "no such user"),
    ("data --data '~nosuchuser'", "no such user"),
    ("data yelp --data '~nosuchuser'", "no such user"),
    ("data PIPE.csv", "cannot be read"),
    ("train grammar[sentences=40] --out trained --vectors PIPE", "it is a pipe, not a file"),
    ("train grammar[sentences=40] --out trained --vectors /dev/zero", "it is a device, not a file"),
    ("train grammar[sentences=40] --out trained --vectors MODEL", "it is a folder, not a file"),
    ("evaluate --spec LONGNUMBER", "not TOML"),
    ("evaluate --spec NESTED", "not TOML"),
    ("evaluate --spec LATIN", "not TOML"),
    ("table RUN RUN RUN --format ':smile:'", "':smile:'"),
    ("serve MODEL --host ':smile:'", ":smile:"),
]
BY_STANDARD_INPUT = {"not UTF-8": (b"a film\n\xff\xfe\n", "standard input:2: not UTF-8 at byte 1")}

CASES: list[Case] = [*by_option(), *by_setting(), *by_path(), *((shlex.split(words), text) for words, text in BY_HAND)]


@pytest.fixture(scope="module")
def places(model: Path, agreement_model: Path, run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the words in capitals stand for, and the folder to be in."""
    from whichword import open_run

    folder = tmp_path_factory.mktemp("hostile")
    (folder / "reviews.csv").write_text("text,label\na good film,yes\na film,no\n")
    (folder / "file").write_text("")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "longnumber.toml").write_text(f"seed = {LONG}\n")
    (folder / "nested.toml").write_text("a = " + "[" * 5000)
    (folder / "latin.toml").write_bytes(b'data = "\xe9"\n')
    os.mkfifo(folder / "pipe")
    key = open_run(run_folder).items("s00")[0].key
    words = {"MODEL": model, "NUMBER": agreement_model, "RUN": run_folder, "FILE": "file", "OUT": "out", "KEY": key}
    more = {"LONGNUMBER": "longnumber.toml", "NESTED": "nested.toml", "LATIN": "latin.toml", "LONG": "x" * 300}
    return folder, {**words, **more, "LOOP": "loop", "PIPE": "pipe"}


def filled_in(word: str, words: dict[str, Any]) -> str:
    first, slash, below = word.partition("/")
    return f"{words[first]}{slash}{below}" if first in words else word


def test_there_are_more_than_four_hundred() -> None:
    assert len(CASES) > 400


def trouble(run: Runner, arguments: list[str], message: str, stdin: str = "") -> str | None:
    """What is wrong with the answer to a command line; None: it is one line, and says this."""
    try:
        done = run(*arguments, stdin=stdin)
    except Exception as error:
        return f"{arguments}: {type(error).__name__}: {error}"[:300]
    form = done.stderr.startswith("whichword: ") and done.stderr.count("\n") == 1 and len(done.stderr) < 1200
    calm = "\x1b" not in done.stderr and not done.stdout
    sound = done.returncode == 2 and form and calm and message in done.stderr
    return None if sound else f"{arguments}: {done}"[:600]


@pytest.mark.parametrize("part", range(8))
def test_each_is_one_line_and_code_2(run: Runner, places: Any, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """In parts, because a test of its own for each would take longer than what it tests."""
    folder, words = places
    monkeypatch.chdir(folder)
    before = {path.name for path in folder.iterdir()}
    tried = (([filled_in(word, words) for word in arguments], message) for arguments, message in CASES[part::8])
    troubles = [text for arguments, message in tried if (text := trouble(run, arguments, message))]
    assert not troubles, "\n".join(troubles)
    count("command lines", len(CASES[part::8]))
    left = {path.name for path in folder.iterdir()} - before
    assert left <= {"out"}, "something was written"
    assert {path.name for path in (folder / "out").glob("*")} <= {"lock"}


@pytest.mark.parametrize("name", BY_STANDARD_INPUT)
def test_standard_input(run: Runner, model: Path, name: str) -> None:
    content, message = BY_STANDARD_INPUT[name]
    arguments = ["explain", str(model), "-m", "last"]
    assert trouble(run, arguments, message, content.decode("utf8", "surrogateescape")) is None
