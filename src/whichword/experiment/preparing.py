"""From a spec to a plan: read the corpora, make the items, look at the models, cut the shards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whichword import games
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.experiment import formats, identity
from whichword.experiment.plan import Asked, ItemSet, Pairing, RunPlan, Shard, Subject
from whichword.experiment.seal import sha256
from whichword.experiment.spec import Play, Spec
from whichword.experiment.work import shards
from whichword.games import GAMES, Game
from whichword.methods import METHODS
from whichword.methods import plan as plan_methods
from whichword.networks import Network
from whichword.networks.checkpoint import load
from whichword.text import content_key
from whichword.types import Corpus, Document, Item

LOOKED_AT = 100  # items that are asked whether any class of a model is rewarded at all


@dataclass(frozen=True)
class Prepared:
    """A plan, and the items it speaks of by set."""

    plan: RunPlan
    items: Mapping[str, tuple[Item, ...]]
    paths: Mapping[str, Path]  # label -> the folder of the model


@dataclass(frozen=True)
class _Made:
    """A set with its items and its parts of the run's identity."""

    set: ItemSet
    items: tuple[Item, ...]
    game: Game
    limit: int | None
    identity: Mapping[str, str]


def prepare(spec: Spec) -> Prepared:
    """Everything that can be refused is refused here, before any work."""
    models = {label: load(path) for label, path in spec.models.items()}
    sets: dict[tuple[str, str], _Made] = {}
    pairings: dict[tuple[str, str], Pairing] = {}
    for play in spec.plays:
        for key, made in _sets(play, spec, sets):
            sets[key] = made
            for label in play.models:
                pairing = _pair(f"p{len(pairings):02d}", label, models[label], made, play.methods, spec.shard)
                if (label, made.set.id) in pairings:
                    raise InputError(f"{label} plays {made.set.game} on {made.set.corpus} twice")
                pairings[label, made.set.id] = pairing
    plan = RunPlan(
        identity=_identity(spec, models, list(sets.values()), list(pairings.values())),
        settings={"seed": spec.seed, "budget": spec.budget, "shard": spec.shard},
        models=tuple(_subject(label, spec.models[label], model) for label, model in models.items()),
        sets=tuple(made.set for made in sets.values()),
        pairings=tuple(pairings.values()),
    )
    return Prepared(plan, {made.set.id: made.items for made in sets.values()}, spec.models)


# ---------------------------------------------------------------------------------------------------------------------
# Sets


def _sets(play: Play, spec: Spec, known: Mapping[tuple[str, str], _Made]) -> Iterator[tuple[tuple[str, str], _Made]]:
    """The sets of a play, each made once."""
    for name in play.corpora:
        corpus = read_corpus(name, data=spec.data, seed=spec.seed)
        for spelling in play.games or [fitting_game(corpus.test)]:
            label, game = GAMES.resolve(spelling)
            made = known.get((name, label)) or _set(
                f"s{len(known):02d}", corpus, name, label, game, play.limit, spec.seed
            )
            if made.limit != play.limit:
                raise InputError(f"{name} as {label} is played with two limits: give them runs of their own")
            yield (name, label), made


def fitting_game(documents: Sequence[Document]) -> str:
    """The game that the documents were made for, by what the games say."""
    return games.fitting_game(documents)


def _set(number: str, corpus: Corpus, name: str, label: str, game: Game, limit: int | None, seed: int) -> _Made:
    items = game.items(corpus.test, seed)
    if not items:
        raise InputError(f"corpus {name}: its test part gives the game {label} no item")
    taken = sample(items, limit, seed)
    about = ItemSet(
        id=number,
        corpus=name,
        game=label,
        parts=game.parts,
        items=len(taken),
        available=len(items),
        classes=corpus.classes,
        record=dict(corpus.record),
        sha256=sha256(formats.items_bytes(taken)),
    )
    parts = {
        f"corpus {name} as {label}": identity.items_hash(items),
        f"record of corpus {name}": identity.record_hash(corpus),
        f"limit of {name} as {label}": str(limit),
    }
    return _Made(about, taken, game, limit, parts)


def sample(items: Sequence[Item], limit: int | None, seed: int) -> tuple[Item, ...]:
    """At most ``limit`` items, drawn by a hash of (seed, key), in their order: a smaller sample is part of a larger."""
    if limit is None or limit >= len(items):
        return tuple(items)
    ranked = sorted(range(len(items)), key=lambda i: content_key("sample", str(seed), items[i].key))
    return tuple(items[i] for i in sorted(ranked[:limit]))


# ---------------------------------------------------------------------------------------------------------------------
# Pairings


def _pair(number: str, label: str, model: Network, made: _Made, names: Sequence[str], size: int) -> Pairing:
    _check_classes(label, model, made)
    methods = plan_methods(names, model)
    lengths = [len(item.words) for item in made.items]
    groups = enumerate(shards(methods, lengths, size))
    return Pairing(
        id=number,
        model=label,
        set=made.set.id,
        methods=tuple(Asked(name, getattr(METHODS[name], "uniform", False)) for name in methods.labels),
        undefined=methods.undefined,
        shards=tuple(Shard(f"{number}/{index:05d}", tuple(group)) for index, group in groups),
    )


def _check_classes(label: str, model: Network, made: _Made) -> None:
    rewarded = (made.game.rewarded(item, name) for item in made.items[:LOOKED_AT] for name in model.classes)
    if not any(positions is not None for found in rewarded for positions in found.values()):
        theirs = ", ".join(made.set.classes)
        raise InputError(
            f"model {label}: none of its classes ({', '.join(model.classes)}) is one of the corpus's ({theirs})"
        )


def _subject(label: str, path: Path, model: Network) -> Subject:
    config = model.config
    return Subject(
        label=label,
        path=str(path),
        kind=config.kind,
        bidirectional=config.bidirectional,
        embedding=config.embedding,
        hidden=config.hidden,
        classes=model.classes,
        dtype=str(model.w.dtype).removeprefix("torch."),
    )


def _identity(
    spec: Spec, models: Mapping[str, Network], sets: Sequence[_Made], pairings: Sequence[Pairing]
) -> dict[str, str]:
    named = {made.set.id: f"{made.set.corpus} as {made.set.game}" for made in sets}
    parts = {"seed": str(spec.seed), "budget": str(spec.budget), "shard size": str(spec.shard)}
    parts["pairings"] = "; ".join(f"{pairing.model} on {named[pairing.set]}" for pairing in pairings)
    for pairing in pairings:
        labels = ", ".join([*pairing.labels, *(f"{name} (n/a)" for name in pairing.undefined)])
        parts[f"methods of {pairing.model} on {named[pairing.set]}"] = labels
    parts |= {f"model {label}": identity.model_hash(spec.models[label]) for label in models}
    for made in sets:
        parts |= made.identity
    methods = [METHODS[label] for pairing in pairings for label in pairing.labels]
    return parts | {"code": identity.code_version(methods)} | dict(identity.versions())
