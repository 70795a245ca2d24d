"""The training loop: dropout, Adam, halving, early stopping, the best epoch kept, resumable at any step.

Every random number is a function of (seed, epoch, step): a training that was killed and resumed gives the same bits,
whatever the number of cores; which arithmetic computed it stands in its record.

Scores become probabilities by a softmax over all classes, or by one sigmoid for two (paper, end of section 5.1). One
score z = v . h + c is read as s = (-z/2, z/2), so that softmax(s) = (1 - sigmoid(z), sigmoid(z)): a sigmoid is a
softmax with w_0 = -w_1 and b_0 = -b_1, and phi(t, 0, X) = -phi(t, 1, X) for every method that is linear in s. The
cross-entropy's gradient has opposite rows for two classes, so a two-way softmax only ever learns w_1 - w_0, too: what
it has besides, the half sum of both rows, stays as it was drawn. Adam moves w_1, so v = 2 w_1 is learnt at twice the
rate.

Numbers too small to be normal count as zero meanwhile: what passes many gates fades below 1.2e-38, where numbers are
subnormal, and some processors need a hundred times as long for a product with such a number. No weight notices: Adam
divides by a root that is at least its epsilon.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from math import isfinite
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from whichword.base import files, kernels
from whichword.base.files import locked
from whichword.base.runtime import one_thread
from whichword.errors import FileError, SettingError
from whichword.networks import Dropout, Network
from whichword.networks.arithmetic import arithmetic
from whichword.networks.checkpoint import DTYPES, load
from whichword.networks.network import Config, assign
from whichword.rules import PLAIN
from whichword.sequences import Sequences
from whichword.text import Vocabulary, content_key
from whichword.training.adam import Adam
from whichword.training.batches import Examples, accuracy, epoch, file_hash, fill_in, random_numbers
from whichword.training.settings import Training
from whichword.training.state import Position, read_record, read_state, refuse_other, write_state
from whichword.types import Corpus

Tie = Callable[[Network], None]


def as_drawn(network: Network) -> None:
    """Leave the read-out of a softmax as it is: every class has a row of its own."""


def opposite(network: Network) -> None:
    """Set w := ((w_0 - w_1) / 2, (w_1 - w_0) / 2) and b alike, opposite to the last bit; probabilities stay."""
    if len(network.classes) != 2:
        raise SettingError(f"head sigmoid needs two classes, not {len(network.classes)}")
    with torch.no_grad():
        for rows in (network.w, network.readout_b):
            rows.copy_((rows - rows.flip(0)) / 2)  # a - b is -(b - a) to the last bit


TIES: Mapping[str, Tie] = {"softmax": as_drawn, "sigmoid": opposite}


@contextmanager
def subnormals_are_zero() -> Iterator[None]:
    """Flush subnormal numbers to zero in this thread and block; nothing happens on a processor that cannot."""
    before = _are_zero()
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)


def _are_zero() -> bool:
    """Try out whether they are: torch can be told, not asked."""
    return bool(torch.tensor(1e-39).add(0.0) == 0.0)  # subnormal in single precision


SAVE_EVERY = 30.0  # seconds: what a kill can cost

Progress = Callable[[Position, int], None]  # the position and the number of steps of this epoch
Scores = Callable[[Sequences], Tensor]  # embedded words [B, T, E] -> s [B, K]


@dataclass(frozen=True)
class Trained:
    """A trained network, its log and its accuracies."""

    network: Network
    position: Position
    heldout: float
    test: float | None  # None: the corpus has no test part


def train(corpus: Corpus, settings: Training, folder: Path, progress: Progress | None = None) -> Trained:
    """Train and save to ``folder``; the same call again resumes, or returns what is there."""
    return Trainer(corpus, settings, folder, progress or (lambda position, steps: None)).run()


class Trainer:
    """One training, between two steps of which it can be killed."""

    def __init__(self, corpus: Corpus, settings: Training, folder: Path, progress: Progress) -> None:
        refuse_other(folder)
        if not corpus.train or not corpus.heldout:
            raise FileError(f"{corpus.name}: training needs documents in the train and heldout parts")
        self.corpus, self.settings, self.folder, self.progress = corpus, settings, folder, progress
        self.state = folder / "training" / "state.safetensors"
        self.identity = identity(corpus, settings)

    def run(self) -> Trained:
        """Resume where the state file stands, or begin."""
        if finished := self._finished():
            return finished
        # sums of several threads would be another network on every number of cores
        with locked(self.state.parent), one_thread(), subnormals_are_zero():
            return self._finished() or self._train()  # another process may have finished it in between

    def _train(self) -> Trained:
        self.network = initial(self.corpus, self.settings)
        self.adam = Adam(self.network, self.settings.learning_rate)
        self.best: dict[str, Tensor] = {}
        position = Position(self.identity, self.settings.learning_rate)
        if self.state.exists():
            position, self.best = read_state(self.state, self.network, self.adam)
            self._check(position.identity)
        position = position.computed_by(arithmetic())
        self.examples = Examples.of(self.corpus.train, self.network, self.settings.cut)
        self.heldout = Examples.of(self.corpus.heldout, self.network, self.settings.cut)
        while not position.done:
            position = self._epoch(position)
        return self._finish(position)

    def _epoch(self, position: Position) -> Position:
        steps = epoch(self.examples, self.settings.batch, random_numbers(self.settings.seed, position.epoch))
        self.adam.learning_rate = position.learning_rate
        saved = time.monotonic()
        for rows in steps[position.steps :]:  # the earlier ones were taken before a kill
            loss = self._step(position, rows)
            position = replace(position, steps=position.steps + 1, loss=position.loss + loss)
            self.progress(position, len(steps))
            if time.monotonic() - saved > SAVE_EVERY:
                write_state(self.state, position, self.network, self.adam, self.best)
                saved = time.monotonic()
        return self._judge(position)

    def _step(self, position: Position, rows: list[int]) -> float:
        ids, classes = self.examples.pick(rows)
        generator = random_numbers(self.settings.seed, position.epoch, position.steps)
        noise = Dropout(self.settings.dropout, generator)
        loss = descend(self.adam, ids, classes, lambda e: self.scores(e, noise))
        if not isfinite(loss):
            self._give_up(position)
        TIES[self.settings.head](self.network)
        return loss

    def scores(self, e: Sequences, noise: Dropout) -> Tensor:
        """Score embedded words in a step, [B, K]; another kind of training may show the network something else."""
        return noisy_scores(self.network, e, noise)

    def _judge(self, position: Position) -> Position:
        self.adam.flush()  # rows that no batch had are late
        heldout = accuracy(self.network, self.heldout)
        settings = self.settings
        after = position.after_epoch(heldout, settings.halve, settings.patience, settings.epochs)
        if after.best_epoch == after.epoch:
            self.best = {name: value.detach().clone() for name, value in self.network.arrays().items()}
        write_state(self.state, after, self.network, self.adam, self.best)
        self.progress(after, 0)
        return after

    def _give_up(self, position: Position) -> None:
        """Keep the best epoch's weights, say so, stop: the weights have run away."""
        where = f"the loss is not finite at epoch {position.epoch + 1}, step {position.steps + 1}"
        if self.best:
            assign(self.network, self.best)
            self.network.save(self.folder)
            rescued = f"the weights of epoch {position.best_epoch} are kept in {self.folder}"
        else:
            rescued = "no epoch was finished, so there are no weights to keep"
        raise FileError(f"{where}; {rescued}; try a smaller learning rate than {position.learning_rate:g}")

    def _finish(self, position: Position) -> Trained:
        assign(self.network, self.best)
        network = self.network.requires_grad_(False)
        examples = Examples.of(self.corpus.test, network, self.settings.cut)
        test = accuracy(network, examples) if len(examples) else None
        network.save(self.folder)
        self._record(position, test)
        self.state.unlink(missing_ok=True)  # with a record there is nothing to resume
        return Trained(network, position, position.best, test)

    def _record(self, position: Position, test: float | None) -> None:
        record = {
            "identity": self.identity,
            "corpus": {"name": self.corpus.name} | dict(self.corpus.record),
            "settings": asdict(self.settings),
            "heldout": position.best,
            "test": test,
            "position": asdict(position),
        }
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        files.write(self.folder / "training" / "record.json", text.encode("utf8", "surrogatepass"))  # odd file names

    def _finished(self) -> Trained | None:
        path = self.folder / "training" / "record.json"
        if not path.exists():
            return None
        record = read_record(path)
        self._check(record.identity)
        return Trained(load(self.folder), record.position, record.heldout, record.test)

    def _check(self, stored: Mapping[str, str]) -> None:
        names = sorted(self.identity.keys() | stored.keys())
        changed = [name for name in names if self.identity.get(name) != stored.get(name)]
        if changed:
            what = ", ".join(f"{name} was {stored.get(name)}, is {self.identity.get(name)}" for name in changed)
            raise FileError(f"{self.folder} holds another training: {what}; choose another folder or remove it")


