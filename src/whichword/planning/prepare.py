"""From a spec to a plan: look at the models, read the corpora, make the items, cut the shards.

Shards are cut to one size by words passed through the network, an estimate by formula, never by a clock: the plan must
be the same on every machine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from whichword import models
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.games import Game, Measured
from whichword.methods import METHODS, MethodPlan
from whichword.methods import plan as plan_methods
from whichword.methods.gradient import Gradient
from whichword.methods.limsse import LIMSSE
from whichword.methods.perturbation import Perturbation
from whichword.model import Model
from whichword.planning.items import BuiltSet, SetBuilder, by_length, fitting_game
from whichword.planning.spec import Play, Spec, check_mapping, how_to_map, relabelled
from whichword.runs import identity
from whichword.runs.items import Row
from whichword.runs.records import AboutModel, Asked, Pairing, PlannedModel, RunPlan
from whichword.runs.sources import games_code
from whichword.runs.store import Store
from whichword.types import Corpus, Item

FIT = 400  # what a fit costs, in words


def _gradient(methods: Sequence[Gradient], length: int) -> int:
    """Count words of the eight, which share their passes; forward and backward count three."""
    return 3 * max(method.steps if method.integrated else 1 for method in methods) * length  # one integral holds all


def _perturbation(methods: Sequence[Perturbation], length: int) -> int:
    """Count words of a copy of the document for each window."""
    return len(methods) * length * length


def _limsse(methods: Sequence[LIMSSE], length: int) -> int:
    """Count words of all substrings of 1 to 6 words, and of a fit for each method."""
    return 21 * length + FIT * len(methods)  # 1 + 2 + ... + 6 words from every place


_FORMULAS: Mapping[type, Callable[..., int]] = {
    Gradient: _gradient,
    Perturbation: _perturbation,
    LIMSSE: _limsse,
}


def work(plan: MethodPlan, length: int, word_cost: int = 1) -> int:
    """Count the words that a document of this length costs; at least one, so that empty documents fill shards too."""
    total = 0
    for kind, group in plan.families:
        formula = _FORMULAS.get(kind)
        methods = list(group.values())
        total += formula(methods, length) if formula else length * sum(int(method.passes(length)) for method in methods)
    return 1 + word_cost * total


def cuts(costs: Iterable[int], size: int) -> list[int]:
    """Cut shards: where each begins, and where the last one ends; each costs up to ``size`` or is one document."""
    places, spent = [0], 0
    count = 0
    for count, cost in enumerate(costs, 1):
        if spent and spent + cost > size:
            places.append(count - 1)
            spent = 0
        spent += cost
    return [*places, count] if count else places


LOOKED_AT = 100  # items whose games are asked whether they reward any class of a model


@dataclass(frozen=True)
class Prepared:
    """A plan, the items it speaks of by set, and how the models are spelled.

    ``lengths`` by set are words per item in the order of the set's file; ``costs`` by pairing what a document of a
    length costs (`work`). ``order`` puts the items of a set into the order of its file. ``models`` as they were loaded;
    ``spooled`` by set: where its file is already, under another name.
    """

    plan: RunPlan
    items: Mapping[str, Iterable[Item]]
    spellings: Mapping[str, str]
    lengths: Mapping[str, Sequence[int]]
    costs: Mapping[str, Mapping[int, int]]
    order: Callable[[Iterable[Item]], Iterator[Row]] = by_length
    models: Mapping[str, Model] = field(default_factory=dict)
    spooled: Mapping[str, Path] = field(default_factory=dict)

    def rows(self, set_id: str) -> Iterator[Row]:
        """Yield the items of a set in the order of its file."""
        return self.order(self.items[set_id])


Matchup = tuple[str, BuiltSet, Play]  # a model's label, the set that it plays, and how


def prepare(spec: Spec, begun: Store | None = None, spool: Path | None = None) -> Prepared:
    """Prepare a run; everything that can be refused is refused here, before any work.

    ``begun``: a run of this spec, whose files may save going through a corpus. ``spool``: the folder of a new one, into
    whose parts the files of its sets are written while they are measured.
    """
    loaded = {label: models.load(spelling) for label, spelling in spec.models.items()}
    return prepared_of(spec, loaded, _matchups(spec, loaded, SetBuilder(spec.seed, begun, spool)))


def _matchups(spec: Spec, loaded: Mapping[str, Model], builder: SetBuilder) -> Iterator[Matchup]:
    matches: set[tuple[str, str]] = set()
    for play in spec.plays:
        for name, mapped, game in _corpora(play, spec, loaded):
            for label in play.models:
                built = builder.build(name, mapped, game, play, loaded[label])
                if (label, built.set.title) in matches:
                    raise InputError(f"{label} plays {built.set.game} on {built.set.corpus} twice")
                matches.add((label, built.set.title))
                yield label, built, play


def prepared_of(spec: Spec, loaded: Mapping[str, Model], matchups: Iterable[Matchup]) -> Prepared:
    """Plan these models on these sets, wherever the sets come from."""
    pairings: list[Pairing] = []
    costs: dict[str, Mapping[int, int]] = {}
    sets: dict[str, BuiltSet] = {}
    for label, built, play in matchups:
        sets[built.set.id] = built
        number = f"p{len(pairings):02d}"
        methods = _methods(label, loaded[label], built, play)
        costs[number] = {n: _cost(methods, n, loaded[label], built.game) for n in set(built.lengths)}  # not by document
        places = cuts(map(costs[number].__getitem__, built.lengths), spec.shard_words)
        pairings.append(_pairing(number, label, built, methods, places))
    lengths = {set_id: built.lengths for set_id, built in sets.items()}
    items = {set_id: built.items for set_id, built in sets.items()}
    plan = _plan(spec, loaded, list(sets.values()), pairings)
    spooled = {set_id: built.spooled for set_id, built in sets.items() if built.spooled}
    return Prepared(plan, items, spec.models, lengths, costs, models=loaded, spooled=spooled)


def _plan(spec: Spec, loaded: Mapping[str, Model], sets: Sequence[BuiltSet], pairings: list[Pairing]) -> RunPlan:
    return RunPlan(
        identity=_identity(spec, sets, pairings),
        settings={"seed": spec.seed, "batch_words": spec.batch_words, "shard_words": spec.shard_words},
        models=tuple(_subject(label, spec.models[label], model) for label, model in loaded.items()),
        sets=tuple(built.set for built in sets),
        pairings=tuple(pairings),
    )


def _corpora(play: Play, spec: Spec, loaded: Mapping[str, Model]) -> Iterator[tuple[str, Corpus, str]]:
    """Yield what is played: a corpus's name, the corpus in the class names of the play's models, and the game."""
    for name in play.corpora:
        corpus = read_corpus(name, data=spec.data, seed=spec.seed)
        for label in play.models:
            check_mapping(play.classes, corpus, label, loaded[label].about.classes)  # before the corpus is gone through
        mapped = relabelled(corpus, play.classes)
        for game in play.games or [fitting_game(mapped.test)]:
            yield name, mapped, game


def _methods(label: str, model: Model, built: BuiltSet, play: Play) -> MethodPlan:
    """Plan the play's methods that are defined for the model."""
    _check_classes(label, model, built)
    return plan_methods(play.methods, model)


