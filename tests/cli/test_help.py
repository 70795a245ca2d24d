"""Help teaches: the order of a first session, an example per command, brackets as they stand, no former spelling."""

import re
import shlex
from pathlib import Path

import pytest
import typer
from command_runner import Runner

from whichword.cli.commands import GROUPS, PANELS, app
from whichword.cli.options import FORMER

OF_TWO_WORDS = [f"{name} {command.__name__}" for name, commands in GROUPS.items() for command in commands]
NAMES = [command.__name__ for panel in PANELS.values() for command in panel] + OF_TWO_WORDS
ALONE = typer.main.get_command(app).commands  # type: ignore[attr-defined]
COMMANDS = ALONE | {name: ALONE[name.split()[0]].commands[name.split()[1]] for name in OF_TWO_WORDS}
ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "quickstart.ipynb", *ROOT.glob("docs/*.md")]


def typed_commands(text: str) -> list[list[str]]:
    """The words of every ``whichword COMMAND ...`` in a block or span of code, to its end or to a comment."""
    lines = re.findall(r"(?: {4}|`)(whichword (?!--help).*?)(?:`|#|\\n|$)", text, flags=re.MULTILINE)
    return [_named(re.split(r"[ |\[\]]+", line.strip())[1:]) for line in lines]


def _named(words: list[str]) -> list[str]:
    """The command's name first, also where it has two words."""
    return [" ".join(words[:2]), *words[2:]] if words[0] in GROUPS else words


def options_of(command: str) -> set[str]:
    parameters = COMMANDS[command].params
    return {spelling for parameter in parameters for spelling in (*parameter.opts, *parameter.secondary_opts)}


def unknown_options(words: list[str]) -> set[str]:
    return {word for word in words[1:] if re.fullmatch(r"--?[a-z].*", word)} - options_of(words[0]) - {"--help"}


def test_commands_stand_in_the_order_of_a_first_session(run: Runner) -> None:
    text = run("--help").stdout
    listed = re.findall(r"^│ ([a-z]+) ", text, flags=re.MULTILINE)
    session = ["demo", "train", "trust", "explain", "evaluate", "table", "report", "serve"]
    assert listed == [
        *session,
        "agree",
        "shortcut",
        "judge",
        "gate",
        "card",
        "verify",
        "digest",
        "merge",
        "figure",
        "data",
        "methods",
        "league",
    ]
    assert all(panel in text for panel in PANELS)


def test_no_command_is_help_too(run: Runner) -> None:
    assert run() == run("--help")


@pytest.mark.parametrize("name", NAMES)
def test_a_command_has_one_good_line_and_an_example(run: Runner, name: str) -> None:
    text = run(*name.split(), "--help").stdout
    assert f"Usage: whichword {name}" in text
    first, *paragraphs = COMMANDS[name].help.split("\n\n")
    assert 30 < len(first) < 80
    assert first.endswith(".")
    assert paragraphs[-1].startswith(("Example:\n", "Examples:\n"))
    for line in paragraphs[-1].splitlines()[1:]:
        assert len(line) < 100
        program, *typed = shlex.split(line)
        command, *words = _named(typed)
        assert (program, command) == ("whichword", name)
        assert unknown_options([command, *words]) == set()


@pytest.mark.parametrize("name", ["explain", "evaluate", "figure"])
def test_a_method_is_spelled_the_same_everywhere(run: Runner, name: str) -> None:
    text = " ".join(run(*name.split(), "--help").stdout.replace("│", " ").split())
    assert "--method -m" in text
    assert "name[setting=value]; repeat it, or put commas between. [default: " in text


@pytest.mark.parametrize("name", NAMES)
def test_brackets_are_shown_and_former_spellings_are_not(run: Runner, name: str) -> None:
    text = " ".join(run(*name.split(), "--help").stdout.replace("│", " ").split())
    described = [parameter.help or "" for parameter in COMMANDS[name].params]
    for bracket in re.findall(r"\[[^]]*\]", " ".join([COMMANDS[name].help, *described])):
        assert bracket.replace("\\", "") in text
    assert not {f"--{spelling}" for spelling in FORMER} & set(re.findall(r"--[a-z-]+", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_commands_and_options_that_exist(page: Path) -> None:
    for words in typed_commands(page.read_text("utf8")):
        assert words[0] in NAMES, words
        assert unknown_options(words) == set(), words


def test_the_pages_are_really_read() -> None:
    commands = typed_commands("x `whichword explain M --nope` y\n    whichword table RUN --format latex|svg  # z\n")
    assert commands == [["explain", "M", "--nope"], ["table", "RUN", "--format", "latex", "svg"]]
    assert unknown_options(commands[0]) == {"--nope"}
    assert sum(len(typed_commands(page.read_text("utf8"))) for page in PAGES) > 20
