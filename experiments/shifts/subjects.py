"""The models and their texts: random ones of many kinds, trained ones, other people's.

Words of random models are drawn; texts of the others are the first ones of a corpus, as sentences.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import torch

import whichword
from whichword.corpora import read_corpus
from whichword.model import Model
from whichword.networks import NETWORKS, Config, Network
from whichword.text import Vocabulary, tokenize
from whichword.types import Document, Text, Written

WORDS = tuple(f"w{i}" for i in range(40))
TEXTS, FEW = 24, 8
LENGTHS = range(10, 25)
OURS = ("all", "smoothgrad", "gradient_shap", "sentence_omit")
CHEAP = ("grad_1_s_dot", "grad_1_s_l2", "grad_1_p_dot", "omit_1", "occ_1", "lrp", "lrp[attention=attnlrp]", "deeplift")
TRANSFORMERS = (*CHEAP, "grad_int_s_dot", "omit_3", "limsse_ms_s", "attention_last", "attention_rollout")
SEEDS = (11, 12, 13)  # none of them was looked at while the test was designed
LATER = (21, 22, 23)  # nor any of these when it was changed after the former had been seen (`shifts.confirmed`)

Subject = tuple[Callable[[], Model], Callable[[], Sequence[Written]], tuple[str, ...]]


def subjects(head: Path | None) -> dict[str, Subject]:
    """Name -> model, texts, methods. ``head``: MiniLM with a head (experiments.any_model.head)."""
    return dict([*_networks(), *_modules(), *_transformers(), *_suites(), *_pretrained(), *_with_head(head)])


def _networks() -> Iterator[tuple[str, Subject]]:
    for kind in NETWORKS:
        for both in (False, True):
            if not (both and kind in ("cnn", "linear")):
                for seed in (*SEEDS, *LATER):
                    name = f"{'bi' if both else ''}{kind}, random, seed {seed}"
                    yield name, (partial(_network, kind, both, seed), partial(_drawn, seed), OURS)


def _network(kind: str, both: bool, seed: int) -> Model:
    network = Network.of(Config(kind, ("a", "b", "c"), 12, 10, both), Vocabulary(WORDS))
    chance = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in network.parameters():
            value.copy_(torch.randn(value.shape, generator=chance) * (0.5 if value.dim() > 1 else 0.2))
    return network


def _drawn(seed: int, known: Sequence[str] = WORDS) -> list[Text]:
    chance = torch.Generator().manual_seed(seed)
    sizes = [LENGTHS[int(i)] for i in torch.randint(0, len(LENGTHS), (TEXTS,), generator=chance)]
    drawn = [tuple(known[i] for i in torch.randint(0, len(known), (size,), generator=chance)) for size in sizes]
    return [Text(words, " ".join(words)) for words in drawn]


def _modules() -> Iterator[tuple[str, Subject]]:
    from experiments.league import lstm

    def random_lstm(seed: int) -> Model:
        from tests.operations.foreign_modules import CLASSES, Recurrent, shaken
        from tests.operations.foreign_modules import WORDS as KNOWN

        return whichword.wrap(shaken(Recurrent("LSTM"), seed), vocabulary=KNOWN, classes=CLASSES)

    for seed in SEEDS:
        texts = partial(_drawn, seed, WORDS[:20])  # all that the module knows
        yield f"nn.LSTM, random, seed {seed}", (partial(random_lstm, seed), texts, OURS)
    yield "nn.LSTM, trained on grammar", (lstm, partial(_corpus, "grammar"), OURS)


def _transformers() -> Iterator[tuple[str, Subject]]:
    def random_transformer(family: str, seed: int) -> Model:
        from tests.operations.foreign_modules import shaken
        from tests.operations.tiny_transformers import classifier, tokenizer

        return whichword.wrap(shaken(classifier(family), seed), tokenizer(template=family == "bert"))

    for family, title in {"bert": "BERT", "gpt2": "GPT-2", "llama": "Llama"}.items():
        for seed in SEEDS:
            made = partial(random_transformer, family, seed)
            yield f"{title}, tiny, random, seed {seed}", (made, partial(_drawn, seed), TRANSFORMERS)


def _suites() -> Iterator[tuple[str, Subject]]:
    from whichword.league.suite import open_suite

    for name in ("planted", "grammar", "docstrings"):
        suite = open_suite(name)
        documents = [Text(item.words, item.text) for item in suite.items[:TEXTS]]
        for label, spelling in suite.spellings.items():
            yield f"{label}, trained", (partial(whichword.load, spelling), partial(_first_words, documents), OURS)


def _pretrained() -> Iterator[tuple[str, Subject]]:
    folder = Path(os.environ.get("WHICHWORD_MODELS", "models"))
    spellings = {name: f"hf:{folder / name}" for name in ("toxicity", "question")}
    spellings["finance-lstm"] = "experiments.league:finance"
    for name, spelling in spellings.items():
        methods = OURS if name == "finance-lstm" else TRANSFORMERS
        yield name, (partial(whichword.load, spelling), _posts, methods)
    language = partial(whichword.load, f"lm:{folder / 'smollm2'}")
    yield "smollm2, a language model", (language, partial(_corpus, "grammar", FEW), CHEAP)


def _with_head(folder: Path | None) -> Iterator[tuple[str, Subject]]:
    if folder is not None:
        spelling = f"hf:{folder}"
        yield "MiniLM with a head", (partial(whichword.load, spelling), _sentences, CHEAP)


def _corpus(name: str, count: int = TEXTS) -> list[Document]:
    return [document for document in read_corpus(name).test if len(document.words) >= LENGTHS[0]][:count]


def _first_words(documents: Sequence[Text]) -> list[Text]:
    shortened = [document.words[: LENGTHS[-1]] for document in documents]
    return [Text(words, " ".join(words)) for words in shortened]


def _posts() -> list[Text]:
    path = Path(os.environ.get("WHICHWORD_DATA", "data")) / "hatexplain_val.jsonl"
    rows = [json.loads(line)["words"] for line in path.read_text("utf8").splitlines()[:400]]
    return _first_words([Text(tuple(words), "") for words in rows if len(words) >= LENGTHS[0]][:TEXTS])


def _sentences() -> list[Text]:
    """First sentences of docstrings."""
    documents = [document for document in read_corpus("docstrings").test if len(document.starts) > 1]
    first = [document.words[: document.starts[1]] for document in documents]
    texts = [" ".join(words) for words in first if LENGTHS[0] <= len(words) <= LENGTHS[-1]]
    return [Text(tokenize(text)[0], text) for text in texts[:TEXTS]]
