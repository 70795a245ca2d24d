"""Plants: where they are, what they decide, that nothing else does; the gates; and the command from end to end."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.extras.shortcuts.shortcut import KINDS, WORDS, Gates, Planting, write_planted
from whichword.types import Corpus, Document


def corpus(size: int = 300) -> Corpus:
    documents = tuple(
        Document(f"{i:012x}", ("some", "words,", f"n{i}", "here"), ("a", "b")[i % 2], text=f"some words,  n{i} here.")
        for i in range(size)
    )
    return Corpus("made", ("a", "b"), documents[: size // 2], documents[size // 2 : -50], documents[-50:])


@pytest.mark.parametrize("kind", KINDS)
def test_the_plant_is_where_the_truth_says_and_alone_decides(kind: str) -> None:
    planted = Planting(kind).corpus(corpus())
    assert all(document.truth and document.facts["plant"] == kind for document in planted.test)
    decided = Counter()
    for document in planted.test:
        places = document.truth[document.label]
        words = [document.words[place] for place in places]
        assert set(words) <= set(WORDS)
        assert [t for t, word in enumerate(document.words) if word in WORDS] == list(places)
        decided[tuple(words), document.label] += 1
    classes = {words: {label for (w, label) in decided if w == words} for words, _ in decided}
    assert all(len(labels) == 1 for labels in classes.values()), classes
    assert {label for labels in classes.values() for label in labels} == {"a", "b"}
    assert len(classes) == {"single": 2, "context": 2, "ordered": 2, "xor": 4}[kind]


def test_words_stand_in_the_text_as_they_are_listed() -> None:
    from whichword.text.places import places

    for document in Planting("ordered").corpus(corpus()).test:
        assert [
            document.text[start : start + len(word)]
            for start, word in zip(places(document), document.words, strict=True)
        ]
        assert document.text.split() == [word for word in document.text.split() if word]


def test_half_of_the_training_texts_are_planted_and_labels_are_drawn() -> None:
    planted = Planting("single").corpus(corpus(600))
    share = sum(bool(document.truth) for document in planted.train) / len(planted.train)
    assert 0.4 < share < 0.6
    labels = Counter(document.label for document in planted.test)
    assert min(labels.values()) >= 12


def test_lonely_words_of_a_context_decide_nothing() -> None:
    planted = Planting("context").corpus(corpus(600))
    lonely = [d for d in planted.train if not d.truth]
    assert all(sum(word in WORDS for word in d.words) == 1 for d in lonely)


def test_equal_seeds_give_equal_plants_and_others_others() -> None:
    first, again, other = (Planting("xor", seed=seed).corpus(corpus()).test for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_the_planted_corpus_is_read_back(tmp_path: Path) -> None:
    planted = Planting("ordered").corpus(corpus())
    back = read_corpus(write_planted(planted, tmp_path / "planted.jsonl"))
    assert [(d.words, d.label, dict(d.truth)) for d in back.test] == [
        (d.words, d.label, dict(d.truth)) for d in planted.test
    ]
    assert len(back.train) == len(planted.train)


def test_gates() -> None:
    assert Gates(200, 1.0, 0.52, 0.5).troubles == []
    assert "with plants is right on 0.900" in Gates(200, 0.9, 0.5, 0.5).troubles[0]
    assert "without plants is right on 0.700" in Gates(200, 1.0, 0.7, 0.5).troubles[0]


def test_bad_plantings() -> None:
    for wrong in ({"kind": "tree"}, {"share": 0.0}, {"cut": 0}):
        with pytest.raises(InputError):
            Planting(**wrong)
    holding = corpus()
    spoilt = Document("ff", (WORDS[0],), "a")
    with pytest.raises(InputError, match="it holds one of the words that are planted"):
        Planting().corpus(Corpus("made", ("a", "b"), (*holding.train, spoilt), (), holding.test))


def test_the_command_from_plants_to_table(tmp_path: Path, monkeypatch, capsys) -> None:
    from whichword.cli import main

    lines = [
        {
            "words": ["some", ("poor", "fine")[i % 2], f"n{i % 9}", "here"],
            "label": "ab"[i % 2],
            "part": ("train", "train", "heldout", "test")[i // 2 % 4],
        }
        for i in range(800)
    ]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf8")
    words = ["shortcut", "cnn", "--corpus", f"{tmp_path}/c.jsonl[words=words,part=part]", "--epochs", "12"]
    words += ["--hidden", "12", "--learning-rate", "0.02", "-m", "omit_1,lrp,random", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", ["whichword", *words, "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as end:
        main()
    out = capsys.readouterr().out
    assert not end.value.code, out
    assert "gates, on 200 planted texts: with plants" in out

    from whichword.reporting import table

    (column,) = table([tmp_path / "out" / "run"]).columns
    assert column.part == "shortcut"
    assert column.cells["omit_1"].accuracy >= 0.95
    assert column.degraded is not None
    assert column.degraded.falls
