"""A frozen suite, ordinary runs on it, and whether a run is what it says.

suite.json      sealed: name, game, hashes of items and models, what baselines got
items.parquet   the documents as the game shows them
models/NAME/    a saved network
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import ceil, comb
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from whichword import models
from whichword.errors import DamagedError, InputError
from whichword.games import GAMES
from whichword.planning.items import BuiltSet, by_length
from whichword.planning.prepare import prepared_of
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Evaluated, Watch
from whichword.playing.verify import digest, verify
from whichword.reporting.table import count, interval, points, rate
from whichword.runs.items import ItemFile, items_sha256
from whichword.runs.records import ItemSet
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import canonical, item_bytes, sha256, unsealed
from whichword.scoring.run import judge_in_memory
from whichword.statistics.tests import wilson
from whichword.types import Item

FORMAT = "whichword suite 1"
SHEET, ITEMS, MODELS = "suite.json", "items.parquet", "models"
SUITES = Path(__file__).parent / "suites"
AGREES = 1e-3  # of the largest number: what another machine may round otherwise
SHARE = 0.05  # of the documents: a forgery that would change a ranking


@dataclass(frozen=True)
class SuiteSheet:
    """What a suite vouches for: hashes of its items and models, and what ``baselines`` got when it was frozen."""

    name: str
    title: str
    corpus: str
    game: str
    classes: tuple[str, ...]
    items: str
    documents: int
    seed: int
    models: Mapping[str, Mapping[str, str]]
    baselines: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]
    format: str = FORMAT

    @cached_property
    def hash(self) -> str:
        """Hash all of it: what a run on the suite names."""
        return sha256(canonical(asdict(self)))


@dataclass(frozen=True)
class Suite:
    """A suite in its folder, with all hashes checked."""

    folder: Path
    sheet: SuiteSheet
    items: tuple[Item, ...]

    @property
    def spellings(self) -> dict[str, str]:
        return {label: str(self.folder / MODELS / label) for label in self.sheet.models}

    @cached_property
    def built(self) -> BuiltSet:
        """Describe the frozen items as a run's set; its record names the suite by its hash."""
        sheet, (label, game) = self.sheet, GAMES.resolve(self.sheet.game)
        rows = [item for _, item in by_length(self.items)]
        lengths = [len(item.words) for item in rows]
        sizes, checksum = (len(rows), len(rows), sheet.classes), items_sha256(by_length(self.items))
        record = {"suite": sheet.name, "hash": sheet.hash}
        item_set = ItemSet("s00", sheet.corpus, label, game.parts, *sizes, record, checksum, words=sum(lengths))
        parts = {"suite": sheet.hash, f"corpus {item_set.title}": sheet.items}
        return BuiltSet(item_set, item_set.title, self.items, lengths, game, None, parts)


def names() -> list[str]:
    """Name the suites that come with the package."""
    return sorted(path.parent.name for path in SUITES.glob(f"*/{SHEET}"))


def open_suite(spelling: str) -> Suite:
    """Open a suite by its name, or by its folder; `InputError` unless every hash fits."""
    folder = Path(spelling) if (Path(spelling) / SHEET).exists() else SUITES / spelling  # before names of ours
    if not (folder / SHEET).exists():
        raise InputError(f"no suite is called {spelling!r}; known: {', '.join(names()) or 'none'}, or a suite's folder")
    sheet, items = _sheet(folder), ItemFile(folder / ITEMS).in_order()
    if items_hash(items) != sheet.items:
        raise InputError(f"{folder}: {ITEMS} is not what the suite was frozen with")
    for label, hashes in sheet.models.items():
        if models.identity(folder / MODELS / label) != dict(hashes):
            raise InputError(f"{folder}: the model {label} is not what the suite was frozen with")
    return Suite(folder, sheet, items)


def _sheet(folder: Path) -> SuiteSheet:
    try:
        body = unsealed(folder / SHEET)
        sheet = SuiteSheet(**body | {"classes": tuple(body["classes"])})  # JSON has no tuples
    except (DamagedError, TypeError, KeyError) as damage:
        raise InputError(f"{folder}: {SHEET}: {damage}") from None
    if sheet.format != FORMAT:
        raise InputError(f"{folder}: {SHEET}: not a {FORMAT!r} but {sheet.format!r}")
    return sheet


