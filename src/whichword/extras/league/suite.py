"""A frozen suite: a folder with items of a game, models, and a sealed sheet with the hashes of all of it.

suite.json      sealed: name, game, hashes of items and models, what baselines get
items.parquet   the documents as the game shows them
models/NAME/    a saved network

A run, frozen: its items, its models and what its methods got become a suite.

Methods on a suite: a results folder with a run in it and a sheet that names the suite.
"""

import hashlib
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from whichword import models
from whichword.errors import DamagedError, InputError
from whichword.games import GAMES
from whichword.planning.items import BuiltSet, by_length
from whichword.planning.prepare import Prepared, prepared_of
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Evaluated, Watch
from whichword.playing.verify import digest
from whichword.runs.items import ItemFile, items_bytes, items_sha256
from whichword.runs.records import ItemSet
from whichword.runs.run import open_run
from whichword.runs.sealed import canonical, commit, item_bytes, sealed, sha256, sweep, unsealed
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge
from whichword.types import Item

FORMAT = "whichword suite 1"
SHEET, ITEMS, MODELS = "suite.json", "items.parquet", "models"
SUITES = Path(__file__).parent / "suites"

Hits = Mapping[str, float | int]  # hits and total


@dataclass(frozen=True)
class SuiteSheet:
    """What a suite vouches for. ``models`` maps labels to the hashes of their parts, ``items`` is a hash of content.

    ``baselines``: model -> part of the game -> method -> hits and total, as they were when it was frozen.
    """

    name: str
    title: str
    corpus: str
    game: str
    classes: tuple[str, ...]
    items: str
    documents: int
    seed: int
    models: Mapping[str, Mapping[str, str]]
    baselines: Mapping[str, Mapping[str, Mapping[str, Hits]]]
    format: str = FORMAT

    @cached_property
    def hash(self) -> str:
        """What a results folder names: over everything."""
        return sha256(canonical(self.to_json()))

    @property
    def baseline_methods(self) -> tuple[str, ...]:
        names = (name for parts in self.baselines.values() for methods in parts.values() for name in methods)
        return tuple(dict.fromkeys(names))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Suite:
    """A suite in its folder, with all hashes checked."""

    folder: Path
    sheet: SuiteSheet
    items: tuple[Item, ...]

    @property
    def spellings(self) -> dict[str, str]:
        """Where the models are."""
        return {label: str(self.folder / MODELS / label) for label in self.sheet.models}


def names() -> list[str]:
    """The suites that come with the package."""
    return sorted(path.name for path in SUITES.iterdir() if (path / SHEET).exists()) if SUITES.is_dir() else []


def open_suite(spelling: str) -> Suite:
    """A suite by its name, or by its folder; `InputError` unless every hash fits."""
    folder = Path(spelling) if (Path(spelling) / SHEET).exists() else SUITES / spelling
    if not (folder / SHEET).exists():
        raise InputError(f"no suite is called {spelling!r}; known: {', '.join(names()) or 'none'}, or a suite's folder")
    sheet = _sheet(folder)
    items = _items(folder)
    if items_hash(items) != sheet.items:
        raise InputError(f"{folder}: {ITEMS} is not what the suite was frozen with")
    for label, hashes in sheet.models.items():
        if model_hashes(folder / MODELS / label) != dict(hashes):
            raise InputError(f"{folder}: the model {label} is not what the suite was frozen with")
    return Suite(folder, sheet, items)


def _sheet(folder: Path) -> SuiteSheet:
    try:
        body = unsealed(folder / SHEET)
        sheet = SuiteSheet(**body | {"classes": tuple(body["classes"])})
    except (DamagedError, TypeError, KeyError) as damage:
        raise InputError(f"{folder}: {SHEET}: {damage}") from None
    if sheet.format != FORMAT:
        raise InputError(f"{folder}: {SHEET}: not a {FORMAT!r} but {sheet.format!r}")
    return sheet


def _items(folder: Path) -> tuple[Item, ...]:
    try:
        return ItemFile(folder / ITEMS).in_order()
    except (DamagedError, OSError) as damage:
        raise InputError(f"{folder}: {damage}") from None


