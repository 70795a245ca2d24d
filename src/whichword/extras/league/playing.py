"""Methods on a suite: a results folder with a run in it and a sheet that names the suite."""

from collections.abc import Sequence
from pathlib import Path

from whichword import models
from whichword.errors import InputError
from whichword.extras.league.suite import Suite
from whichword.games import GAMES
from whichword.planning.item_measures import by_length
from whichword.planning.item_sets import BuiltSet
from whichword.planning.preparing import Prepared, prepared_of
from whichword.planning.spec import Play, Spec
from whichword.playing.checking import digest
from whichword.playing.progress import Evaluated, Watch
from whichword.playing.runner import evaluate
from whichword.runs.item_files import items_sha256
from whichword.runs.plan import ItemSet
from whichword.runs.seal import commit, sealed, sweep

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
