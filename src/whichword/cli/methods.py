"""``whichword methods``: what there is to choose from."""

import dataclasses

from whichword.cli.printing import console, say

# the names alone, because the networks themselves would load torch; a test holds them against the registry
NETWORKS = ("gru", "qgru", "lstm", "qlstm", "cnn", "linear")


def methods() -> None:
    """List the explanation methods with their settings, and the networks.

    A method with another setting is written name[setting=value], here, in specs and in tables; omit_N and occ_N
    work for any N from 1. Parts of LRP are covered by patents: leave lrp out of a run where that matters.

    Example:
      whichword methods
    """
    from rich.table import Table

    from whichword.methods import METHODS

    table = Table(box=None, header_style="bold")
    for title in ("method", "settings", "what it is"):
        table.add_column(title)
    for name in METHODS:
        table.add_row(name, _settings(METHODS[name]), _first_line(METHODS[name]))
    console().print(table)
    say("\nnetworks: " + ", ".join(network_names()))


def network_names() -> list[str]:
    """Ours, and those of installed packages."""
    from importlib import metadata

    plugged_in = (point.name for point in metadata.entry_points(group="whichword.networks"))
    return list(dict.fromkeys((*NETWORKS, *plugged_in)))


def _settings(method: object) -> str:
    if not dataclasses.is_dataclass(method):
        return ""
    fields = [field for field in dataclasses.fields(method) if field.metadata.get("setting", True)]
    return ", ".join(f"{field.name}={str(getattr(method, field.name)).lower()}" for field in fields)


def _first_line(method: object) -> str:
    return (type(method).__doc__ or "").strip().split("\n")[0]
