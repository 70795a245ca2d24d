"""A new command: how long are a corpus's texts? Run me: python examples/add_a_command.py

A package enters it: [project.entry-points."whichword.commands"] lengths = "my_package:lengths".
"""

import statistics
import sys
from typing import Annotated

from whichword.cli import main
from whichword.cli.app import COMMANDS, listed
from whichword.cli.options import argument, say


@COMMANDS.register("lengths")
@listed(order=115)  # between data and methods; without it last
def lengths(corpus: Annotated[str, argument("A corpus or file.")]) -> None:
    """Say how many words the texts of a corpus have."""
    from whichword import read_corpus  # here: `whichword --help` should load nothing slow

    words = [len(document.words) for document in read_corpus(corpus).train]
    say(f"{corpus}: {statistics.median(words):g} words (median), {max(words)} at most")


sys.argv = ["whichword", "lengths", "grammar[sentences=300]"]
main()
