"""The ``whichword`` command."""

from whichword.cli import data, demo, evaluate, explain, methods, report, runs, serve, train
from whichword.cli.app import main

__all__ = ["data", "demo", "evaluate", "explain", "main", "methods", "report", "runs", "serve", "train"]