def items_hash(items: Iterable[Item]) -> str:
    """Over everything that is known about every item, in order; how a file packs them plays no part."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(item_bytes(item))
    return digest.hexdigest()


def model_hashes(folder: Path) -> dict[str, str]:
    """A hash per part: weights, vocabulary, config."""
    return dict(models.identity(folder))


FILES = ("config.json", "vocabulary.txt", "weights.safetensors")  # of a saved network; the rest is its training's


def freeze(run_folder: Path, name: str, title: str, out: Path) -> Suite:
    """The suite in ``out``: one set of items, one or more saved networks; all methods of the run are its baselines."""
    run = open_run(run_folder)
    if len(run.plan.sets) != 1:
        raise InputError(f"{run_folder}: a suite has one set of items, this run has {len(run.plan.sets)}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is not empty: a suite needs a folder of its own")
    played = run.plan.sets[0]
    items = run.items(played.id)
    for subject in run.plan.models:
        _copy(Path(subject.spelling), out / MODELS / subject.label)
    sheet = SuiteSheet(
        name=name,
        title=title,
        corpus=run.plan.corpus_name(played),
        game=played.game,
        classes=played.classes,
        items=items_hash(items),
        documents=len(items),
        seed=int(run.plan.settings["seed"]),
        models={subject.label: model_hashes(out / MODELS / subject.label) for subject in run.plan.models},
        baselines={pairing.model: baseline_hits(judge(run, pairing.id)) for pairing in run.plan.pairings},
    )
    commit(out, ITEMS, items_bytes(items))
    commit(out, SHEET, sealed(sheet.to_json()))
    sweep(out)
    return open_suite(str(out))


def _copy(source: Path, target: Path) -> None:
    if not all((source / name).is_file() for name in FILES):
        raise InputError(f"{source}: a suite takes saved networks, folders with {', '.join(FILES)}")
    target.mkdir(parents=True)
    for name in FILES:
        shutil.copyfile(source / name, target / name)


def baseline_hits(judged: Judged) -> dict[str, dict[str, Hits]]:
    """Part -> method -> hits and total."""
    return {part: {method: _hits(judged, part, method) for method in judged.methods} for part in judged.parts}


def _hits(judged: Judged, part: str, method: str) -> Hits:
    tally = judged.tally(part, method)
    return {"hits": tally.hits, "total": tally.total}


RESULTS, RUN = "league.json", "run"
RESULTS_FORMAT = "whichword league 1"


def play_suite(
    suite: Suite, methods: Sequence[str], out: Path, workers: int = 1, watch: Watch | None = None
) -> Evaluated:
    """The methods, and the suite's baselines beside them; run the same again to resume."""
    if not methods:
        raise InputError("no method was named: -m NAME,NAME")
    names = tuple(dict.fromkeys([*methods, *suite.sheet.baseline_methods]))
    spec = suite_spec(suite, names)
    evaluated = evaluate(spec, out / RUN, workers, watch, prepared=prepare_suite(suite, spec))
    body = {
        "format": RESULTS_FORMAT,
        "suite": suite.sheet.name,
        "hash": suite.sheet.hash,
        "digest": digest(evaluated.run),
    }
    commit(out, RESULTS, sealed(body))
    sweep(out)
    return evaluated


def suite_spec(suite: Suite, methods: tuple[str, ...]) -> Spec:
    """Every model of the suite on its items, in words."""
    play = Play(tuple(suite.sheet.models), (suite.sheet.corpus,), (suite.sheet.game,), methods)
    return Spec(suite.spellings, (play,), suite.sheet.seed)


def prepare_suite(suite: Suite, spec: Spec) -> Prepared:
    """The plan; the items are the frozen ones, whatever the corpus of that name is today."""
    loaded = {label: models.load(spelling) for label, spelling in suite.spellings.items()}
    built = _built(suite)
    return prepared_of(spec, loaded, [(label, built, spec.plays[0]) for label in loaded])


def _built(suite: Suite) -> BuiltSet:
    sheet, (label, game) = suite.sheet, GAMES.resolve(suite.sheet.game)
    item_set = ItemSet(
        id="s00",
        corpus=sheet.corpus,
        game=label,
        parts=game.parts,
        items=len(suite.items),
        available=len(suite.items),
        classes=sheet.classes,
        record={"suite": sheet.name, "hash": sheet.hash},
        sha256=items_sha256(by_length(suite.items)),
        words=sum(len(item.words) for item in suite.items),
    )
    parts = {"suite": sheet.hash, f"corpus {item_set.title}": sheet.items}
    lengths = [len(item.words) for _, item in by_length(suite.items)]
    return BuiltSet(item_set, item_set.title, suite.items, lengths, game, None, parts)
