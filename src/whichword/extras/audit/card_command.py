"""``whichword card``: a run, for a model card or an audit."""

import sys
from pathlib import Path
from typing import Annotated

from whichword.base import files
from whichword.cli.options import RunFolder, option, path, say


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
