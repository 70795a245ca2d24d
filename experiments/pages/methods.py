"""``python -m experiments.pages.methods``: docs/methods.md, with a picture of what each method does to one sentence."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

import whichword
from whichword.cli.app import main as run_command
from whichword.explanation import Explanation
from whichword.method_names import FAMILIAR, WORDS, words_of
from whichword.methods import METHODS
from whichword.reporting.figures import stacked

TEXT = "Compute the eigenvalues of a sparse matrix, then plot a histogram of the random samples."
FAMILIES = {
    "Gradients": ("grad_",),
    "Omission and occlusion": ("omit_", "occ_"),
    "What flows through the network": ("decomp", "lrp", "deeplift"),
    "A linear model of the neighbourhood": ("limsse_",),
    "Baselines": ("random", "last"),
    "Others": (),
}
HEAD = """# The methods

<!-- written by python -m experiments.pages.methods: change the words in src/whichword/method_names.py -->

A method gives every word of a text a number, its relevance phi(t) for a class k: above 0 the word speaks for the class,
below 0 against it. s_k is the score of the class, p_k its probability, e_t the vector of word t, X the text, T its
length. `whichword methods` prints the same words.

The pictures show one sentence under one small network ({network}, which says *{predicted}*): green speaks for that
class, red against it, the most relevant word is bold. Which method can be believed is not visible in such a picture:
that is what [games](games.md) are for.

A method with another setting is written `name[setting=value]`: `limsse_ms_s[samples=3000]`, `occ_3[edges=right]`,
`lrp[eps=1e-6]`. `omit_N` and `occ_N` work for any N from 1.
"""
LRP = "Parts of LRP are covered by patents in some countries: leave `lrp` out of a run where that matters."

app = typer.Typer(add_completion=False)


@app.command()
def write(
    model: Annotated[str, typer.Option(help="A gated network, so that every method is defined.")] = (
        "demo/models/docstrings-lstm"
    ),
    docs: Annotated[Path, typer.Option(help="The folder of the documentation.")] = Path("docs"),
) -> None:
    """Write docs/methods.md and docs/methods/*.svg."""
    network = whichword.load(model)
    explanation = whichword.explain(network, TEXT)[0]
    (docs / "methods").mkdir(exist_ok=True)
    for name in METHODS:
        picture = stacked({name: explanation.cells(name)}, f"{name} on one sentence")
        (docs / "methods" / f"{name}.svg").write_text(picture, "utf8")
    (docs / "methods.md").write_text(page(explanation, network.about.name), "utf8")
    print(docs / "methods.md")


def page(explanation: Explanation, network: str) -> str:
    """The whole page."""
    head = HEAD.format(network=network, predicted=explanation.predicted)
    families = (line for title in FAMILIES for line in _family(title))
    return "\n".join([head, *families, *_contestants(), *_aliases()])


def _family(title: str) -> Iterator[str]:
    members = [name for name in METHODS if _family_of(name) == title]
    if members:
        yield f"## {title}\n"
    for name in members:
        yield from _method(name)


def _family_of(name: str) -> str:
    return next((title for title, starts in FAMILIES.items() if name.startswith(starts)), "Others")


def _method(name: str) -> Iterator[str]:
    words, method = words_of(name), METHODS[name]
    yield f"### `{name}`: {words.title}\n"
    yield words.line + (f" {LRP}" if name == "lrp" else "") + "\n"
    yield f"    phi(t) = {words.formula}\n"
    yield f"![{name} on one sentence](methods/{name}.svg)\n"
    settings = [field for field in dataclasses.fields(method) if field.metadata.get("setting", True)]  # type: ignore[arg-type]
    if settings:
        spelled = ", ".join(f"`{field.name}={str(getattr(method, field.name)).lower()}`" for field in settings)
        yield f"Settings: {spelled}\n"


def _contestants() -> Iterator[str]:
    yield "## Contestants\n"
    yield "Methods of other libraries, and a few more of ours, to compare with: `-m all,contestants`. A library"
    yield "is loaded when its method is first asked.\n"
    for name in WORDS.names("contestants"):
        words = WORDS[name]
        yield f"### `{name}`: {words.title}\n\n{words.line}\n\n    phi(t) = {words.formula}\n"


def _aliases() -> Iterator[str]:
    yield "## Names of other tools\n"
    yield "Understood wherever a method is named, in any case, with `_`, `-` or nothing between the words; a line says"
    yield "what is meant.\n"
    yield "| names | method here |\n|---|---|"
    for name, aliases in FAMILIAR.items():
        yield f"| {', '.join('`' + alias.replace(' ', '_') + '`' for alias in aliases)} | `{name}` |"
    yield ""


if __name__ == "__main__":
    run_command(app)
