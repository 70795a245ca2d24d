"""The runs: one network in one game a run, so that columns are finished one by one."""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from experiments.paper.options import Places
from experiments.paper.spec import Playing
from whichword import models
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.games import GAMES
from whichword.methods import METHODS
from whichword.planning.spec import Play, Spec
from whichword.playing.progress import Evaluated
from whichword.runs.records import RunPlan
from whichword.runs.run import Run, open_run

Evaluate = Callable[[Spec, Path, int], Evaluated]


def play(places: Places, playing: Playing, evaluate: Evaluate) -> Run:
    """The run of this network: what is complete and fits is taken as it is, else it is made or gone on with."""
    folder = places.run(playing)
    return complete(places, playing) or evaluate(_spec(places, playing), folder, places.options.hands.workers).run


def complete(places: Places, playing: Playing) -> Run | None:
    """The run in the folder if all of it is there and it is the one that is wanted."""
    try:
        run = open_run(places.run(playing))
    except InputError:
        return None
    return run if _fits(run.plan, places, playing) else None


def _fits(plan: RunPlan, places: Places, playing: Playing) -> bool:
    """The same network, corpus, size, methods and seed. Code and libraries may be newer: the result names them."""
    (pairing,), (played,) = plan.pairings, plan.sets
    size = places.options.limit(played.available, playing.group.documents) or played.available
    return (
        _same_model(plan, playing.name, str(places.model(playing)))
        and (played.corpus, played.items) == (playing.group.spelling(places.options.data), size)
        and {*pairing.labels, *pairing.undefined} == {METHODS.resolve(name)[0] for name in _methods(places)}
        and plan.settings["seed"] == places.seed
    )


def _same_model(plan: RunPlan, label: str, spelling: str) -> bool:
    """By what its loader says it depends on. Runs of the first format have one hash over the hashes of its files."""
    parts = models.identity(spelling)
    if whole := plan.identity.get(f"model {label}"):
        return whole == hashlib.sha256(b"".join(map(bytes.fromhex, parts.values()))).hexdigest()
    return all(plan.identity.get(f"model {label}: {part}") == value for part, value in parts.items())


def _methods(places: Places) -> tuple[str, ...]:
    return places.spec.methods + places.spec.extra


def _spec(places: Places, playing: Playing) -> Spec:
    group, options = playing.group, places.options
    spelling = group.spelling(options.data)
    all_played = not options.quick and not group.documents
    available = 0 if all_played else _available(spelling, group.game, options.data, places.seed)
    limit = None if all_played else options.limit(available, group.documents)
    once = Play((playing.name,), (spelling,), (group.game,), _methods(places), limit)
    return Spec({playing.name: str(places.model(playing))}, (once,), places.seed, data=options.data)


@lru_cache(maxsize=8)
def _available(spelling: str, game: str, data: Path, seed: int) -> int:
    """How many items there are, of which a run may play a part."""
    return len(GAMES[game].items(read_corpus(spelling, data=data, seed=seed).test, seed))
