"""Every judge where the truth is planted: on networks of ours and on a small transformer that is fine-tuned here.

Deletion has no right words but a right order. In these texts it is the planted word first and the others in any order,
as far as a model hangs on that word alone; how far it does is measured here, over all sets of words.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from judged_corpus import FILLER
from judged_models import network, transformer

from whichword.games import GAMES
from whichword.games.columns import hits, point, rewarded
from whichword.games.searching import Ask, exhaustive, sizes
from whichword.models import load
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.runs.run import Run
from whichword.scoring.run import judge
from whichword.types import Item
from whichword.workers.sheet import probability_without

GAMES_PLAYED = ("hybrid[segments=2]", "rationales", "twins", "shortcut", "agreement", "manual", "deletion")
METHODS = ("omit_1", "occ_1", "grad_1_s_l2", "random", "last")
PARTS = [
    ("hybrid[segments=2]", "hybrid"),
    ("rationales", "rationales"),
    ("twins", "twins"),
    ("shortcut", "shortcut"),
    ("agreement", "hit_target"),
    ("agreement", "hit_feat_correct"),
    ("agreement", "hit_feat_wrong"),
    ("manual", "manual"),
    ("deletion", "comprehensiveness"),
    ("deletion", "sufficiency"),
]
POINTING = [pair for pair in PARTS if pair[0] != "deletion"]
DELETION = ("comprehensiveness", "sufficiency")
MODELS_JUDGED = {
    "cnn": (partial(network, "cnn"), "judged[documents=600]"),
    "lstm": (partial(network, "lstm"), "judged[documents=1200]"),
    "transformer": (transformer, "judged[documents=600]"),
}


@pytest.fixture(scope="module", params=list(MODELS_JUDGED))
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param == "transformer":
        pytest.importorskip("transformers")
    tmp = tmp_path_factory.mktemp("judges")
    trained, corpus = MODELS_JUDGED[request.param]
    spelling = trained(corpus, tmp / "model")
    play = Play(("m",), (corpus,), GAMES_PLAYED, METHODS, limit=120)
    wrong = Play(("m",), (corpus.replace("]", ",wrong=true]"),), ("agreement",), METHODS, limit=120)
    return evaluate(Spec({"m": spelling}, (play, wrong)), tmp / "run").run


def judged_by(run: Run, game: str, part: str = ""):
    """What counts wrong predictions is judged where all are wrong."""
    sets = [set_ for set_ in run.plan.sets if set_.game == game and ("wrong" in set_.corpus) == ("wrong" in part)]
    pairing = next(pairing for pairing in run.plan.pairings if pairing.set == sets[0].id)
    return pairing, judge(run, pairing.id)


@pytest.mark.parametrize(("game", "part"), PARTS)
def test_the_right_method_is_right(run: Run, game: str, part: str) -> None:
    _, judged = judged_by(run, game, part)
    tally = judged.tally(part, "omit_1")
    assert tally.total >= 50
    assert tally.hits / tally.total >= 0.95


@pytest.mark.parametrize(("game", "part"), PARTS)
def test_noise_makes_it_fall_to_chance(run: Run, game: str, part: str) -> None:
    _, judged = judged_by(run, game, part)
    noise = judged.degraded[part]
    assert noise.falls, noise
    assert noise.scores[0] >= 0.95
    count = judged.tally(part, "omit_1").total
    chance = judged.chance[part]
    assert abs(noise.scores[-1] - chance) <= 4 * math.sqrt(chance * (1 - chance) / count)


@dataclass(frozen=True, eq=False)
class Pointed:
    """What a pointing game asked: words per text, the right words by text (None: not counted), omit_1's relevances."""

    lengths: list[int]
    gold: list[frozenset[int] | None]
    phi: list[np.ndarray]

    def hits(self) -> tuple[float, float, float]:
        """Hits, what a random word gets on average, and the standard deviation of that."""
        values = hits(point(np.concatenate(self.phi), self.lengths), self.gold)
        pairs = zip(self.gold, self.lengths, strict=True)
        shares = np.array([len(gold) / length for gold, length in pairs if gold is not None])
        return float(np.nansum(values)), float(shares.sum()), math.sqrt(float((shares * (1 - shares)).sum()))


def pointed(run: Run, game: str, part: str) -> Pointed:
    pairing, _ = judged_by(run, game, part)
    items, predictions = run.items(pairing.set), run.predictions(pairing.id)
    turns = [(item, predictions[item.key].predicted) for item in items]
    phi = {row.key: row.values for row in run.relevances(pairing.id) if row.method == "omit_1"}
    gold = rewarded(turns, GAMES[game])[part]
    return Pointed([len(item.words) for item in items], gold, [phi[item.key] for item in items])


def shuffled(asked: Pointed) -> Pointed:
    """The words that are called right are drawn anew, as many as before, in every text."""
    dice = random.Random(1)
    pairs = zip(asked.gold, asked.lengths, strict=True)
    gold = [None if words is None else frozenset(dice.sample(range(length), len(words))) for words, length in pairs]
    return replace(asked, gold=gold)


def permuted(asked: Pointed) -> Pointed:
    """The relevances stand at other words of their text."""
    dice = np.random.default_rng(2)
    return replace(asked, phi=[dice.permutation(phi) for phi in asked.phi])


