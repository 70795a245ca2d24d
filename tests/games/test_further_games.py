"""Segments, classes that are asked for, twins, slices, and what a game says of itself."""

import numpy as np
import pyarrow as pa
import pytest

from whichword.errors import InputError
from whichword.games import GAMES
from whichword.runs.items import table_of
from whichword.runs.records import Asked, Pairing
from whichword.scoring.hits import BLOCK, ShardScorer, in_order, united
from whichword.scoring.shard import shard_of
from whichword.types import Document, Item


def documents(*pairs):
    return [Document(f"{i:04x}", tuple(text.split()), label) for i, (text, label) in enumerate(pairs)]


TEXTS = documents(("a b c", "x"), ("d e", "y"), ("f g h i", "x"), ("j k l", "y"), ("m n", "x"))


def test_segments_are_equally_long_and_of_different_classes():
    items = GAMES["hybrid[segments=2]"].items(TEXTS, 0)
    assert len(items) == 2  # the fifth text finds no partner
    for item in items:
        assert len(item.words) % 2 == 0
        assert item.labels.count("x") == item.labels.count("y") == len(item.words) // 2
        rewards = GAMES["hybrid[segments=2]"].rewarded(item, "x")["hybrid"]
        assert len(rewards) / len(item.words) == 0.5


def test_every_class_that_is_present_is_asked_for():
    items = GAMES["hybrid[classes=all,sentences=2]"].items(TEXTS, 0)
    plain = GAMES["hybrid[sentences=2]"].items(TEXTS, 0)
    assert len(items) == sum(len(set(item.labels)) for item in plain)
    assert len({item.key for item in items}) == len(items)
    for item in items:
        assert item.question in item.labels
        inside = GAMES["hybrid[classes=all]"].rewarded(item, "whatever is predicted")["hybrid"]
        assert {item.labels[t] for t in inside} == {item.question}


@pytest.mark.parametrize("settings", ["classes=some", "confident=2", "segments=1", "segments=-2"])
def test_bad_settings_of_the_hybrid_game(settings):
    with pytest.raises(InputError, match="game hybrid"):
        GAMES[f"hybrid[{settings}]"]


def counted(game, items, predicted, scores, classes=("x", "y")):
    """Which items count, by shards of two: judged as a run's are, with made-up relevances."""
    pairing = Pairing("p", "m", "s", (Asked("lrp"),), {}, (*range(0, len(items), 2), len(items)))
    scorers = []
    for shard in pairing.shards:
        rows = [items[i] for i in shard.items]
        keys = [item.key for item in rows]
        words = [len(items[i].words) if predicted[i] else 0 for i in shard.items]  # nothing of those that failed
        phi = [np.arange(length, 0.0, -1.0) for length in words]
        unknown = pa.array([[False] * length for length in words], pa.list_(pa.bool_()))
        said = pa.array([scores[i] for i in shard.items], pa.list_(pa.float64()))
        names = pa.array([predicted[i] for i in shard.items], pa.string())
        predictions = {"key": keys, "predicted": names, "unknown": unknown, "seen": words, "scores": said}
        relevances = {"key": keys, "method": ["lrp"] * len(keys), "relevances": pa.array(phi, pa.list_(pa.float64()))}
        tables = {"predictions": pa.table(predictions), "relevances": pa.table(relevances | {"note": keys})}
        arrays = shard_of(table_of(list(enumerate(rows))), np.array(shard.items), tables, pairing, classes)
        scorers.append(ShardScorer.of(arrays, GAMES[game]))
    lost = united(scorer.lost() for scorer in scorers) if GAMES[game].together else {}
    (block,) = in_order(((scorer.shard.places, scorer.hits(pairing, lost)) for scorer in scorers), BLOCK)
    hits = dict(zip(block.places.tolist(), block.hits[GAMES[game].parts[0]][:, 0].tolist(), strict=True))
    return [None if np.isnan(hits.get(place, np.nan)) else hits[place] for place in range(len(items))]