def items_hash(items: Iterable[Item]) -> str:
    """Hash everything that is known about every item, in order: Parquet of another version packs the same otherwise."""
    return hashlib.sha256(b"".join(map(item_bytes, items))).hexdigest()


def play_suite(
    suite: Suite, methods: Sequence[str], out: Path, workers: int = 1, watch: Watch | None = None
) -> Evaluated:
    """Evaluate methods on the frozen items, with the suite's baselines beside them; the same call again resumes."""
    if not methods:
        raise InputError("no method was named: -m NAME,NAME")
    sheet = suite.sheet
    baselines = [method for parts in sheet.baselines.values() for by in parts.values() for method in by]
    asked = tuple(dict.fromkeys([*methods, *baselines]))  # once, where a baseline was named too
    play = Play(tuple(sheet.models), (sheet.corpus,), (sheet.game,), asked)
    spec = Spec(suite.spellings, (play,), sheet.seed)
    loaded = {label: models.load(spelling) for label, spelling in suite.spellings.items()}
    # the frozen items, whatever the corpus of that name has become
    prepared = prepared_of(spec, loaded, [(label, suite.built, play) for label in loaded])
    return evaluate(spec, out, workers, watch, prepared=prepared)


def verify_results(folder: Path, spelling: str | None = None, again: int | None = None) -> tuple[list[str], str]:
    """Say what is wrong, and what was explained anew: ``again`` documents per model, None for all of them."""
    if again is not None and again < 1:
        raise InputError(f"again must be a whole number from 1, not {again}")
    run, findings = open_run(folder), verify(folder)
    suite = open_suite(spelling or _ours(run))
    troubles = [f"damaged: {line}" for line in (*findings.damaged, *findings.missing)] or list(_foreign(run, suite))
    if troubles:
        return troubles, ""  # to explain anew what is no suite's would prove nothing
    total = len(suite.items)
    drawn = SystemRandom().sample(suite.items, min(again or total, total))  # anew: no forger knows which
    methods = [method for pairing in run.plan.pairings for method in (*pairing.labels, *pairing.undefined)]
    with TemporaryDirectory() as scratch:  # no resuming: a stored answer is no answer anew
        replayed = play_suite(replace(suite, items=tuple(drawn)), methods, Path(scratch) / "run").run
        differences = list(_differences(run, replayed))
    return differences, f"{chances(len(drawn), total)}; digest {digest(run)}"


def _named(run: Run) -> str:
    named = run.plan.sets[0].record.get("hash") if len(run.plan.sets) == 1 else None
    if named is None:
        raise InputError(f"{run.folder}: not played on a suite (whichword league run)")
    return named


def _ours(run: Run) -> str:
    """Look the suite up by its hash: one that comes along with results may say anything."""
    for name in names():
        if _sheet(SUITES / name).hash == _named(run):  # a name could be taken by another suite
            return name
    raise InputError(f"{run.folder}: its suite has the hash {_named(run)[:12]}, which is none of ours: give --suite")


def _foreign(run: Run, suite: Suite) -> Iterator[str]:
    played, ours = (structs.replace(item_set, sha256="") for item_set in (run.plan.sets[0], suite.built.set))
    if _named(run) != suite.sheet.hash:
        yield f"made on another suite: {suite.sheet.name} has the hash {suite.sheet.hash[:12]}"
    elif played != ours or items_hash(run.items(played.id)) != suite.sheet.items:
        yield f"the documents are not those of the suite ({suite.sheet.documents})"


def _differences(run: Run, replayed: Run) -> Iterator[str]:
    """Compare with what the suite's own models say: a forger can write new checksums too."""
    if _asked(run) != _asked(replayed):
        yield "the models and methods are not those of the suite and its baselines"
        return
    for pairing in replayed.plan.pairings:
        stored = _answers(run, pairing.id)
        for (key, who), (facts, values) in _answers(replayed, pairing.id).items():
            was, found = stored.get((key, who), ((), np.zeros(0)))  # absent: differs
            if was != facts or not _same(found, values):
                yield f"{pairing.model}: {who} says something else of {key[:12]} when asked again"


