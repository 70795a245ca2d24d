"""From a spec to a plan: look at the models, read the corpora, make the items, cut the shards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from whichword import models
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.experiment import identity
from whichword.experiment.item_sets import BuiltSet, SetBuilder, fitting_game
from whichword.experiment.mapping import check_mapping, how_to_map, relabelled
from whichword.experiment.plan import Asked, Pairing, RunPlan, Shard, Subject, reasons
from whichword.experiment.spec import Play, Spec
from whichword.experiment.work import shards
from whichword.methods import METHODS
from whichword.methods import plan as plan_methods
from whichword.model import Model
from whichword.types import Corpus, Item

LOOKED_AT = 100  # items that are asked whether any class of a model is rewarded at all


@dataclass(frozen=True)
class Prepared:
    """A plan, the items it speaks of by set, and how the models are spelled."""

    plan: RunPlan
    items: Mapping[str, tuple[Item, ...]]
    spellings: Mapping[str, str]


def prepare(spec: Spec) -> Prepared:
    """Everything that can be refused is refused here, before any work."""
    loaded = {label: models.load(spelling) for label, spelling in spec.models.items()}
    builder = SetBuilder(spec.seed)
    pairings: list[Pairing] = []
    matches: set[tuple[str, str]] = set()
    for play in spec.plays:
        for name, mapped, game in _corpora(play, spec, loaded):
            for label in play.models:
                built = builder.build(name, mapped, game, play, loaded[label])
                if (label, built.set.title) in matches:
                    raise InputError(f"{label} plays {built.set.game} on {built.set.corpus} twice")
                matches.add((label, built.set.title))
                pairings.append(pair(f"p{len(pairings):02d}", label, loaded[label], built, play, spec.shard_words))
    return prepared_of(spec, loaded, list(builder.built.values()), pairings)


def prepared_of(spec: Spec, loaded: Mapping[str, Model], sets: Sequence[BuiltSet], pairings: list[Pairing]) -> Prepared:
    """The plan of these sets and pairings, wherever they come from."""
    plan = RunPlan(
        identity=_identity(spec, sets, pairings),
        settings={"seed": spec.seed, "batch_words": spec.batch_words, "shard_words": spec.shard_words},
        models=tuple(_subject(label, spec.models[label], model) for label, model in loaded.items()),
        sets=tuple(built.set for built in sets),
        pairings=tuple(pairings),
    )
    return Prepared(plan, {built.set.id: built.items for built in sets}, spec.models)


def _corpora(play: Play, spec: Spec, loaded: Mapping[str, Model]) -> Iterator[tuple[str, Corpus, str]]:
    """What is played: a corpus's name, the corpus in the class names of the play's models, and the game."""
    for name in play.corpora:
        corpus = read_corpus(name, data=spec.data, seed=spec.seed)
        for label in play.models:
            check_mapping(play.classes, corpus, label, loaded[label].about.classes)
        mapped = relabelled(corpus, play.classes)
        for game in play.games or [fitting_game(mapped.test)]:
            yield name, mapped, game


def pair(number: str, label: str, model: Model, built: BuiltSet, play: Play, size: int) -> Pairing:
    """One model on one set, in shards."""
    _check_classes(label, model, built)
    methods = plan_methods(play.methods, model)
    groups = enumerate(shards(methods, [len(item.words) for item in built.items], size))
    return Pairing(
        id=number,
        model=label,
        set=built.set.id,
        methods=tuple(Asked(name, getattr(METHODS[name], "uniform", False)) for name in methods.labels),
        undefined=reasons(methods.undefined),
        shards=tuple(Shard(f"{number}/{index:05d}", tuple(group)) for index, group in groups),
    )


def _check_classes(label: str, model: Model, built: BuiltSet) -> None:
    names = model.about.classes
    rewarded = (built.game.rewarded(item, name) for item in built.items[:LOOKED_AT] for name in names)
    if not any(positions is not None for parts in rewarded for positions in parts.values()):
        theirs = ", ".join(built.set.classes)
        mismatch = f"none of its classes ({', '.join(names)}) is one of the corpus's ({theirs})"
        raise InputError(f"model {label}: {mismatch}; {how_to_map(built.set.classes)}")


def _subject(label: str, spelling: str, model: Model) -> Subject:
    return Subject(label, spelling, replace(model.about, facts=dict(model.about.facts)))


def _identity(spec: Spec, sets: Sequence[BuiltSet], pairings: Sequence[Pairing]) -> dict[str, str]:
    names = {built.set.id: built.title for built in sets}
    parts = {name: str(getattr(spec, name)) for name in ("seed", "batch_words", "shard_words")}
    parts["pairings"] = "; ".join(f"{pairing.model} on {names[pairing.set]}" for pairing in pairings)
    for pairing in pairings:
        labels = ", ".join([*pairing.labels, *(f"{name} (n/a)" for name in pairing.undefined)])
        parts[f"methods of {pairing.model} on {names[pairing.set]}"] = labels
    for label, spelling in spec.models.items():
        parts |= identity.of_model(label, spelling)
    for built in sets:
        parts |= built.identity
    return parts | identity.computing(pairings)
