"""The models and their texts: random ones of many kinds, trained ones, other people's.

Texts of models that are not random are the first ones of a corpus, as sentences.
"""

import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import whichword
from experiments.health.random_models import LENGTHS, random_models
from experiments.health.subject import FEW, OURS, WITH_ATTENTION, Subject
from whichword.corpora import read_corpus
from whichword.text import tokenize
from whichword.types import Document, Text

SEEDS = tuple(range(21, 31))  # 11 to 13 were looked at when the test of shifts was made


def subjects(seeds: Sequence[int], heads: Sequence[tuple[str, str]]) -> dict[str, Subject]:
    """By name. ``heads``: MiniLM with a head (experiments.any_model.head), folder and corpus of each."""
    return dict([*random_models(seeds), *_trained(), *_pretrained(), *_with_heads(heads)])


def _trained() -> Iterator[tuple[str, Subject]]:
    from experiments.league import lstm
    from whichword.extras.league.suite import open_suite

    yield "nn.LSTM, trained on grammar", Subject(lstm, partial(_corpus, "grammar"), OURS)
    for name in ("planted", "grammar", "docstrings"):
        suite = open_suite(name)
        documents = [Text(item.words, item.text) for item in suite.items]
        for label, spelling in suite.spellings.items():
            model = partial(whichword.load, spelling)
            yield f"{label}, trained", Subject(model, partial(_first_words, documents), OURS)


def _pretrained() -> Iterator[tuple[str, Subject]]:
    folder = Path(os.environ.get("WHICHWORD_MODELS", "models"))
    spellings = {name: f"hf:{folder / name}" for name in ("toxicity", "question")}
    spellings["finance-lstm"] = "experiments.league:finance"
    for name, spelling in spellings.items():
        methods = OURS if name == "finance-lstm" else WITH_ATTENTION
        yield name, Subject(partial(whichword.load, spelling), _posts, methods)
    language = partial(whichword.load, f"lm:{folder / 'smollm2'}")
    yield (
        "smollm2, a language model",
        Subject(language, lambda count: _corpus("grammar", min(count, FEW)), WITH_ATTENTION),
    )


def _with_heads(heads: Sequence[tuple[str, str]]) -> Iterator[tuple[str, Subject]]:
    for folder, corpus in heads:
        model = partial(whichword.load, f"hf:{folder}")
        yield f"MiniLM with a head on {corpus}", Subject(model, partial(_sentences, corpus), WITH_ATTENTION)


def _corpus(name: str, count: int) -> list[Document]:
    return [document for document in read_corpus(name).test if len(document.words) >= LENGTHS[0]][:count]


def _first_words(documents: Sequence[Text], count: int) -> list[Text]:
    shortened = [document.words[: LENGTHS[-1]] for document in documents[:count]]
    return [Text(words, " ".join(words)) for words in shortened]


def _posts(count: int) -> list[Text]:
    path = Path(os.environ.get("WHICHWORD_DATA", "data")) / "hatexplain_val.jsonl"
    rows = [json.loads(line)["words"] for line in path.read_text("utf8").splitlines()[:400]]
    return _first_words([Text(tuple(words), "") for words in rows if len(words) >= LENGTHS[0]], count)


def _sentences(corpus: str, count: int) -> list[Text]:
    """First sentences of documents."""
    documents = read_corpus(corpus).test
    first = [document.words[: (*document.starts, len(document.words))[1]] for document in documents if document.words]
    texts = [" ".join(words) for words in first if LENGTHS[0] <= len(words) <= LENGTHS[-1]]
    return [Text(tokenize(text)[0], text) for text in texts[:count]]
