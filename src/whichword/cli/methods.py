"""``whichword methods``: what there is to choose from."""

import dataclasses
from typing import TYPE_CHECKING, Annotated

from whichword.cli.options import argument
from whichword.cli.printing import console, say

if TYPE_CHECKING:
    from rich.text import Text

# the names alone, because the networks themselves would load torch; a test holds them against the registry
NETWORKS = ("gru", "qgru", "lstm", "qlstm", "cnn", "linear")


def methods(
    spellings: Annotated[list[str] | None, argument("Methods to explain. [default: all]")] = None,
) -> None:
    """List the explanation methods: title, what they do, formula, settings.

    The first ones are "all"; those of other libraries, and a few more of ours, are "contestants" (-m all,contestants).
    A method with another setting is written name[setting=value], here, in specs and in tables; omit_N and occ_N
    work for any N from 1. Names of other tools (integrated_gradients, saliency, input_x_gradient, occlusion,
    leave_one_out) are understood. Parts of LRP are covered by patents: leave lrp out of a run where that matters.

    Examples:
      whichword methods
      whichword methods integrated_gradients occ_5 lrp[eps=1e-6]
    """
    from rich.table import Table

    from whichword.cli.options import names
    from whichword.methods import METHODS

    table = Table(box=None, header_style="bold", padding=(0, 2, 1, 0))
    table.add_column("method", no_wrap=True)
    table.add_column("what it is")
    for label, method in map(METHODS.resolve, names(spellings, "--method") or _every_name()):
        table.add_row(label, _words(label, method))
    console().print(table)
    if not spellings:
        say("networks: " + ", ".join(network_names()))


def _every_name() -> list[str]:
    """What "all" stands for, then family by family."""
    from whichword.methods import METHODS

    return [name for family in ("", *METHODS.families()) for name in METHODS.names(family)]


def network_names() -> list[str]:
    """Ours, and those of installed packages."""
    from importlib import metadata

    plugged_in = (point.name for point in metadata.entry_points(group="whichword.networks"))
    return list(dict.fromkeys((*NETWORKS, *plugged_in)))


def _words(label: str, method: object) -> "Text":
    """Title, line, formula and settings, one under the other."""
    from rich.text import Text

    from whichword.method_names import words_of

    words, settings = words_of(label, method), _settings(method)
    lines = [Text(words.title, "bold"), Text(words.line), Text(words.formula, "cyan")]
    lines.append(Text(f"settings: {settings}" if settings else "", "dim"))
    return Text("\n").join(line for line in lines if line.plain)


def _settings(method: object) -> str:
    if not dataclasses.is_dataclass(method):
        return ""
    fields = [field for field in dataclasses.fields(method) if field.metadata.get("setting", True)]
    return ", ".join(f"{field.name}={str(getattr(method, field.name)).lower()}" for field in fields)
