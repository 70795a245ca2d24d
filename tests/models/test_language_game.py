"""Language models in runs: sentences are cut before the verb, and what cannot be asked is left out and counted."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

import whichword

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from test_language_models import module_of, tokenizer_of
from typer.testing import CliRunner

from whichword.cli.commands import app
from whichword.corpora import CORPORA
from whichword.corpora.registry import CorpusAbout
from whichword.errors import InputError
from whichword.model import Batch
from whichword.models import load
from whichword.planning.items import SetBuilder
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.reporting.page.page import protocol
from whichword.runs.run import open_run
from whichword.scoring.run import judge
from whichword.types import NUMBERS, Corpus, Document

NOUNS = ("key", "table", "film", "story", "cabinets", "people", "keys", "thing")
PAIRS = (("is", "are"), ("was", "were"), ("has", "have"))


def sentence(number: int) -> Document:
    noun, label = NOUNS[number % 8], NUMBERS[number % 2]
    facts = {0: {}, 1: {"singular": "seen", "plural": "seens"}}.get(number)
    forms = dict(zip(NUMBERS, PAIRS[number % 3], strict=True)) if facts is None else facts
    words, tags = ("the", noun, "with", "it"), ("DT", "NN", "IN", "PRP")
    return Document(f"k{number}", words, label, tags=tags, subject=1, facts={"attractors": "0", **forms})


class VerbSentences:
    """Twelve sentences; of one the forms are not known, those of another begin alike."""

    about = CorpusAbout(source="made here", licence="none needed")

    def read(self, data: Path | None, seed: int) -> Corpus:
        sentences = tuple(map(sentence, range(12)))
        return Corpus("verbs", NUMBERS, sentences, sentences, sentences, {"source": "made here"})


@pytest.fixture(autouse=True, scope="module")
def _corpus() -> Any:
    if "verbs" not in CORPORA.names():
        CORPORA.register("verbs", VerbSentences())  # type: ignore[arg-type]


def saved(folder: Path, family: str) -> str:
    module_of(family).float().save_pretrained(folder)
    tokenizer_of(family).save_pretrained(folder)
    return f"lm:{folder}"


def spec_of(spelling: str, methods: Sequence[str] = ("omit_1", "random"), limit: int | None = None) -> Spec:
    return Spec({"m": spelling}, (Play(("m",), ("verbs",), (), tuple(methods), limit),))


@pytest.mark.parametrize("family", ["gpt2", "bert"])
def test_a_language_model_plays(tmp_path: Path, family: str) -> None:
    spelling = saved(tmp_path / family, family)
    run = evaluate(spec_of(spelling, ("omit_1", "grad_1_s_dot", "random")), tmp_path / "run").run
    (played,) = run.plan.sets
    alike = "begin with the same piece" if family == "gpt2" else "has several pieces"
    assert [(count, alike in reason or "not known" in reason) for reason, count in played.left_out.items()] == [
        (1, True),
        (1, True),
    ]
    assert (played.items, played.available, len(run.items("s00"))) == (10, 10, 10)
    model = load(spelling)
    for item in run.items("s00"):
        with torch.no_grad():
            s = model.score(Batch.of([model.read(item)]))[0].tolist()
        prediction = run.predictions("p00")[item.key]
        assert prediction.scores == pytest.approx(s, abs=1e-6)
        assert s[0] == pytest.approx(-s[1], abs=1e-6)
        assert prediction.predicted == NUMBERS[s[1] > s[0]]
    counted = judge(run, "p00").tally("hit_target", "random")
    right = sum(run.predictions("p00")[item.key].predicted == item.gold for item in run.items("s00"))
    assert counted.total == right
    told = protocol([("run", run)])[0].sets[0][1]
    assert "left out: 1 documents (" in told
    assert "1 documents (a form of the verb is not known)" in told


def test_a_limit_counts_sentences_that_can_be_asked(tmp_path: Path) -> None:
    spelling = saved(tmp_path / "gpt2", "gpt2")
    assert [prepare(spec_of(spelling, limit=limit)).plan.set("s00").items for limit in (4, 10, 12)] == [4, 10, 10]


def test_models_that_leave_other_sentences_out_play_sets_of_their_own(tmp_path: Path) -> None:
    anybody = whichword.wrap(lambda texts: [[0.5, 0.5]] * len(texts), classes=NUMBERS)
    models = [anybody, load(saved(tmp_path / "gpt2", "gpt2")), load(saved(tmp_path / "llama", "llama")), anybody]
    builder, play = SetBuilder(0), Play(("m",), ("verbs",), ("agreement",), ("random",))
    sets = [builder.build("verbs", VerbSentences().read(None, 0), "agreement", play, model).set for model in models]
    assert [(played.id, played.items) for played in sets] == [("s00", 12), ("s01", 10), ("s01", 10), ("s00", 12)]


def test_nothing_is_left(tmp_path: Path) -> None:
    rows = [{"text": f"a {name}", "label": label} for name in "abcdefghijklmn" for label in NUMBERS]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    play = Play(("m",), (str(tmp_path / "own.jsonl"),), ("hybrid",), ("random",))
    with pytest.raises(InputError, match=r"no item; left out: [0-9]+ documents \(a form of the verb is not known\)$"):
        prepare(Spec({"m": saved(tmp_path / "gpt2", "gpt2")}, (play,)))


def test_the_command_says_what_was_left_out(tmp_path: Path) -> None:
    command = ["evaluate", saved(tmp_path / "gpt2", "gpt2"), "--corpus", "verbs", "-m", "random", "--workers", "1"]
    result = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.exception
    told = "10 documents, 1 methods; left out: 1 documents (a form of the verb is not known), 1 documents (the verb's"
    assert told in result.stderr
    assert open_run(tmp_path / "run").plan.sets[0].left_out
