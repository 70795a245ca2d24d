"""``whichword agree``: do the judges of a run agree on which method is best?"""

import sys
from typing import Annotated

from whichword.cli.options import RunFolders, option
from whichword.errors import InputError


def agree(
    runs: RunFolders,
    form: Annotated[str, option("--format", "-f", help="text, markdown or json.")] = "text",
) -> None:
    """Say whether the judges of a run agree: games, parts of games, people.

    For each model: the rank correlation of every two judges over the methods, what the best method of one judge loses
    by the others, the methods they differ on most, and what follows for the verdict. A run has several judges if it
    was made with several games, as by --game hybrid,deletion.

    Examples:
      whichword agree runs/first
      whichword agree runs/first --format markdown
    """
    from whichword.reporting.agreeing import agreement
    from whichword.reporting.judges_words import AGREE_FORMATS

    if form not in AGREE_FORMATS:
        raise InputError(f"no format is called {form!r}; known: {', '.join(AGREE_FORMATS)}")
    sys.stdout.write(AGREE_FORMATS[form](agreement(runs)))
