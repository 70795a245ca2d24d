"""Every judge where the truth is planted: on a network of ours and on a small transformer that is fine-tuned here."""

import math
import random
import warnings
from pathlib import Path

import judged_corpus  # noqa: F401  (registers the corpus)
import numpy as np
import pytest
import torch
from judged_corpus import DECISIVE, FILLER

from whichword.corpora import read_corpus
from whichword.experiment.judging import judge
from whichword.experiment.reading import Run
from whichword.experiment.runner import evaluate
from whichword.experiment.spec import Play, Spec
from whichword.games import GAMES
from whichword.games.columns import hits, point, rewarded
from whichword.training import Training, train

GAMES_PLAYED = ("hybrid[segments=2]", "rationales", "twins", "shortcut", "agreement", "manual", "deletion")
METHODS = ("omit_1", "occ_1", "grad_1_s_l2", "random", "last")
PARTS = [
    ("hybrid[segments=2]", "hybrid"),
    ("rationales", "rationales"),
    ("twins", "twins"),
    ("shortcut", "shortcut"),
    ("agreement", "hit_target"),
    ("agreement", "hit_feat_correct"),
    ("manual", "manual"),
    ("deletion", "comprehensiveness"),
    ("deletion", "sufficiency"),
]
POINTING = [pair for pair in PARTS if pair[0] != "deletion"]


def network(folder: Path) -> str:
    settings = Training(
        network="cnn", embedding=8, hidden=12, batch=8, learning_rate=0.02, dropout=0.1, epochs=8, patience=3
    )
    train(read_corpus("judged[documents=600]"), settings, folder)
    return str(folder)


def transformer(folder: Path) -> str:
    """Two layers, drawn at random, and a tokenizer that knows whole words; then our own fine-tuning."""
    from whichword.training.finetuning import FineTuning, fine_tune

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tokenizers import Tokenizer, models, pre_tokenizers, processors
        from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = [*specials, *FILLER, *(word for group in DECISIVE.values() for word in group)]
    pieces = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()
    pieces.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(words), max_position_embeddings=32, hidden_dropout_prob=0.0, **sizes)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BertForSequenceClassification(config).save_pretrained(folder / "start")
    PreTrainedTokenizerFast(tokenizer_object=pieces, **names).save_pretrained(folder / "start")
    corpus = read_corpus("judged[documents=600]")
    fine_tune(folder / "start", corpus, FineTuning(epochs=8, batch=24, learning_rate=3e-3), folder / "model")
    return f"hf:{folder / 'model'}"


@pytest.fixture(scope="module", params=[network, transformer], ids=["cnn", "transformer"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param is transformer:
        pytest.importorskip("transformers")
    tmp = tmp_path_factory.mktemp("judges")
    spelling = request.param(tmp / "model")
    play = Play(("m",), ("judged[documents=600]",), GAMES_PLAYED, METHODS, limit=120)
    return evaluate(Spec({"m": spelling}, (play,)), tmp / "run").run


def judged_by(run: Run, game: str):
    pairing = next(pairing for pairing in run.plan.pairings if run.plan.set(pairing.set).game == game)
    return pairing, judge(run, pairing.id)


@pytest.mark.parametrize(("game", "part"), POINTING)
def test_the_right_method_is_right(run: Run, game: str, part: str) -> None:
    _, judged = judged_by(run, game)
    tally = judged.tally(part, "omit_1")
    assert tally.total >= 50
    assert tally.hits / tally.total >= 0.95


@pytest.mark.parametrize(("game", "part"), PARTS)
def test_noise_makes_it_fall_to_chance(run: Run, game: str, part: str) -> None:
    _, judged = judged_by(run, game)
    noise = judged.degraded[part]
    assert noise.falls, noise
    assert noise.scores[0] >= 0.95
    count = judged.tally(part, "omit_1").total
    chance = judged.chance[part]
    assert abs(noise.scores[-1] - chance) <= 4 * math.sqrt(chance * (1 - chance) / count)


@pytest.mark.parametrize(("game", "part"), POINTING)
def test_shuffled_gold_is_at_chance(run: Run, game: str, part: str) -> None:
    """The words that are called right are drawn anew, as many as before, in every document."""
    pairing, _ = judged_by(run, game)
    items, predictions = run.items(pairing.set), run.predictions(pairing.id)
    turns = [(item, predictions[item.key].predicted) for item in items]
    dice = random.Random(1)
    gold = [
        None if words is None else frozenset(dice.sample(range(len(item.words)), len(words)))
        for item, words in zip(items, rewarded(turns, GAMES[game])[part], strict=True)
    ]
    phi = {row.key: row.values for row in run.relevances(pairing.id) if row.method == "omit_1"}
    lengths = [len(item.words) for item in items]
    points = point(np.concatenate([phi[item.key] for item in items]), lengths)
    values = hits(points, gold)
    shares = np.array([np.nan if g is None else len(g) / n for g, n in zip(gold, lengths, strict=True)])
    counted = ~np.isnan(shares)
    spread = math.sqrt(float((shares[counted] * (1 - shares[counted])).sum()))
    assert abs(np.nansum(values) - np.nansum(shares)) <= 4 * spread


def is_transformer(run: Run) -> bool:
    return run.plan.models[0].spelling.startswith("hf:")


def test_deletion_has_a_ceiling_and_a_light(run: Run) -> None:
    _, judged = judged_by(run, "deletion")
    for part in ("comprehensiveness", "sufficiency"):
        assert judged.ceiling[part] == pytest.approx(1.0)  # the right order: texts this short are searched exhaustively
        tally = judged.tally(part, "omit_1")
        # it puts the word that decides first, the others in any order, and on these a transformer hangs as well:
        # .82 and .84 were seen there, so that only a network of ours is held to .85
        half_way = (1.0 + judged.chance[part]) / 2
        assert tally.hits / tally.total > (half_way if is_transformer(run) else 0.85)
    assert 0.0 <= judged.unfamiliar <= 1.0
    assert 0.1 < judged.chance["comprehensiveness"] < 0.7


def test_the_run_is_sound_and_its_judgements_are_stored(run: Run) -> None:
    from whichword.experiment.checking import verify

    findings = verify(run.folder)
    assert findings.sound
    assert not findings.unplanned
    assert (run.folder / "judged/p06.json").exists()


def test_the_other_scorers_are_columns_on_request(run: Run) -> None:
    from whichword.reporting.tabulating import table

    columns = table([run.folder], scorers=["mass", "precision"]).columns
    parts = {column.part: column for column in columns if column.game == "rationales"}
    assert list(parts) == ["rationales", "rationales.mass", "rationales.precision"]
    assert parts["rationales.precision"].cells["omit_1"].accuracy == parts["rationales"].cells["omit_1"].accuracy
    assert not parts["rationales.mass"].decides
    assert parts["rationales.mass"].cells["omit_1"].bounds is not None
