"""A new section of the report: how long are the texts? Run me: python examples/add_a_section.py

A package enters it: [project.entry-points."whichword.sections"] lengths = "my_package:lengths".
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import whichword
from whichword.networks import Config, Network
from whichword.render.escape import html
from whichword.reporting.page.sections import SECTIONS, Report, Section
from whichword.text import Vocabulary


def lengths(report: Report) -> str:
    longest = ((entry.name, max(len(item.words) for item in entry.items)) for entry in report.gathered)
    return "".join(f"<p>{html(name)}: {words} words at most</p>" for name, words in longest)


SECTIONS.register("lengths", Section("Lengths", lengths))
with TemporaryDirectory() as temporary:
    folder = Path(temporary)
    network = Network(Config("cnn", ("singular", "plural"), 8, 8), Vocabulary(("the", "dogs", "dog")))
    network.requires_grad_(False).save(folder / "cnn")
    play = whichword.Play(("cnn",), ("grammar[sentences=300]",), methods=("omit_1", "random"), limit=20)
    whichword.evaluate(whichword.Spec({"cnn": folder / "cnn"}, (play,)), folder / "run")
    page = whichword.report(folder / "run", folder / "report.html").read_text("utf8")
    print(page.partition('id="lengths">')[2].partition("</section>")[0])
