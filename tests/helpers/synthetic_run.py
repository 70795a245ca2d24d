"""Runs made of dice: any number of documents and methods, with known skill, without a network."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from whichword.games import GAMES
from whichword.runs import shards as formats
from whichword.runs.items import items_bytes
from whichword.runs.records import AboutModel, Asked, ItemSet, Pairing, PlannedModel, RunPlan, Shard
from whichword.runs.run import open_run
from whichword.runs.sealed import commit, sha256
from whichword.runs.shards import Made, Timing
from whichword.runs.store import Store
from whichword.scoring.run import store_judgement
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
    game: str = "hybrid"
    model: str = "lstm"
    corpus: str = "dice"
    shard: int = 500
    broken: str | None = None  # a method that gives NaN and infinity for every fifth document
    note: str | None = None  # what the first method remarks on every document
    gaps: tuple[str, ...] = ()  # what stands between words, at random; (): spaces
    right: bool | None = None  # whether the model always says the document's class, or never; None: the dice say
    dearer: float = 1.6  # what a method takes, over what the one before it takes


def make_run(folder: Path, recipe: Recipe, seed: int = 0) -> Path:
    """A complete run: one model on one set, later methods better than earlier ones, two baselines."""
    dice = np.random.default_rng(seed)
    items = [_ITEMS[recipe.game](number, recipe, dice) for number in range(recipe.documents)]
    items = [_written(item, recipe, seed) for item in items] if recipe.gaps else items
    asked = [*(Asked(name) for name in recipe.methods), Asked("random", uniform=True), Asked("last")]
    store = Store(folder, _plan(recipe, items, asked))
    commit(folder, "items/s00.parquet", items_bytes(items))
    store.save_plan()
    for shard in store.plan.pairings[0].shards:
        _shard(store, shard, [items[row] for row in shard.items], recipe, dice)
    store_judgement(open_run(folder), "p00")
    return folder


def _words(recipe: Recipe, dice: np.random.Generator) -> tuple[str, ...]:
    size = max(1, int(dice.gamma(4.0, recipe.length / 4)))
    zipf = np.minimum(dice.zipf(1.3, size) - 1, len(recipe.words) - 1)
    return tuple(recipe.words[i] for i in zipf)


def _written(item: Item, recipe: Recipe, seed: int) -> Item:
    dice = np.random.default_rng([seed, int(item.key[3:])])
    between = [recipe.gaps[i] for i in dice.integers(len(recipe.gaps), size=len(item.words) + 1)]
    return replace(item, text="".join(gap + word for gap, word in zip(between, (*item.words, ""), strict=True)))


def _hybrid(number: int, recipe: Recipe, dice: np.random.Generator) -> Item:
    words = _words(recipe, dice)
    cuts = np.sort(dice.integers(0, len(words) + 1, 3))
    owners = np.searchsorted(cuts, np.arange(len(words)), side="right")
    labels = tuple(recipe.classes[owner % len(recipe.classes)] for owner in owners)
    return Item(f"key{number:05d}", words, None, labels, (), {"fold": str(number % 3)})


def _agreement(number: int, recipe: Recipe, dice: np.random.Generator) -> Item:
    words = _words(recipe, dice)
    labels = tuple(dice.choice(["singular", "plural", ""], len(words)).tolist())
    gold = ("singular", "plural")[int(dice.integers(2))]
    target = int(dice.integers(len(words)))
    return Item(f"key{number:05d}", words, gold, labels, (target,), {"attractors": str(number % 3)})


_ITEMS = {"hybrid": _hybrid, "agreement": _agreement}


def _plan(recipe: Recipe, items: Sequence[Item], asked: Sequence[Asked]) -> RunPlan:
    data, size, parts = items_bytes(items), len(items), GAMES[recipe.game].parts
    cuts = (*range(0, size, recipe.shard), size)
    return RunPlan(
        identity={"code": "dice", "seed": "0", "torch": "none"},
        settings={"seed": 0},
        models=(PlannedModel(recipe.model, "models/dice", AboutModel("lstm", recipe.classes, facts={"hidden": "8"})),),
        sets=(ItemSet("s00", recipe.corpus, recipe.game, parts, size, size, recipe.classes, {}, sha256(data)),),
        pairings=(Pairing("p00", recipe.model, "s00", tuple(asked), {"nothing": "it is nothing"}, cuts),),
    )


def _shard(store: Store, shard: Shard, items: Sequence[Item], recipe: Recipe, dice: np.random.Generator) -> None:
    labels = store.plan.pairings[0].labels
    scores = [dice.normal(size=len(recipe.classes)).astype(np.float32) for _ in items]
    if recipe.right is not None:
        for item, row in zip(items, scores, strict=True):
            row[recipe.classes.index(str(item.gold))] = 9.0 if recipe.right else -9.0
    predicted = [recipe.classes[int(np.argmax(row))] for row in scores]
    skills = np.linspace(0.5, 3.0, len(labels))
    values = [
        _phi(item, said, skill, label, recipe, dice)
        for item, said in zip(items, predicted, strict=True)
        for label, skill in zip(labels, skills, strict=True)
    ]
    predictions = {
        "key": [item.key for item in items],
        "predicted": predicted,
        "scores": scores,
        "unknown": [dice.random(len(item.words)) < 0.1 for item in items],
        "seen": [len(item.words) for item in items],
    }
    relevances = {
        "key": [item.key for item in items for _ in labels],
        "method": [label for _ in items for label in labels],
        "target": [said for said in predicted for _ in labels],
        "relevances": values,
        "status": ["ok" if np.isfinite(row).all() else "not finite" for row in values],
        "note": [recipe.note if label == labels[0] else None for _ in items for label in labels],
    }
    tables = {
        "predictions": formats.parquet(predictions, formats.predictions_schema("float32")),
        "relevances": formats.parquet(relevances, formats.relevances_schema("float32")),
    }
    rows = {"predictions": len(items), "relevances": len(values)}
    seconds = {label: len(items) * 0.001 * recipe.dearer**i for i, label in enumerate(labels)}
    store.save(Made.of(store.plan.run, shard.name, tables, rows, Timing(seconds, seconds, len(items)), "dice"))


def _phi(item, said, skill, label, recipe, dice):
    inside = np.array([one == said for one in item.labels])
    phi = dice.normal(size=len(item.words)) + skill * inside * dice.random(len(item.words))
    if label == "last":
        phi = np.where(np.arange(len(phi)) == len(phi) - 1, 1.0, 0.0)
    if label == recipe.broken and int(item.key[3:]) % 5 == 0:
        phi[: min(2, len(phi))] = (np.nan, np.inf)[: len(phi)]
    return phi.astype(np.float32)