@pytest.mark.parametrize("lost", [shuffled, permuted])
@pytest.mark.parametrize(("game", "part"), POINTING)
def test_without_the_truth_it_is_at_chance(run: Run, game: str, part: str, lost: Callable[[Pointed], Pointed]) -> None:
    asked = pointed(run, game, part)
    hit, chance, spread = lost(asked).hits()
    assert abs(hit - chance) <= 4 * spread
    hit, chance, spread = asked.hits()
    assert hit > chance + 4 * spread  # which the truth is not


@dataclass(frozen=True, eq=False)
class Deleted:
    """Deletion's scores of one text by part: of the planted order, of omit_1 after the truth was lost, of chance.

    ``permuted``: its relevances stand at other words; ``shuffled``: the model answers for other words.
    ``moved``: how far the order of the other words can move a score in which the planted word comes first.
    """

    planted: Mapping[str, float]
    permuted: Mapping[str, float]
    shuffled: Mapping[str, float]
    chance: Mapping[str, float]
    moved: Mapping[str, float]


@pytest.fixture(scope="module")
def deleted(run: Run) -> list[Deleted]:
    pairing, _ = judged_by(run, "deletion")
    model, predictions = load(run.plan.models[0].spelling), run.predictions(pairing.id)
    phi = {row.key: row.values for row in run.relevances(pairing.id) if row.method == "omit_1"}
    dice = np.random.default_rng(0)
    texts = []
    for item in run.items(pairing.set)[:80]:
        target = model.about.classes.index(predictions[item.key].predicted)
        ask = answered(probability_without(model, model.read(item), target), len(item.words))
        texts.append(deleted_text(item, phi[item.key], ask, dice))
    return texts


def answered(ask: Ask, words: int) -> Ask:
    """The same, asked about all sets at once."""
    values, weights = ask(all_sets(words)), 1 << np.arange(words)
    return lambda sets: values[sets @ weights]


def all_sets(words: int) -> np.ndarray:
    """[2^T, T]; row n holds the binary digits of n."""
    return (np.arange(2**words)[:, None] >> np.arange(words)) & 1 == 1


def deleted_text(item: Item, phi: np.ndarray, ask: Ask, dice: np.random.Generator) -> Deleted:
    game, order = GAMES["deletion"], dice.permutation(len(phi))
    plant = np.array([float(word not in FILLER) for word in item.words])
    rows = game.measure(item, {"plant": plant, "permuted": dice.permutation(phi)}, ask)
    shuffled = game.measure(item, {"omit_1": phi}, lambda sets: ask(sets[:, order]))
    values = {name: row.values for name, row in rows.items()}
    moved = {part: moved_by_others(plant > 0, ask, part) for part in DELETION}
    return Deleted(values["plant"], values["permuted"], shuffled["omit_1"].values, values["random order"], moved)


def moved_by_others(plant: np.ndarray, ask: Ask, part: str) -> float:
    """Mean over the sizes of (best set - worst set that holds the plant), over best minus worst order, by all sets."""
    sets, at = all_sets(len(plant)), sizes(len(plant), 8)
    worth = (lambda rows: -ask(rows)) if part == "comprehensiveness" else (lambda rows: ask(~rows))
    groups = [sets[sets.sum(1) == size] for size in at]
    spread = np.mean([worth(group).max() - worth(group[group @ plant]).min() for group in groups])
    best, worst = (exhaustive(len(plant), at, way)[1] for way in (worth, lambda rows: -worth(rows)))
    return float(spread / (best + worst))


@pytest.mark.parametrize("part", DELETION)
def test_the_planted_order_is_right_by_deletion(deleted: list[Deleted], part: str) -> None:
    """It is the best one but for the order of the words that say nothing, and these move next to nothing."""
    assert all(text.planted[part] >= 1 - text.moved[part] - 1e-6 for text in deleted)
    assert np.mean([text.moved[part] for text in deleted]) < 0.1
    assert np.mean([text.planted[part] for text in deleted]) >= 0.95


@pytest.mark.parametrize("lost", ["permuted", "shuffled"])
@pytest.mark.parametrize("part", DELETION)
def test_deletion_without_the_truth_is_at_chance(deleted: list[Deleted], part: str, lost: str) -> None:
    above = np.array([getattr(text, lost)[part] - text.chance[part] for text in deleted])
    assert abs(above.mean()) <= 4 * above.std(ddof=1) / math.sqrt(len(above))


def test_deletion_has_a_ceiling_and_a_light(run: Run) -> None:
    _, judged = judged_by(run, "deletion")
    for part in DELETION:
        assert judged.ceiling[part] == pytest.approx(1.0)  # texts this short are searched exhaustively
        assert 0.1 < judged.chance[part] < 0.7
    assert 0.0 <= judged.unfamiliar <= 1.0


def test_the_run_is_sound_and_its_judgements_are_stored(run: Run) -> None:
    from whichword.playing.verify import verify

    findings = verify(run.folder)
    assert findings.sound
    assert not findings.unplanned
    assert (run.folder / "judged/p06.json").exists()


def test_the_other_scorers_are_columns_on_request(run: Run) -> None:
    from whichword.reporting.tabulate import table

    columns = table([run.folder], scorers=["mass", "precision"]).columns
    parts = {column.part: column for column in columns if column.game == "rationales"}
    assert list(parts) == ["rationales", "rationales.mass", "rationales.precision"]
    assert parts["rationales.precision"].cells["omit_1"].accuracy == parts["rationales"].cells["omit_1"].accuracy
    assert not parts["rationales.mass"].decides
    assert parts["rationales.mass"].cells["omit_1"].bounds is not None
