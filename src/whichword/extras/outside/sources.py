"""What outside relevances are about: a pairing of a run, or a corpus that somebody else's model has read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.games import Measured
from whichword.planning.item_sets import SetBuilder, fitting_game
from whichword.planning.spec import Play
from whichword.runs.plan import Asked, ItemSet, Pairing, Subject
from whichword.runs.run import Prediction, Run, open_run
from whichword.runs.store import RUN
from whichword.types import About, Item

Vectors = Mapping[str, NDArray[np.float64]]  # item's key -> phi [T]


@dataclass(frozen=True)
class OutsideSource:
    """Items of a game, a model, its predictions by key, and the methods that are there already with their relevances.

    ``predictions`` is empty where no model was asked: then the rows say what was predicted.
    """

    title: str
    set: ItemSet
    items: tuple[Item, ...]
    subject: Subject
    predictions: Mapping[str, Prediction] = field(default_factory=dict)
    methods: tuple[Asked, ...] = ()
    vectors: Mapping[str, Vectors] = field(default_factory=dict)
    notes: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (method, key) -> remark
    seed: int = 0

    @property
    def by_key(self) -> dict[str, Item]:
        return {item.key: item for item in self.items}


def of_run(folder: Path, model: str | None = None) -> OutsideSource:
    """A run's pairing; ``model`` says which, where there are several."""
    run = open_run(folder)
    pairing = _pairing(run, model)
    vectors: dict[str, dict[str, NDArray[np.float64]]] = {label: {} for label in pairing.labels}
    notes = {}
    for row in run.relevances(pairing.id):
        vectors[row.method][row.key] = np.asarray(row.values, dtype=np.float64)
        if row.note:
            notes[row.method, row.key] = row.note
    return OutsideSource(
        run.plan.title(pairing),
        run.plan.set(pairing.set),
        run.items(pairing.set),
        run.plan.model(pairing.model),
        run.predictions(pairing.id),
        pairing.methods,
        vectors,
        notes,
        int(run.plan.settings["seed"]),
    )


def _pairing(run: Run, model: str | None) -> Pairing:
    pairings = [pairing for pairing in run.plan.pairings if model in (None, pairing.model)]
    if len(pairings) != 1:
        titles = "; ".join(run.plan.title(pairing) for pairing in run.plan.pairings)
        raise InputError(f"{run.folder}: name one of its models by --model ({titles})")
    return pairings[0]


def of_corpus(name: str, game: str | None, limit: int | None, data: Path | None, seed: int) -> OutsideSource:
    """A corpus as a game, with a model of which nothing is known but what the rows say."""
    corpus = read_corpus(name, data=data, seed=seed)
    play = Play(("outside",), (name,), (), limit=limit)
    built = SetBuilder(seed).build(name, corpus, game or fitting_game(corpus.test), play, None)
    if isinstance(built.game, Measured):
        raise InputError(f"{built.set.game} asks a model about edited copies, and here there is none")
    about = About("outside", corpus.classes, "float64", facts={"predictions": "as the file of relevances says"})
    subject = Subject("outside", "outside", about)
    return OutsideSource(f"{name} as {built.set.game}", built.set, tuple(built.items), subject, seed=seed)


def open_source(
    spelling: str, model: str | None, game: str | None, limit: int | None, data: Path | None, seed: int
) -> OutsideSource:
    """A folder with a run, or a corpus."""
    if (Path(spelling) / RUN).exists():
        if game is not None or limit is not None:
            raise InputError("a run has its items: --game and --limit are for a corpus")
        return of_run(Path(spelling), model)
    return of_corpus(spelling, game, limit, data, seed)


def with_classes(source: OutsideSource, classes: Sequence[str]) -> OutsideSource:
    """Predicted classes that the corpus does not have are classes too."""
    about = source.subject.about
    names = tuple(dict.fromkeys([*about.classes, *classes]))
    return replace(source, subject=replace(source.subject, about=replace(about, classes=names)))
