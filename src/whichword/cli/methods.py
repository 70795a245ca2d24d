"""``whichword methods``: what there is to choose from."""

import dataclasses

# the names alone, because the networks themselves would load torch; a test holds them against the registry
NETWORKS = ("gru", "qgru", "lstm", "qlstm", "cnn", "linear")


def methods() -> None:
    """List the explanation methods with their settings, and the networks.

    The first ones are "all"; those of other libraries, and a few more of ours, are "contestants" (-m all,contestants).
    A method with another setting is written name[setting=value], here, in specs and in tables; omit_N and occ_N
    work for any N from 1. Parts of LRP are covered by patents: leave lrp out of a run where that matters.

    Example:
      whichword methods
    """
    from rich.console import Console
    from rich.table import Table

    from whichword.methods import METHODS

    table = Table(box=None, header_style="bold")
    for title in ("method", "settings", "what it is"):
        table.add_column(title)
    for name in METHODS:
        table.add_row(name, _settings(METHODS[name]), _first_line(METHODS[name]))
    for family in METHODS.families():
        table.add_section()
        for name in METHODS.names(family):
            table.add_row(name, _settings(METHODS[name]), _first_line(METHODS[name]))
    console = Console(highlight=False)
    console.print(table, markup=False)
    console.print("\nnetworks: " + ", ".join(network_names()), markup=False)


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
