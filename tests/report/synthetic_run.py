"""Runs made of dice: any number of documents and methods, with known skill, without a network."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from whichword.experiment import formats
from whichword.experiment.plan import Asked, ItemSet, Pairing, Plan, Shard, Subject
from whichword.experiment.seal import commit, sha256
from whichword.experiment.store import Store
from whichword.types import Item

METHODS = (
    *(f"grad_{points}_{of}_{kind}" for points in ("1", "int") for of in "sp" for kind in ("l2", "dot")),
    *(f"{edit}_{n}" for edit in ("omit", "occ") for n in (1, 3, 7)),
    *("decomp", "lrp", "deeplift", "limsse_bb", "limsse_ms_s", "limsse_ms_p"),
)


@dataclass(frozen=True)
class Recipe:
    """What the dice make. ``words`` is the vocabulary, ``length`` the mean number of words of a document."""

    documents: int = 60
    length: int = 20
    methods: tuple[str, ...] = METHODS
    words: tuple[str, ...] = tuple(f"word{number}" for number in range(200))
    classes: tuple[str, ...] = ("north", "south", "east")
    model: str = "lstm"
    corpus: str = "dice"
    baselines: bool = True
    shard: int = 500
    broken: str | None = None  # a method that gives NaN for every fifth document


def make_run(folder: Path, recipe: Recipe, seed: int = 0) -> Path:
    """A complete run: one model, one set, the hybrid game."""
    dice = np.random.default_rng(seed)
    items = [_item(number, recipe, dice) for number in range(recipe.documents)]
    asked = [Asked(name) for name in recipe.methods]
    asked += [Asked("random", uniform=True), Asked("last")] if recipe.baselines else []
    store = Store(folder, _plan(recipe, items, asked))
    commit(folder, "items/s00.parquet", formats.items_bytes(items))
    store.save_plan()
    for shard in store.plan.pairings[0].shards:
        _shard(store, shard, [items[row] for row in shard.items], recipe, [one.label for one in asked], dice)
    return folder


def _item(number: int, recipe: Recipe, dice: np.random.Generator) -> Item:
    size = max(1, int(dice.gamma(4.0, recipe.length / 4)))
    zipf = np.minimum(dice.zipf(1.3, size) - 1, len(recipe.words) - 1)
    words = tuple(recipe.words[i] for i in zipf)
    cuts = np.sort(dice.integers(0, size + 1, 3))
    owners = np.searchsorted(cuts, np.arange(size), side="right")
    labels = tuple(recipe.classes[owner % len(recipe.classes)] for owner in owners)
    gold = recipe.classes[int(dice.integers(len(recipe.classes)))]
    return Item(f"key{number:05d}", words, gold, labels, (), {"fold": str(number % 3)})


def _plan(recipe: Recipe, items: Sequence[Item], asked: Sequence[Asked]) -> Plan:
    data = formats.items_bytes(items)
    played = ItemSet(
        "s00", recipe.corpus, "hybrid", ("hybrid",), len(items), len(items), recipe.classes, {}, sha256(data)
    )
    rows = range(0, len(items), recipe.shard)
    shards = tuple(
        Shard(f"p00/{number:05d}", tuple(range(row, min(row + recipe.shard, len(items)))))
        for number, row in enumerate(rows)
    )
    return Plan(
        identity={"code": "dice", "seed": "0"},
        settings={"seed": 0},
        models=(Subject(recipe.model, "models/dice", "lstm", False, 8, 8, recipe.classes, "float32"),),
        sets=(played,),
        pairings=(Pairing("p00", recipe.model, "s00", tuple(asked), ("nothing",), shards),),
    )


def _shard(
    store: Store, shard: Shard, items: Sequence[Item], recipe: Recipe, labels: Sequence[str], dice: np.random.Generator
) -> None:
    scores = [dice.normal(size=len(recipe.classes)) for _ in items]
    predicted = [recipe.classes[int(np.argmax(row))] for row in scores]
    predictions = {
        "key": [item.key for item in items],
        "predicted": predicted,
        "scores": scores,
        "unknown": [dice.random(len(item.words)) < 0.1 for item in items],
    }
    values = [
        _phi(item, said, skill, label, recipe, dice)
        for item, said in zip(items, predicted, strict=True)
        for label, skill in zip(labels, np.linspace(0.5, 3.0, len(labels)), strict=True)
    ]
    relevances = {
        "key": [item.key for item in items for _ in labels],
        "method": [label for _ in items for label in labels],
        "target": [said for said in predicted for _ in labels],
        "relevances": values,
        "status": ["ok" if np.isfinite(row).all() else "not finite" for row in values],
        "note": [None] * len(values),
    }
    tables = {
        "predictions": formats.parquet(predictions, formats.predictions_schema("float32")),
        "relevances": formats.parquet(relevances, formats.relevances_schema("float32")),
    }
    rows = {"predictions": len(items), "relevances": len(values)}
    seconds = {label: len(items) * 0.001 * 1.6**place for place, label in enumerate(labels)}
    store.save(shard.name, tables, rows, seconds)


def _phi(item: Item, said: str, skill: float, label: str, recipe: Recipe, dice: np.random.Generator) -> np.ndarray:  # type: ignore[type-arg]
    inside = np.array([one == said for one in item.labels])
    phi = dice.normal(size=len(item.words)) + skill * inside * dice.random(len(item.words))
    if label == "last":
        phi = np.arange(len(item.words)) == len(item.words) - 1
    if label == recipe.broken and int(item.key[3:]) % 5 == 0:
        phi[0] = np.nan
    return np.asarray(phi, dtype=np.float32)
