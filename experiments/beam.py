"""``python -m experiments.beam MODEL CORPUS``: how much a beam misses of the best order of deletion.

Texts are cut to ``--words`` words, few enough to look at every order. Printed per part: the mean and the largest gap
between the best order and the beam's, where 1 is the distance from the worst order to the best.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
import typer

from whichword import models
from whichword.answering import first_maximum
from whichword.cli.app import main
from whichword.corpora import read_corpus
from whichword.games.searching import Ask, beam, exhaustive, sizes
from whichword.model import Batch, Model
from whichword.types import Text
from whichword.workers.sheet import probability_without

STEPS, FLAT = 8, 1e-4  # sizes at most; texts whose best and worst order are nearer than that tell nothing

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def compare(
    model: str, corpus: str, words: Annotated[int, typer.Option()] = 10, documents: Annotated[int, typer.Option()] = 60
) -> None:
    """Print the gaps of beams of 1 and 3."""
    texts = [document.words[:words] for document in read_corpus(corpus).test if len(document.words) >= words]
    asks = [_remembered(models.load(model), Text(text, " ".join(text))) for text in texts[:documents]]
    for width in (1, 3):
        for part, kept in (("comprehensiveness", False), ("sufficiency", True)):
            gaps = list(_gaps(asks, words, width, kept))
            print(f"width {width}, {part}: {np.mean(gaps):.4f}, at most {max(gaps):.3f} ({len(gaps)} texts)")


def _remembered(model: Model, text: Text) -> Ask:
    """The probability of the predicted class without a set of words, asked once for all sets."""
    reading = model.read(text)
    target = int(first_maximum(model.score(Batch.of([reading])))[0])
    numbers = 1 << np.arange(len(text.words))
    every = (np.arange(2 ** len(text.words))[:, None] & numbers) > 0
    values = probability_without(model, reading, target)(every)
    return lambda sets: values[np.asarray(sets) @ numbers]


def _gaps(asks: Sequence[Ask], words: int, width: int, kept: bool) -> Iterator[float]:
    at = sizes(words, STEPS)
    for ask in asks:

        def worth(sets: np.ndarray, ask: Ask = ask) -> np.ndarray:
            return ask(~sets) if kept else -ask(sets)

        best, worst = exhaustive(words, at, worth)[1], -exhaustive(words, at, lambda sets: -worth(sets))[1]
        if best - worst > FLAT:
            yield (best - beam(words, at, worth, width)[1]) / (best - worst)


if __name__ == "__main__":
    main(app)