def _pairing(number: str, label: str, built: BuiltSet, methods: MethodPlan, places: Sequence[int]) -> Pairing:
    return Pairing(
        id=number,
        model=label,
        set=built.set.id,
        methods=tuple(Asked(name, METHODS[name].uniform) for name in methods.labels),
        undefined=dict(methods.undefined),
        cuts=tuple(places),
        measured=built.game.rows if isinstance(built.game, Measured) else (),
    )


def _cost(methods: MethodPlan, length: int, model: Model, game: Game) -> int:
    """Count the words that a document of this length costs, with the copies that a game asks about."""
    copies = game.cost(length, len(methods.labels)) if isinstance(game, Measured) else 0
    return work(methods, length, model.word_cost) + model.word_cost * copies * length


def _check_classes(label: str, model: Model, built: BuiltSet) -> None:
    names = model.about.classes
    _check_questions(label, names, built)
    if isinstance(built.game, Measured):  # it rewards no words, whatever the classes are called
        return
    rewarded = (built.game.rewarded(item, name) for item in islice(built.items, LOOKED_AT) for name in names)
    if not any(positions is not None for parts in rewarded for positions in parts.values()):
        theirs = ", ".join(built.set.classes)
        mismatch = f"none of its classes ({', '.join(names)}) is one of the corpus's ({theirs})"
        raise InputError(f"model {label}: {mismatch}; {how_to_map(built.set.classes)}")


def _check_questions(label: str, names: Sequence[str], built: BuiltSet) -> None:
    questions = dict.fromkeys(item.question for item in islice(built.items, LOOKED_AT) if item.question is not None)
    unanswerable = [name for name in questions if name not in names]
    if unanswerable:
        mismatch = f"it has no class {unanswerable[0]!r}, which {built.set.game} asks about"
        raise InputError(f"model {label}: {mismatch}; {how_to_map(built.set.classes)}")


def _subject(label: str, spelling: str, model: Model) -> PlannedModel:
    return PlannedModel(label, spelling, AboutModel(**vars(model.about) | {"facts": dict(model.about.facts)}))


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
    if any(isinstance(built.game, Measured) for built in sets):
        parts["code of games that ask"] = games_code()  # shards of these games hold what the games measured
    return parts | identity.computing(pairings)
