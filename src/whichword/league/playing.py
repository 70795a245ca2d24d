"""Methods on a suite: a results folder with a run in it and a sheet that names the suite."""

from collections.abc import Sequence
from pathlib import Path

from whichword import models
from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.checking import digest
from whichword.experiment.item_sets import BuiltSet
from whichword.experiment.plan import ItemSet
from whichword.experiment.preparing import Prepared, pair, prepared_of
from whichword.experiment.progress import Evaluated, Watch
from whichword.experiment.runner import carry_out
from whichword.experiment.seal import commit, sealed, sha256, sweep
from whichword.experiment.spec import Play, Spec
from whichword.games import GAMES
from whichword.league.suite import Suite

RESULTS, RUN = "league.json", "run"
FORMAT = "whichword league 1"


def play_suite(
    suite: Suite, methods: Sequence[str], out: Path, workers: int = 1, watch: Watch | None = None
) -> Evaluated:
    """The methods, and the suite's baselines beside them; run the same again to resume."""
    if not methods:
        raise InputError("no method was named: -m NAME,NAME")
    asked = tuple(dict.fromkeys([*methods, *suite.sheet.baseline_methods]))
    evaluated = carry_out(lambda: prepare_suite(suite, asked), out / RUN, workers, watch)
    body = {"format": FORMAT, "suite": suite.sheet.name, "hash": suite.sheet.hash, "digest": digest(evaluated.run)}
    commit(out, RESULTS, sealed(body))
    sweep(out)
    return evaluated


def prepare_suite(suite: Suite, methods: tuple[str, ...]) -> Prepared:
    """The plan: every model of the suite on its items."""
    labels = tuple(suite.sheet.models)
    play = Play(labels, (suite.sheet.corpus,), (suite.sheet.game,), methods)
    spec = Spec(suite.spellings, (play,), suite.sheet.seed)
    loaded = {label: models.load(spelling) for label, spelling in suite.spellings.items()}
    built = _built(suite)
    pairings = [
        pair(f"p{number:02d}", label, loaded[label], built, play, spec.shard_words)
        for number, label in enumerate(labels)
    ]
    return prepared_of(spec, loaded, [built], pairings)


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
        sha256=sha256(formats.items_bytes(suite.items)),
        words=sum(len(item.words) for item in suite.items),
    )
    parts = {"suite": sheet.hash, f"corpus {item_set.title}": sheet.items}
    return BuiltSet(item_set, item_set.title, suite.items, game, None, parts)