def _asked(run: Run) -> tuple[dict[str, str], list[Any]]:
    """Hashes of the models, and which methods each of them has."""
    hashes = {name: value for name, value in run.plan.identity.items() if name.startswith("model ")}
    return hashes, [(pairing.id, pairing.model, pairing.methods) for pairing in run.plan.pairings]


def _answers(run: Run, pairing: str) -> dict[tuple[str, str], tuple[tuple[Any, ...], NDArray[Any]]]:
    """Key and method -> what has to be equal, and the numbers that have to be near."""
    said = run.predictions(pairing).values()
    scores = {(p.key, "the model itself"): ((p.predicted, p.seen), np.array(p.scores)) for p in said}
    return scores | {(row.key, row.method): ((row.target, row.status), row.values) for row in run.relevances(pairing)}


def chances(drawn: int, total: int) -> str:
    """Say how likely a change would have been noticed: 1 - C(N - m, n) / C(N, n) for m changed documents of N."""
    if drawn == total:
        return f"all {total} documents per model explained anew"
    many, single = (1 - comb(total - changed, drawn) / comb(total, drawn) for changed in (ceil(SHARE * total), 1))
    change = f"a change of {ceil(SHARE * total)} of them ({100 * SHARE:.0f} %) would be noticed with probability"
    return f"{drawn} of {total} documents per model explained anew: {change} {many:.2f}, of a single one {single:.2f}"


def _same(first: Any, second: Any) -> bool:
    if first.shape != second.shape or (np.isfinite(first) != np.isfinite(second)).any():
        return False
    largest = float(np.nanmax(np.abs(second), initial=0.0))
    return bool(np.allclose(first, second, rtol=0.0, atol=AGREES * largest, equal_nan=True))


class Ranked(NamedTuple):
    """One method of one run."""

    accuracy: float
    method: str
    hits: float
    total: int
    documents_per_second: float | None
    folder: str


def ranking(folders: Sequence[Path]) -> list[Ranked]:
    """Rank the methods of runs on one suite, best first."""
    runs = [open_run(folder) for folder in folders]
    if len({_named(run) for run in runs}) > 1:
        suites = sorted({run.plan.sets[0].record["suite"] for run in runs})
        raise InputError(f"only results of one suite can be ranked together, not of {', '.join(suites)}")
    places = {place[:4]: place for run in reversed(runs) for place in _places(run)}  # baselines play in every run
    return sorted(places.values(), key=lambda place: (-place.accuracy, place.method))


def _places(run: Run) -> Iterator[Ranked]:
    # judged from the relevances, which `verify_results` compares; a stored judgement is only the sender's word
    judged = [judge_in_memory(run, pairing) for pairing in run.plan.pairings]
    costs = [run.costs(pairing.id) for pairing in run.plan.pairings]
    for method in judged[0].methods:
        if all(method in outcomes.methods for outcomes in judged):  # a method that leaves a model out has no place
            tallies = [outcomes.tally(part, method) for outcomes in judged for part in outcomes.parts]
            hits, total = sum(tally.hits for tally in tallies), sum(tally.total for tally in tallies)
            seconds = sum(cost[method].seconds for cost in costs)
            speed = len(costs) / seconds if seconds else None
            yield Ranked(hits / max(total, 1), method, hits, total, speed, run.folder.name)


def ranking_table(places: Sequence[Ranked]) -> str:
    """Write a pipe table, which is also Markdown; ties share a place."""
    titles = ("", "method", "right", "95 % interval", "hits", "documents per second", "from")
    lines = [f"| {' | '.join(titles)} |", "|--:|---|--:|---|--:|--:|---|"]
    accuracies = [place.accuracy for place in places]
    for accuracy, method, hits, total, speed, folder in places:
        number, bounds = 1 + accuracies.index(accuracy), interval(wilson(hits, total))  # the first of equals
        cells = (number, method, points(accuracy), bounds, f"{count(hits)}/{total}", rate(speed), folder)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)
