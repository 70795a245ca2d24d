"""Sentences whose substrings all get one class: nothing is left for the black-box fit of LIMSSE to fit.

    python -m experiments.paper.unanimous --data FOLDER --out paper

Takes the agreement LSTM that ``python -m experiments.paper`` has trained under ``--out``; keeps what it counts beside
the columns, for ``python -m experiments.paper --show --page PAGE``.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

import whichword
from experiments.paper.blocks import Block
from experiments.paper.options import Options, Places
from experiments.paper.shown import Shown
from experiments.paper.spec import Reproduction, read_reproduction
from whichword.answering import first_maximum
from whichword.cli.app import main
from whichword.corpora import read_corpus
from whichword.corpora.registry import data_folder
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.games import GAMES
from whichword.methods.limsse_fits import LONGEST
from whichword.model import Batch, Model
from whichword.reading import Edits
from whichword.reporting.table import points
from whichword.runs.sealed import commit, sweep
from whichword.types import Item

HERE = Path(__file__).parent
NETWORK = "agreement-lstm"
FIRST = 4000  # sentences of the test set
FITS = ("limsse_bb", "limsse_bb[samples=3000]")
KEPT = "unanimous.json"
AT_ONCE = 256  # sentences


@dataclass(frozen=True)
class Count:
    """Sentences of one kind, and on how many of them each fit names the subject."""

    sentences: int
    hits: dict[str, int]


app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def unanimous(
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
    out: Annotated[Path, typer.Option(help="Folder of the networks.")] = Path("paper"),
) -> None:
    """Count the sentences that the agreement LSTM gets right whose substrings of one to six words all get one class."""
    places = Places(read_reproduction(HERE / "paper.toml"), Options(data_folder(data), out))
    (playing,) = places.spec.playings((NETWORK,))
    if not places.model(playing).exists():
        raise InputError(f"{places.model(playing)}: not there; python -m experiments.paper --only {NETWORK} trains it")
    corpus = read_corpus(playing.group.spelling(places.options.data), data=places.options.data, seed=places.seed)
    items = islice(GAMES[playing.group.game].items(corpus.test, places.seed), FIRST)
    body = {kind: asdict(count) for kind, count in counts(whichword.load(places.model(playing)), items).items()}
    commit(places.spec.results, KEPT, (json.dumps(body, indent=1) + "\n").encode("utf8"))
    sweep(places.spec.results)
    print("\n".join(" ".join(row) for row in _rows(body)))


def counts(model: Model, items: Iterable[Item]) -> dict[str, Count]:
    """Of the items that the model gets right: those whose substrings all get one class, and the others."""
    outcomes = list(_outcomes(model, iter(items)))
    return {kind: _count([hits for alike, hits in outcomes if alike == (kind == "one class")]) for kind in KINDS}


KINDS = ("one class", "several classes")


def _count(hits: Sequence[dict[str, bool]]) -> Count:
    return Count(len(hits), {fit: sum(hit[fit] for hit in hits) for fit in FITS})


def _outcomes(model: Model, items: Iterator[Item]) -> Iterator[tuple[bool, dict[str, bool]]]:
    while group := list(islice(items, AT_ONCE)):
        explanations = whichword.explain(model, group, FITS)
        for item, explanation, alike in zip(group, explanations, all_alike(model, group), strict=True):
            if explanation.predicted == item.gold:
                yield alike, {fit: _hits(explanation, fit, item) for fit in FITS}


def _hits(explanation: Explanation, fit: str, item: Item) -> bool:
    return explanation.rmax(fit) in item.targets


def all_alike(model: Model, items: Sequence[Item]) -> list[bool]:
    """Whether f is the same for all substrings of one to six words, per item."""
    batch = Batch.of([model.read(item) for item in items])
    places = [
        (row, start, start + size)
        for row, item in enumerate(items)
        for size in range(1, LONGEST + 1)
        for start in range(len(item.words) - size + 1)
    ]
    row, start, stop = torch.tensor(places).T
    classes = first_maximum(model.score_edits(batch, Edits("crop", row, start, stop)))
    lowest = classes.new_full((len(items),), len(model.about.classes)).scatter_reduce_(0, row, classes, "amin")
    highest = classes.new_zeros(len(items)).scatter_reduce_(0, row, classes, "amax")
    return (lowest == highest).tolist()


def substrings_alike(shown: Shown) -> Iterator[Block]:
    """What was counted, if it was."""
    path = _kept(shown.spec)
    if path.exists():
        rows = _rows(json.loads(path.read_text(encoding="utf8")))
        header = ["substrings of one to six words", "sentences", *(f"{fit}: the subject" for fit in FITS)]
        legend = f"Of the first {FIRST:,} test sentences, those that the agreement LSTM gets right; hit_target."
        yield Block("Sentences whose substrings all get one class", header, rows, legend)


def _kept(spec: Reproduction) -> Path:
    return spec.results / KEPT


def _rows(body: dict[str, Any]) -> list[list[str]]:
    total = sum(kept["sentences"] for kept in body.values())
    return [
        [
            kind,
            f"{kept['sentences']} ({points(kept['sentences'] / total)})",
            *(points(kept["hits"][fit] / max(1, kept["sentences"])) for fit in FITS),
        ]
        for kind, kept in body.items()
    ]


if __name__ == "__main__":
    main(app)
