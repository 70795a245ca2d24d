"""``whichword explain``: print coloured words in the terminal, or JSON."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from rich.text import Text

from whichword.cli.options import MODEL_HELP, BatchWords, Plugins, argument, console, methods_option, names, option
from whichword.errors import FileError, InputError, SettingError
from whichword.registry import announce

if TYPE_CHECKING:
    from rich.console import Console

    from whichword.explanation import Explanation
    from whichword.health.checkup import Checkup
    from whichword.model import Model

DEFAULT_METHODS = ("limsse_ms_s", "lrp", "grad_int_s_dot")  # of three kinds: substrings, relevance, gradients


def explain(
    model: Annotated[str, argument(f"A model: {MODEL_HELP}.")],
    texts: Annotated[list[str] | None, argument("Texts; none or -: one per line from standard input.")] = None,
    method: Annotated[list[str] | None, methods_option(",".join(DEFAULT_METHODS))] = None,
    all_methods: Annotated[bool, option("--all", help="Every method, side by side.")] = False,
    target: Annotated[str | None, option("--target", help="The class to explain. [default: the predicted one]")] = None,
    as_json: Annotated[bool, option("--json", help="One JSON object per text.")] = False,
    seed: Annotated[int, option("--seed", help="For methods that draw random numbers.")] = 0,
    device: Annotated[
        str | None, option("--device", help="Where torch computes. [default: where the model is]")
    ] = None,
    health: Annotated[
        bool, option("--health", help="Afterwards, what is suspicious about the methods on these texts.")
    ] = False,
    plugin: Plugins = None,
    batch_words: BatchWords = None,
    time_limit: Annotated[
        float | None,
        option("--time-limit", help="Seconds that all texts may take: more is refused before work begins."),
    ] = None,
) -> None:
    """Show which words made a model say what it says.

    Green speaks for the class, red against it; the most relevant word is bold, unknown words are italic. Without
    colours (NO_COLOR, a pipe) {+} to {+++} stands behind words that speak for the class, {-} to {---} against it, and
    ! behind the most relevant one.

    Examples:
      whichword explain models/docstrings-cnn "Compute the inverse of a matrix."
      whichword explain models/docstrings-cnn --method lrp,limsse_ms_s[samples=3000] "A text."
      whichword explain models/docstrings-cnn --all --json < texts.txt
      whichword explain models/docstrings-cnn --health -m all,contestants < texts.txt
    """
    from whichword import api
    from whichword.models import load

    announce(plugin or [])
    chosen = _methods(method, all_methods)
    if device is not None:
        _check_device(device)
    loaded, queue = load(model), _texts(texts)  # an iterator: a pipe may never end
    if health:
        queue = iter(texts := list(queue))  # read twice, so standard input has to be held
    if time_limit is not None:
        queue = _affordable(loaded, list(queue), chosen, time_limit)
    explanations = api.explain(
        loaded, queue, chosen, target, seed=seed, device=device, batch_words=batch_words, stream=True
    )
    screen = console()
    for explanation in explanations:
        if as_json:
            print(explanation.to_json())
        else:
            _show(screen, explanation)
    if health:
        _show_health(screen, api.examine(loaded, texts or [], chosen, target, seed=seed), as_json)


def _show_health(screen: "Console", checkup: "Checkup", as_json: bool) -> None:
    """Print one JSON object behind those of the texts, or a line per complaint."""
    from whichword.render import escape

    if as_json:
        print(json.dumps({"health": checkup.to_dict()}))
        return
    complaints = [f"{name}: {line}" for name, lines in checkup.complaints.items() for line in lines]
    undefined = [f"{name}: n/a, {reason}" for name, reason in checkup.undefined.items()]
    screen.print(Text("health", style="bold"))
    for line in [*checkup.remarks, *(complaints or ["nothing suspicious in any method"]), *undefined]:
        screen.print(Text(escape.terminal(f"  {line}")))


def _methods(method: list[str] | None, all_methods: bool) -> list[str] | None:
    """Choose the names; None: all that are defined for the model."""
    if method and all_methods:
        raise SettingError("--all means every method: leave --method out, or --all")
    return None if all_methods else (names(method, "--method") or list(DEFAULT_METHODS))


def _texts(arguments: list[str] | None) -> Iterator[str]:
    if arguments and arguments != ["-"]:
        return iter(arguments)
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("no text was given: name one, or pipe texts in, one per line")
    return map(_line, enumerate(sys.stdin.buffer, 1))  # as bytes come: explanations of a pipe appear at once


def _line(numbered: tuple[int, bytes]) -> str:
    """Decode a line of standard input strictly, whatever the locale says."""
    number, line = numbered
    try:
        return line.rstrip(b"\r\n").decode("utf8")
    except UnicodeDecodeError as error:
        raise FileError(f"standard input:{number}: not UTF-8 at byte {error.start + 1}: {error.reason}") from None


def _check_device(device: str) -> None:
    """Refuse a device on which torch cannot compute: it says so by errors of many kinds."""
    import torch

    try:
        torch.zeros(1, device=device)
    except Exception as error:  # ImportError, ValueError, TypeError, ...: as the backend likes
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise SettingError(f"torch cannot compute on the device {device!r}: {reason}") from None


def _affordable(model: "Model", texts: list[str], methods: list[str] | None, seconds: float) -> Iterator[str]:
    """Return the texts, if an estimate says that they can be explained in so many seconds."""
    from whichword.methods import plan
    from whichword.planning.costs import explaining, within
    from whichword.text import tokenize

    if not seconds > 0:  # so written that NaN is refused
        raise SettingError(f"time-limit must be a positive number of seconds, not {seconds:g}")
    lengths = [len(tokenize(text)[0]) for text in texts]
    within(explaining(model, lengths, plan(methods, model)), seconds)
    return iter(texts)


def _show(screen: "Console", explanation: "Explanation") -> None:
    from whichword.render import escape, terminal

    chance = explanation.probabilities[explanation.predicted]
    headline = f"predicted {explanation.predicted} ({100 * chance:.0f} %), explained {explanation.target}"
    screen.print(Text(escape.terminal(headline), style="bold"))
    rows = {name: explanation.cells(name) for name in explanation.relevance}
    screen.print(terminal.stacked(rows, colours=None if screen.no_color else screen.color_system))
    for name, note in explanation.notes.items():
        screen.print(Text(escape.terminal(f"{name}: {note}"), style="dim italic"))
    if explanation.unread:
        screen.print(Text(escape.terminal(explanation.unread_note), style="dim italic"))
    screen.print()
