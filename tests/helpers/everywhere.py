"""A process that uses one spelling of a model on the command line, in a spec, a run and the web app."""

import json
import sys
from pathlib import Path

import planted_corpus  # registers the corpus
from typer.testing import CliRunner

from whichword.cli.commands import PANELS, app
from whichword.extras.app.jobs import open_shelf
from whichword.runs.run import open_run

SPEC = 'methods = ["lrp"]\nlimit = 6\n[models]\nm = "{}"\n[[play]]\ncorpora = ["planted"]\n'


def invoke(*words: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (result.exception, result.output)


def main(spelling: str, base: Path) -> None:
    assert planted_corpus.CLASSES
    assert PANELS  # the commands are registered
    (base / "spec.toml").write_text(SPEC.format(spelling))
    words = ("--corpus", "planted", "-m", "lrp", "--limit", "6", "--workers", "1")
    invoke("evaluate", spelling, *words, "--out", f"{base}/named")
    invoke("evaluate", "--spec", f"{base}/spec.toml", "--workers", "1", "--out", f"{base}/specified")
    subjects = [open_run(base / name).plan.models[0] for name in ("named", "specified")]
    print(json.dumps([[subject.label, subject.spelling, subject.about.name] for subject in subjects]))
    print(json.dumps(list(open_shelf([spelling, base / "named"]).models)))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
