"""A run of relevances that are there already: the same folder that `evaluate` makes, with nothing computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whichword.base.files import locked
from whichword.errors import InputError
from whichword.extras.outside.matching import MISSING, Matched, OutsideSource, with_classes
from whichword.extras.outside.tables import StoredAnswer, shard_tables, shortfall
from whichword.runs.canonical import sha256
from whichword.runs.item_files import items_bytes
from whichword.runs.plan import Asked, Pairing, RunPlan, Shard
from whichword.runs.receipts import Made, Timing
from whichword.runs.run import Run, open_run
from whichword.runs.seal import commit
from whichword.runs.store import RUN, Store
from whichword.scoring.judging import store_judgement
from whichword.types import Item
from whichword.version import __version__

ITEMS = 4096  # per shard
NO_ANSWER = "the model gave no answer"
ARITHMETIC = "relevances from elsewhere"


@dataclass(frozen=True)
class Assembly:
    """What goes into the folder: everything of the source, and the methods that were matched."""

    source: OutsideSource
    matched: Matched

    @property
    def methods(self) -> tuple[Asked, ...]:
        return (*self.source.methods, *(Asked(name) for name in self.matched.vectors))

    def explained(self, item: Item) -> StoredAnswer:
        """The item as a shard has it."""
        prediction = self.matched.predictions.get(item.key)
        if prediction is None:
            return StoredAnswer(None, failure=NO_ANSWER)
        relevances = {method.label: self._vector(method.label, item) for method in self.methods}
        notes = {name: note for name in relevances if (note := self._note(name, item))}
        scores, unknown = list(prediction.scores), list(prediction.unknown)
        return StoredAnswer(prediction.predicted, scores, unknown, relevances, notes, prediction.seen)

    def _vector(self, method: str, item: Item) -> NDArray[np.float64]:
        vectors = self.source.vectors.get(method) or self.matched.vectors[method]
        return vectors.get(item.key, np.full(len(item.words), np.nan))

    def _note(self, method: str, item: Item) -> str | None:
        vectors = self.source.vectors.get(method) or self.matched.vectors[method]
        return self.source.notes.get((method, item.key)) if item.key in vectors else MISSING

    def plan(self, identity: Mapping[str, str]) -> RunPlan:
        played = replace(self.source.set, id="s00", sha256=sha256(items_bytes(self.source.items)))
        count = len(self.source.items)
        groups = [range(start, min(start + ITEMS, count)) for start in range(0, count, ITEMS)]
        shards = tuple(Shard(f"p00/{number:05d}", group) for number, group in enumerate(groups))
        classes = {prediction.predicted for prediction in self.matched.predictions.values()}
        subject = with_classes(self.source, sorted(classes)).subject
        about = replace(subject.about, facts=dict(subject.about.facts))
        pairing = Pairing("p00", subject.label, "s00", self.methods, {}, shards)
        settings = {"seed": self.source.seed, "batch_words": None, "shard_words": ITEMS}
        return RunPlan(identity, settings, (replace(subject, about=about),), (played,), (pairing,))


def assemble(folder: Path, source: OutsideSource, matched: Matched, origin: Mapping[str, str]) -> Run:
    """Write the run; ``origin`` says where the relevances come from, name by name. The same again changes nothing."""
    assembly = Assembly(source, matched)
    plan = assembly.plan(_identity(assembly, origin))
    with locked(_free(folder, plan)):
        store = Store(folder, plan)
        commit(folder, plan.sets[0].file, items_bytes(source.items))
        store.save_plan()
        _save(store, assembly, plan.models[0].about.dtype)
        run = open_run(folder)
        store_judgement(run, "p00")
    return run


def _save(store: Store, assembly: Assembly, dtype: str) -> None:
    timing = Timing(dict.fromkeys((method.label for method in assembly.methods), 0.0), {}, 0)
    for pairing, shard in store.plan.shards.values():
        items = [assembly.source.items[index] for index in shard.items]
        answers = [assembly.explained(item) for item in items]
        tables, rows = shard_tables(pairing, items, answers, dtype)
        missing = shortfall(items, answers)
        store.save(Made.of(store.plan.run, shard.name, tables, rows, timing, ARITHMETIC, missing))


def _identity(assembly: Assembly, origin: Mapping[str, str]) -> dict[str, str]:
    source = assembly.source
    labels = ", ".join(method.label for method in assembly.methods)
    items = sha256(items_bytes(source.items))
    return {"version": __version__, f"items of {source.title}": items, "methods": labels, **origin}


def _free(folder: Path, plan: RunPlan) -> Path:
    """The folder, unless something else is in it."""
    if (folder / RUN).exists():
        if Store.open(folder).plan.run != plan.run:
            raise InputError(f"{folder} is another run: give another --out")
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty: a run needs a folder of its own")
    return folder


def file_origin(paths: Sequence[Path]) -> dict[str, str]:
    """The files by name, with their checksums."""
    return {f"relevances {path.name}": sha256(path.read_bytes()) for path in paths}
