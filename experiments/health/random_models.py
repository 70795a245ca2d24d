"""Networks, torch modules and transformers with random weights, and texts of drawn words for them."""

from collections.abc import Iterator, Sequence
from functools import partial

import torch

import whichword
from experiments.health.subject import OURS, WITH_ATTENTION, Subject
from whichword.model import Model
from whichword.networks import NETWORKS, Config, Network
from whichword.text import Vocabulary
from whichword.types import Text

WORDS = tuple(f"w{i}" for i in range(40))
LENGTHS = range(10, 25)
KINDS = [(kind, both) for kind in NETWORKS for both in (False, True) if not (both and kind in ("cnn", "linear"))]
FAMILIES = {"bert": "BERT", "gpt2": "GPT-2", "llama": "Llama"}


def random_models(seeds: Sequence[int]) -> Iterator[tuple[str, Subject]]:
    """Every kind with every seed, which is the seed of its texts too."""
    for kind, both in KINDS:
        for seed in seeds:
            network = partial(random_network, kind, both, seed)
            yield f"{'bi' if both else ''}{kind}, random, seed {seed}", Subject(network, partial(drawn, seed), OURS)
    for seed in seeds:
        texts = partial(drawn, seed, known=WORDS[:20])  # all of them
        yield f"nn.LSTM, random, seed {seed}", Subject(partial(_lstm, seed), texts, OURS)
    for family, title in FAMILIES.items():
        for seed in seeds:
            transformer = partial(_transformer, family, seed)
            yield f"{title}, tiny, random, seed {seed}", Subject(transformer, partial(drawn, seed), WITH_ATTENTION)


def random_network(kind: str, both: bool = False, seed: int = 5) -> Network:
    """With random weights that are not small."""
    network = Network.of(Config(kind, ("a", "b", "c"), 12, 10, both), Vocabulary(WORDS))
    chance = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in network.parameters():
            value.copy_(torch.randn(value.shape, generator=chance) * (0.5 if value.dim() > 1 else 0.2))
    return network


def _lstm(seed: int) -> Model:
    from tests.helpers.foreign_modules import CLASSES, Recurrent, shaken
    from tests.helpers.foreign_modules import WORDS as KNOWN

    return whichword.wrap(shaken(Recurrent("LSTM"), seed), vocabulary=KNOWN, classes=CLASSES)


def _transformer(family: str, seed: int) -> Model:
    from tests.helpers.foreign_modules import shaken
    from tests.helpers.tiny_transformers import classifier, tokenizer

    return whichword.wrap(shaken(classifier(family), seed), tokenizer(template=family == "bert"))


def drawn(seed: int, count: int, known: Sequence[str] = WORDS) -> list[Text]:
    """Words one by one, each as likely as any other."""
    chance = torch.Generator().manual_seed(seed)
    sizes = [LENGTHS[int(i)] for i in torch.randint(0, len(LENGTHS), (count,), generator=chance)]
    texts = [tuple(known[i] for i in torch.randint(0, len(known), (size,), generator=chance)) for size in sizes]
    return [Text(words, " ".join(words)) for words in texts]
