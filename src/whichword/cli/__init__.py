"""The ``whichword`` command. Importing it loads neither torch nor numpy: what computes is imported by who computes."""

from whichword.cli import commands
from whichword.cli.app import main

__all__ = ["commands", "main"]
