"""``whichword gate``: an exit code for build servers. ``whichword card``: a run, for a model card or an audit."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from whichword.base import files
from whichword.cli.app import listed
from whichword.cli.options import RunFolder, argument, methods_option, names, option, path, say
from whichword.errors import InputError


@listed(50)
def gate(
    new: Annotated[Path, argument("The run of the new model.", parser=path)],
    against: Annotated[
        Path, option("--against", help="The run of the model that is trusted, over the same items.", parser=path)
    ],
    method: Annotated[list[str] | None, methods_option("the best of the trusted run")] = None,
    least: Annotated[list[str] | None, option("--min", help="An accuracy to reach, lrp=.8; may be repeated.")] = None,
    margin: Annotated[float, option("--margin", help="Accuracy that may be lost.")] = 0.05,
    out: Annotated[Path | None, option("--json", help="Write the checks to this file too.", parser=path)] = None,
) -> None:
    """Check a re-trained model's explanations against those of the model before.

    Is the trusted method still right, do as many documents count, does the model read by the same tokenizer? The exit
    code is 0 if so, 1 if not, 2 where there is nothing to compare with.

    Examples:
      whichword gate runs/new --against runs/old
      whichword gate runs/new --against runs/old --min lrp=.8 --json gate.json
    """
    from whichword.extras.audit import gate as gates

    if not 0 <= margin < 1:
        raise InputError(f"margin must be a share of 1, not {margin:g}")
    settings = gates.GateSettings(tuple(names(method, "--method")), _least(least or []), margin)
    checks = gates.gate(new, against, settings)
    if out is not None:
        files.write(out, gates.as_json(checks).encode("utf8"))
    print(gates.text(checks))  # also where nothing failed: a log should say what was checked
    raise typer.Exit(0 if gates.is_green(checks) else 1)


def _least(texts: Sequence[str]) -> dict[str, float]:
    """Read ``lrp=.8,omit_1=.7`` as method -> accuracy."""
    bounds: dict[str, float] = {}
    for part in names(texts, "--min"):
        name, equals, value = part.rpartition("=")  # the last: a method's settings have their own
        try:
            bounds[name.strip()] = float(value)
        except ValueError:
            equals = ""  # the same message as without one
        if not equals or not 0 <= bounds[name.strip()] <= 1:
            raise InputError(f"--min must be written METHOD=ACCURACY, as lrp=.8, not {part!r}")
    return bounds


@listed(60)
def card(
    run: RunFolder,
    kind: Annotated[str, option("--kind", help="model: a section for a model card; audit: an audit card.")] = "model",
    out: Annotated[Path | None, option("--out", help="The file. [default: standard output]", parser=path)] = None,
) -> None:
    """Write what a run says as Markdown, for a model card or for an auditor.

    Limits come first; every figure has its interval and the command that recomputes it.

    Examples:
      whichword card demo/run >> README.md
      whichword card demo/run --kind audit --out audit.md
    """
    from whichword.extras.audit.card import card

    text = card(run, kind)
    if out is None:
        sys.stdout.write(text)
    else:
        files.write(out, text.encode("utf8"))
        say(str(out))
