"""Trainings that differ from the paper's in one thing: what does it change in a column?

    python -m experiments.paper.variants padding --data FOLDER --out paper

Each is trained, played on a tenth of the documents (``--full``: on all), and kept under ``results/variants``; it may be
stopped at any moment, and resumed by the same command. ``python -m experiments.paper --show --page PAGE`` shows them.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.paper.options import Options, Places
from experiments.paper.padding import PaddedTrainer
from experiments.paper.spec import Group, Reproduction, read_reproduction
from experiments.paper.steps import reproduce
from experiments.paper.training import trained
from whichword.cli.app import main
from whichword.cli.evaluate import Means, play
from whichword.corpora import read_corpus
from whichword.corpora.registry import data_folder
from whichword.errors import InputError
from whichword.registry import announce
from whichword.training.loop import Trainer
from whichword.training.state import Position
from whichword.workers.tasks import Hands

HERE = Path(__file__).parent
GRADIENTS = tuple(f"grad_{way}_{of}" for way in ("1", "int") for of in ("s_l2", "p_l2", "s_dot", "p_dot"))


@dataclass(frozen=True)
class Variant:
    """``networks`` of a group, trained with ``changes`` of its settings by ``trainer``; ``kinds``: of other networks.

    ``methods`` () are all of the paper's rows.
    """

    title: str
    group: str
    networks: tuple[str, ...]
    changes: Mapping[str, Any] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    trainer: type[Trainer] = Trainer
    methods: tuple[str, ...] = ()

    def of(self, group: Group) -> Group:
        """The group with these networks alone."""
        places = [group.networks.index(network) for network in self.networks]
        columns = {part: tuple(listed[place] for place in places) for part, listed in group.columns.items()}
        kinds = tuple(self.kinds.get(network, network) for network in self.networks)
        return replace(group, networks=kinds, columns=columns, training={**group.training, **self.changes}, accuracy={})


VARIANTS = {
    "padding": Variant(
        "Zero vectors around every document in training", "topic", ("qgru",), {"epochs": 12}, trainer=PaddedTrainer
    ),
    "gates": Variant("Piecewise linear gates", "agreement", ("lstm",), kinds={"lstm": "piecewise-lstm"}),
    "sigmoid": Variant(
        "One sigmoid in the place of a softmax over two classes",
        "sentiment",
        ("gru", "qgru", "lstm", "qlstm", "cnn"),
        {"head": "sigmoid"},
        methods=(*GRADIENTS, "decomp", "lrp", "deeplift", "random", "last"),
    ),
}

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def variants(
    name: Annotated[str, typer.Argument(help=f"Which one: {', '.join(VARIANTS)}.")],
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
    out: Annotated[Path, typer.Option(help="Folder for networks and runs.")] = Path("paper"),
    only: Annotated[str, typer.Option(help="Some columns or networks, with commas between.")] = "",
    full: Annotated[bool, typer.Option("--full", help="All documents, not a tenth of them.")] = False,
    workers: Annotated[int | None, typer.Option(help="Processes that play. [default: all cores]")] = None,
) -> None:
    """Train one of the variants, play it on a tenth of the documents, and keep its columns.

    It may be stopped at any moment: run the same command again to resume.
    """
    if name not in VARIANTS:
        raise InputError(f"no variant is called {name!r}; known: {', '.join(VARIANTS)}")
    announce([HERE / "gates.py"])  # the processes that play have to know it too
    names = tuple(part.strip() for part in only.split(",") if part.strip())
    hands = Hands.of(workers, None, None)
    options = Options(data_folder(data), out / "variants" / name, not full, names, hands=hands)
    places = Places(varied(read_reproduction(HERE / "paper.toml"), name), options)
    for line in steps(places, VARIANTS[name].trainer):
        print(line, flush=True)


def varied(spec: Reproduction, name: str) -> Reproduction:
    """The reproduction of this variant alone, with results of its own."""
    variant = VARIANTS[name]
    rows = spec.rows
    methods = tuple(rows[method] for method in variant.methods) or spec.methods
    groups = {variant.group: variant.of(spec.groups[variant.group])}
    return replace(spec, groups=groups, methods=methods, extra=(), results=folder_of(spec, name))


def folder_of(spec: Reproduction, name: str) -> Path:
    """Where the variant's results are kept."""
    return spec.results / "variants" / name


def steps(places: Places, trainer: type[Trainer]) -> Iterator[str]:
    """Train what is missing, one after the other, and play; a line for each thing done."""
    for playing in places.spec.playings(places.options.only):
        if trained(places, playing) is None:
            corpus = read_corpus(
                playing.group.spelling(places.options.data), data=places.options.data, seed=places.seed
            )
            settings = playing.group.settings(playing.network, places.options.data, places.seed)
            done = trainer(corpus, settings, places.model(playing), partial(_tell, playing.name)).run()
            yield f"{playing.name}: {done.position.best_epoch} epochs, test {done.test:.3f}"
        options = replace(places.options, only=(playing.name,), train=False)
        yield from reproduce(replace(places, options=options), partial(play, means=Means(options.hands)))


def _tell(name: str, position: Position, remaining: int) -> None:
    if not remaining:
        print(f"{name}: epoch {position.epoch}, heldout {position.log[-1].heldout:.3f}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(app)