def test_items_of_which_the_model_is_not_sure_are_not_counted():
    items = [Item(key, ("a", "b"), labels=("x", "y")) for key in "pq"]
    scores = [[2.0, 0.0], [0.1, 0.0]]
    assert counted("hybrid[confident=0.8]", items, ["x", "x"], scores) == [1.0, None]
    assert counted("hybrid", items, ["x", "x"], scores) == [1.0, 1.0]


def test_confidence_is_that_of_the_class_that_is_asked_for():
    item = Item("p", ("a", "b"), labels=("x", "y"), question="y")
    assert counted("hybrid[confident=0.5,classes=all]", [item], ["x"], [[2.0, 0.0]]) == [None]
    assert counted("hybrid[confident=0.1,classes=all]", [item], ["x"], [[2.0, 0.0]]) == [0.0]


def test_a_pair_counts_where_both_texts_are_right_whichever_shards_they_are_in():
    pairs = ["1", "2", "1", "2"]
    items = [
        Item(str(i), ("a", "b"), gold, truth={gold: (0,)}, facts={"pair": pairs[i]}) for i, gold in enumerate("xxyy")
    ]
    scores = [[0.0, 0.0]] * 4
    assert counted("twins", items, ["x", "x", "y", "x"], scores) == [1.0, None, 1.0, None]


def test_a_text_whose_twin_got_no_answer_does_not_count():
    items = [Item(key, ("a", "b"), "x", truth={"x": (0,)}, facts={"pair": key[0]}) for key in ("1a", "2a", "1b", "2b")]
    scores = [[0.0, 0.0], [0.0, 0.0], [], [0.0, 0.0]]
    assert counted("twins", items, ["x", "x", None, "x"], scores) == [None, 1.0, None, 1.0]


def test_rationales_of_the_predicted_class_if_it_is_the_right_one():
    game = GAMES["rationales"]
    documents = [Document("k", ("a", "b"), "x", truth={"x": (1,), "y": (0,)}), Document("l", ("c",), "x")]
    (item,) = game.items(documents, 0)
    assert game.rewarded(item, "x") == {"rationales": frozenset({1})}
    assert game.rewarded(item, "y") == {"rationales": None}
    with pytest.raises(InputError, match="game rationales: no document says"):
        game.items(documents[1:], 0)


def test_the_game_that_fits():
    from whichword.games import fitting_game

    marked = Document("k", ("a", "b"), "x", truth={"x": (1,)})
    assert fitting_game([marked]) == "rationales"
    assert fitting_game([Document("k", ("a",), "x", truth={"x": (0,)}, facts={"pair": "p"})]) == "twins"
    assert fitting_game([Document("k", ("a",), "x", truth={"x": (0,)}, facts={"plant": "xor"})]) == "shortcut"
    assert fitting_game([Document("k", ("a",), "x")]) == "hybrid"


def test_agreement_in_another_feature_and_without_tags():
    game = GAMES["agreement[feature=Gender]"]
    tagged = Document("k", ("la", "casa", "y", "el", "sol"), "Fem", tags=("Fem", "Fem", "", "Masc", "Masc"), subject=1)
    (item,) = game.items([tagged], 0)
    assert game.rewarded(item, "Fem")["hit_target"] == frozenset({1})
    assert game.rewarded(item, "Fem")["hit_feat_correct"] == frozenset({0, 1})
    assert game.rewarded(item, "Masc")["hit_feat_wrong"] == frozenset({3, 4})
    assert game.slices(item) == {"distance": "3"}
    (bare,) = game.items([Document("k", ("la", "casa"), "Fem", subject=1)], 0)
    assert game.rewarded(bare, "Fem") == {
        "hit_target": frozenset({1}),
        "hit_feat_correct": None,
        "hit_feat_wrong": None,
    }


def test_deletion_never_decides_alone():
    assert not GAMES["deletion"].decides
    assert all(GAMES[name].decides for name in GAMES if name != "deletion")
    assert all(GAMES[name].caveats and GAMES[name].rules for name in GAMES)