def identity(corpus: Corpus, settings: Training) -> dict[str, str]:
    """Say what makes a training this one: a hash over its documents, every setting, what computes it.

    A softmax goes unnamed: trainings of before there was another head stay what they are.
    """
    keys = [document.key + document.label for part in (corpus.train, corpus.heldout) for document in part]
    documents = content_key(corpus.name, *corpus.classes, *keys)
    made_by = {"torch": torch.__version__, "kernels": "no" if kernels.library() is None else "yes"}
    named = {name: str(value) for name, value in asdict(settings).items() if (name, value) != ("head", "softmax")}
    if settings.vectors:  # by content: the same file elsewhere is the same training
        named["vectors"] = file_hash(Path(settings.vectors))
    return {"corpus": documents} | made_by | named


def initial(corpus: Corpus, settings: Training) -> Network:
    """Make a network with random weights, drawn from the seed without touching the caller's random state."""
    words = (document.words[: settings.cut] for document in corpus.train)
    vocabulary = Vocabulary.build(words, settings.vocabulary)
    shape = (settings.embedding, settings.hidden, settings.bidirectional)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        network = Network.of(Config(settings.network, corpus.classes, *shape), vocabulary).to(DTYPES[settings.dtype])
        network.embedding.data.uniform_(-settings.spread, settings.spread)
    TIES[settings.head](network)
    if settings.vectors:
        fill_in(network, settings.vectors)
    return network


def descend(adam: Adam, ids: Sequences, classes: Tensor, scores: Scores) -> float:
    """Take one step on the cross-entropy of a batch, which is returned; none where it is not finite."""
    words, place = torch.unique(ids.filled(0).data, return_inverse=True)
    # the rows of this batch's words have a gradient, not the whole embedding
    vectors = adam.rows(words).requires_grad_()
    e = ids.with_data(functional.embedding(place, vectors)).filled()
    loss = functional.cross_entropy(scores(e), classes)
    if bool(torch.isfinite(loss)):
        gradient, *dense = torch.autograd.grad(loss, [vectors, *adam.dense.values()])
        adam.advance(words, gradient, dict(zip(adam.dense, dense, strict=True)))
    return loss.item()


def noisy_scores(network: Network, e: Sequences, noise: Dropout) -> Tensor:
    """Return s of embedded words with dropout after the embedding, inside the encoder and before the read-out."""
    e = e.with_data(e.data * noise.mask(tuple(e.data.shape), e.data))
    h = network.encode(e, PLAIN, noise)
    return functional.linear(h * noise.mask(tuple(h.shape), h), network.w, network.readout_b)
