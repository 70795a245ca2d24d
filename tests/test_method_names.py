"""Every method says what it is; names of other tools are understood."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from whichword.errors import InputError
from whichword.method_names import ALIASES, WORDS, MethodWords, alias_of, words_of
from whichword.methods import METHODS

ALL = [name for family in ("", *METHODS.families()) for name in METHODS.names(family)]


@pytest.mark.parametrize("name", [name for name in ALL if type(METHODS[name]).__module__.startswith("whichword.")])
def test_every_method_has_words_of_its_own(name: str) -> None:
    words = words_of(name, METHODS[name])
    assert words.title
    assert words.line.endswith(".")
    assert words.formula
    assert words.tooltip.count("\n") == 2


@pytest.mark.parametrize("kind", ["title", "line", "formula"])
def test_no_two_methods_say_the_same(kind: str) -> None:
    said = [getattr(words, kind) for words in map(words_of, (*WORDS, *WORDS.names("contestants")))]
    assert len(said) == len(set(said)) == 22 + 15


def test_settings_and_sizes_are_in_the_title() -> None:
    assert words_of("omit_12").title == "omission of 12 words"
    assert words_of("limsse_ms_s[samples=3000]").title == "LIMSSE, score (3000 samples)"
    assert words_of("lrp[attention=attnlrp,eps=1e-6]").title.endswith("(attention: attnlrp, ε = 1e-6)")


@dataclass(frozen=True)
class Shy:
    """Points at nothing.

    In many words.
    """


@dataclass(frozen=True)
class Bold:
    title: ClassVar[str] = "bold words"
    line: ClassVar[str] = "Points at what is bold."


def test_a_plug_in_speaks_for_itself() -> None:
    assert words_of("shy", Shy()).tooltip == "shy\nPoints at nothing."
    assert words_of("bold[size=2]", Bold()).tooltip == "bold words (size = 2)\nPoints at what is bold."


def test_a_package_brings_words_for_reports_and_takes_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for table in ("_entries", "_families"):
        monkeypatch.setattr(WORDS, table, dict(getattr(WORDS, table)))
    WORDS.register("mine", MethodWords("my words", "Points at mine."))
    assert words_of("mine[size=2]").tooltip == "my words (size = 2)\nPoints at mine."
    with pytest.raises(InputError, match=r"method 'lrp' is taken: whichword\.method_names has it"):
        WORDS.register("lrp", MethodWords("mine"))
    with pytest.raises(InputError, match="method 'omit_4' is taken"):
        WORDS.register("omit_4", MethodWords("mine"))


def test_every_contestant_and_no_other_has_words_with_the_contestants() -> None:
    assert WORDS.names("contestants") == METHODS.names("contestants")
    assert WORDS.names() == [*METHODS]


@pytest.mark.parametrize(
    ("alias", "label"),
    [
        ("integrated_gradients", "grad_int_s_dot"),
        ("IntegratedGradients", "grad_int_s_dot"),
        ("input-x-gradient", "grad_1_s_dot"),
        ("saliency", "grad_1_s_l2"),
        ("leave_one_out", "omit_1"),
        ("occlusion[edges=right]", "occ_1[edges=right]"),
    ],
)
def test_other_tools_names_are_understood(alias: str, label: str) -> None:
    assert METHODS.resolve(alias)[0] == label
    assert METHODS.is_alias(alias)
    assert not METHODS.is_alias(label)


def test_aliases_stand_for_methods_and_hide_none() -> None:
    assert set(ALIASES.values()) <= set(METHODS.names())
    assert [name for name in ALL if alias_of(name) not in (None, name)] == []
    with pytest.raises(InputError, match="did you mean"):
        METHODS.resolve("grad_int_s")


@pytest.mark.parametrize("name", METHODS)
def test_the_page_says_what_the_table_says(name: str) -> None:
    """docs/methods.md is written by python -m experiments.pages.methods."""
    docs = Path(__file__).parents[1] / "docs"
    page, words = (docs / "methods.md").read_text("utf8"), words_of(name, METHODS[name])
    assert f"### `{name}`: {words.title}\n\n{words.line}" in page
    assert f"    phi(t) = {words.formula}\n" in page
    assert (docs / "methods" / f"{name}.svg").is_file()
