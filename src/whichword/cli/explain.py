"""``whichword explain``: coloured words in the terminal, or JSON."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from whichword import api
from whichword.cli.app import app
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.methods import plan
from whichword.methods.estimate import estimate, within
from whichword.networks import Network
from whichword.networks.checkpoint import load
from whichword.render import escape, terminal
from whichword.text import tokenize

DEFAULT_METHODS = ("limsse_ms_s", "lrp", "grad_int_s_dot")


@app.command()
def explain(
    model: Annotated[Path, typer.Argument(help="The folder of a network.")],
    texts: Annotated[list[str] | None, typer.Argument(help="Texts; none or -: one a line from standard input.")] = None,
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", help="name or name[setting=value]; may be repeated.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every method, side by side.")] = False,
    target: Annotated[str | None, typer.Option(help="The class to explain. [default: the predicted one]")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a text.")] = False,
    seed: Annotated[int, typer.Option(help="For methods that draw random numbers.")] = 0,
    device: Annotated[str, typer.Option(help="Where torch computes.")] = "cpu",
    budget: Annotated[
        float | None, typer.Option(help="Seconds that all texts may take: more is refused before work begins.")
    ] = None,
) -> None:
    """Which words made the model say that? Green speaks for the class, red against it; the most relevant word is bold.

    Unknown words are italic. Example: whichword explain models/docstrings-cnn "Compute the inverse of a matrix."
    """
    names = None if every else (method or list(DEFAULT_METHODS))
    network, given = load(model), _texts(texts)
    if budget is not None:
        given = _affordable(network, list(given), names, budget)
    found = api.explain(network, given, names, target, seed=seed, device=device, stream=True)
    console = Console(highlight=False)
    for explanation in found:
        if as_json:
            print(explanation.to_json())
        else:
            _show(console, explanation)


def _texts(given: list[str] | None) -> Iterator[str]:
    if given and given != ["-"]:
        return iter(given)
    if sys.stdin.isatty():
        raise InputError("no text was given: name one, or pipe texts in, one a line")
    return (line.rstrip("\n") for line in sys.stdin)


def _affordable(network: Network, texts: list[str], names: list[str] | None, budget: float) -> Iterator[str]:
    """The texts, if an estimate says that they can be explained in ``budget`` seconds."""
    lengths = [len(tokenize(text)[0]) for text in texts]
    within(estimate(network, lengths, plan(names, network)), budget)
    return iter(texts)


def _show(console: Console, explanation: Explanation) -> None:
    chance = explanation.probabilities[explanation.predicted]
    said = f"predicted {explanation.predicted} ({chance:.1%}), explained {explanation.target}"
    console.print(Text(escape.terminal(said), style="bold"))
    console.print(terminal.stacked({name: explanation.cells(name) for name in explanation.relevance}))
    for name, note in explanation.notes.items():
        console.print(Text(f"{name}: {note}", style="dim italic"))
    console.print()
