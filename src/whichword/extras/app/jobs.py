"""What the worker does for a page: explain, edit and copy texts by the models on the shelf.

A job is an iterator of JSON values, one per step. One thread makes one step of each job in turn, so that a short job
need not wait for a long one; between two steps a job can be dropped. Only that thread touches the kept results.
"""

import asyncio
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from whichword import models
from whichword.api import explain
from whichword.errors import InputError
from whichword.explanation import Explanation, first_maximum
from whichword.extras.app.requests import FORMS, Copy, Edit, Explain, Limits
from whichword.methods import plan
from whichword.model import Batch, Model, Reading
from whichword.reading import WordSets
from whichword.reporting.page.explorer import shades
from whichword.runs.run import Run, open_run
from whichword.runs.store import RUN
from whichword.text import tokenize
from whichword.text.places import gaps
from whichword.types import Text


@dataclass(frozen=True, eq=False)
class EditableText:
    """The words x_1..x_T before a model."""

    model: Model
    written: Text

    @property
    def words(self) -> tuple[str, ...]:
        return self.written.words

    @cached_property
    def reading(self) -> Reading:
        return self.model.read(self.written)

    @property
    def unknown(self) -> list[int]:
        """The positions of words that the model does not know."""
        return [t for t, unknown in enumerate(self.reading.unknown) if unknown]

    def scores(self, cut: Sequence[int] = (), blank: Sequence[int] = ()) -> Tensor:
        """Score all classes, s(k, X') [K]: X without the words at ``cut``, zero vectors for those at ``blank``."""
        self._check(cut, blank)
        batch = Batch.of([self.reading], self.model.about.device)
        with torch.no_grad():
            if not cut and not blank:  # the way that explanations score it
                return self.model.score(batch)[0]
            return self.model.score_edits(batch, WordSets(torch.tensor([0]), self._flags(cut), self._flags(blank)))[0]

    def _flags(self, positions: Sequence[int]) -> Tensor:
        """Flag these positions, [1, T]."""
        flags = torch.zeros(1, len(self.words), dtype=torch.bool)
        flags[0, list(positions)] = True
        return flags

    def _check(self, cut: Sequence[int], blank: Sequence[int]) -> None:
        changed = [*cut, *blank]
        if len(set(changed)) != len(changed):  # a word cannot be both gone and blank
            raise InputError("a word is changed twice")
        if not all(0 <= t < len(self.words) for t in changed):
            raise InputError(f"the text has the words 0 to {len(self.words) - 1}")


@dataclass(eq=False)
class Result:
    """A read text and its explanation, which grows as methods finish."""

    text: EditableText
    explanation: Explanation
    name: str = field(default_factory=lambda: secrets.token_hex(8))  # no other page can guess it

    def add(self, other: Explanation) -> None:
        """Take over the methods of another explanation of the same words and class."""
        before = self.explanation
        relevance, notes = {**before.relevance, **other.relevance}, {**before.notes, **other.notes}
        self.explanation = replace(before, relevance=relevance, notes=notes)


def begin(text: EditableText, target: str | None) -> Result:
    """Begin a result without relevances: what the model says of the words, and the class that will be explained."""
    classes, words = text.model.about.classes, text.words
    scores = text.scores()
    predicted = classes[first_maximum(scores.tolist()) or 0]  # nothing finite: the first class
    if target is not None and target not in classes:
        raise InputError(f"the model has no class {target!r}")
    unknown = set(text.unknown)
    explanation = Explanation(
        words=words,
        predicted=predicted,
        target=target or predicted,
        scores=by_class(text, scores),
        relevance={},
        unknown=tuple(t in unknown for t in range(len(words))),
        text=text.written.text,
        seen=text.reading.seen,
    )
    return Result(text, explanation)


def by_class(text: EditableText, values: torch.Tensor) -> dict[str, float]:
    """Map classes to values [K]."""
    return dict(zip(text.model.about.classes, np.asarray(values.tolist()).tolist(), strict=True))


class Results:
    """The ``size`` results that were used last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._results: OrderedDict[str, Result] = OrderedDict()

    def keep(self, result: Result) -> None:
        self._results[result.name] = result
        while len(self._results) > self.size:
            self._results.popitem(last=False)  # the one that was not used for longest

    def __getitem__(self, name: str) -> Result:
        if name not in self._results:
            raise InputError("this explanation is not kept any more: explain the text again")
        self._results.move_to_end(name)  # used just now
        return self._results[name]

    def __len__(self) -> int:
        return len(self._results)


def finite(values: Mapping[str, float]) -> dict[str, float | None]:
    """Make None, for JSON, of what is not finite."""
    return {name: float(value) if np.isfinite(value) else None for name, value in values.items()}


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Shelf:
    """Labels and what they stand for; a request names an entry by its number."""

    models: Mapping[str, Model]
    runs: Mapping[str, Run]

    def model(self, number: int) -> Model:
        return _entry(self.models, number, "model")

    def run(self, number: int) -> Run:
        return _entry(self.runs, number, "run")


def _entry(entries: Mapping[str, T], number: int, kind: str) -> T:
    if not 0 <= number < len(entries):
        raise InputError(f"there is no {kind} with the number {number}")
    return list(entries.values())[number]  # in the order of the command line, as on the page


def open_shelf(spellings: Sequence[str | os.PathLike[str]]) -> Shelf:
    """Open models and runs in any order; all of them are read now, so that nothing is missing later."""
    if not spellings:
        raise InputError("nothing to show: whichword serve MODEL... RUN... (models, and folders of runs)")
    texts = [os.fspath(spelling) for spelling in spellings]
    runs = [text for text in texts if (Path(text) / RUN).is_file()]  # the rest are models: their loaders complain
    labelled = models.labelled(text for text in texts if text not in runs)
    named_runs = models.distinct_labels(runs, lambda text: Path(text).absolute().name)
    return Shelf(
        {label: models.load(spelling) for label, spelling in labelled.items()},
        {label: open_run(folder) for label, folder in named_runs.items()},
    )


Json = dict[str, Any]

CHOSEN = ("limsse_ms_s", "lrp", "grad_int_s_dot", "omit_1")  # at first, where the model has them
WARMING = "A few words, read at once."


@dataclass(frozen=True, eq=False)
class Jobs:
    """Explaining, editing and copying, for the models on the shelf."""

    shelf: Shelf
    limits: Limits
    results: Results

    def explain(self, question: Explain) -> Generator[Json, None, None]:
        """Yield first what the model says, then a step for each family of methods, which shares its passes."""
        model = self.shelf.model(question.model)
        chosen = plan(question.methods, model)
        result = begin(EditableText(model, self._written(question)), question.target)
        self.results.keep(result)
        yield _prediction(result) | {"undefined": dict(chosen.undefined)}  # before any method is asked
        written, target = result.text.written, result.explanation.target
        for _, group in chosen.families:
            start = time.perf_counter()
            explanation = explain(model, [written], list(group), target)[0]  # one family: the page fills as it goes
            seconds = time.perf_counter() - start
            result.add(explanation)
            yield {"event": "methods", "seconds": seconds, "methods": [_method(explanation, name) for name in group]}
        yield {"event": "end"}

    def warm(self) -> Generator[Json, None, None]:
        """Send a few words through every model by the methods that a page begins with, a step per model and family."""
        for model in self.shelf.models.values():
            defined = [name for name in CHOSEN if name not in plan(list(CHOSEN), model).undefined]
            for _, group in plan(defined, model).families if defined else ():
                with suppress(InputError):  # a model that cannot read these words will say so of a person's own
                    explain(model, [WARMING], list(group))
                yield {"event": "warm"}

    def edit(self, question: Edit) -> Generator[Json, None, None]:
        """Score an edited copy."""
        text = self.results[question.result].text  # read once, when it was explained
        scores = text.scores(question.cut, question.blank)
        yield {
            "scores": finite(by_class(text, scores)),
            "probabilities": finite(by_class(text, scores.double().softmax(0))),
        }

    def copy(self, question: Copy) -> Generator[Json, None, None]:
        """Render the explanation in another form."""
        if question.form not in FORMS:
            raise InputError(f"no form is called {question.form!r}")
        explanation = self.results[question.result].explanation
        yield {"text": FORMS[question.form](_only(explanation, question.methods), question.palette)}

    def _written(self, question: Explain) -> Text:
        if question.words is None:
            self._bound((question.text or "").split())  # at least as many words: cheaper to count than to tell apart
        words = question.words if question.words is not None else tokenize(question.text or "")[0]
        if not words:
            raise InputError("there is no word in the text")
        self._bound(words)
        return Text(words, question.text or " ".join(words))

    def _bound(self, words: Sequence[str]) -> None:
        if len(words) > self.limits.words:
            most = f"{self.limits.words:,}"
            raise InputError(f"the text has more than {most} words, the most that are explained (serve --words)")


def _prediction(result: Result) -> Json:
    explanation = result.explanation
    return {
        "event": "read",
        "result": result.name,
        "words": list(explanation.words),
        "gaps": gaps(explanation),
        "unknown": result.text.unknown,
        "seen": result.text.reading.seen,
        "unread": explanation.unread_note,
        "predicted": explanation.predicted,
        "target": explanation.target,
        "scores": finite(explanation.scores),
        "probabilities": finite(explanation.probabilities),
    }


def _method(explanation: Explanation, name: str) -> Json:
    phi = np.asarray(explanation.relevance[name], dtype=np.float64)
    levels, _ = shades(phi[None])  # as in a report, so that both are coloured alike
    return {
        "method": name,
        "phi": [float(f"{value:.6g}") if np.isfinite(value) else None for value in phi],
        "levels": levels[0].tolist(),
        "rmax": explanation.rmax(name),
        "note": explanation.notes.get(name),
    }


def _only(explanation: Explanation, methods: tuple[str, ...]) -> Explanation:
    relevance: Mapping[str, Any] = explanation.relevance
    if missing := [name for name in methods if name not in relevance]:
        raise InputError(f"{missing[0]} has not been asked")
    return replace(explanation, relevance={name: relevance[name] for name in methods})


LINGER = 2.0  # seconds to wait for a step that is under way when the app ends


class BusyError(Exception):
    """Refuses a job: as many as may wait are waiting."""


class _End:
    """Marks that no result follows."""


class Job:
    """Steps that are made in the worker and listened to in an event loop; to stop listening cancels the rest."""

    def __init__(self, steps: Generator[Any, None, None]) -> None:
        self.steps = steps
        self.cancelled = False
        self._loop = asyncio.get_running_loop()  # of the listener: steps are made in another thread
        self._told: asyncio.Queue[Any] = asyncio.Queue()

    async def results(self) -> AsyncGenerator[Any, None]:
        """Each step's result; an error of a step is raised here."""
        try:
            while not isinstance(told := await self._told.get(), _End):
                if isinstance(told, Exception):
                    raise told
                yield told
        finally:
            self.cancelled = True  # also where the page was closed in the middle

    def step(self) -> bool:
        """Make one step in the worker, or end a job that has no listener; return whether there may be another."""
        told: Any
        try:
            if self.cancelled:
                self.steps.close()
            told = next(self.steps)  # a closed generator has no next
        except StopIteration:
            told = _End()
        except Exception as error:  # for the listener: the worker survives every job
            told = error
        with suppress(RuntimeError):  # the loop has ended, and its listeners with it
            self._loop.call_soon_threadsafe(self._told.put_nowait, told)
        return not isinstance(told, _End | Exception)


class Worker:
    """``waiting`` jobs at a time, the one under way among them; ``threads`` are torch's, None: as it is set."""

    def __init__(self, waiting: int, threads: int | None = None) -> None:
        self.waiting, self.threads = waiting, threads
        self._jobs: deque[Job] = deque()
        self._count = 0
        self._ended = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="whichword worker", daemon=True)

    @property
    def idle(self) -> bool:
        """Whether nothing is under way."""
        return self._count == 0

    def submit(self, steps: Generator[Any, None, None]) -> Job:
        """Queue a job, or raise `BusyError`."""
        with self._change:
            if self._count >= self.waiting or self._ended:
                raise BusyError
            job = Job(steps)
            self._count += 1
            self._jobs.append(job)
            if not self._thread.is_alive():  # begins with the first job
                self._thread.start()
            self._change.notify()
        return job

    def end(self) -> None:
        """Take no more jobs, drop those that wait, let a step that is under way finish if it is short."""
        with self._change:
            self._ended = True
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join(LINGER)

    def _work(self) -> None:
        if self.threads is not None:
            torch.set_num_threads(self.threads)  # here: it holds for the thread that calls it
        while (job := self._next()) is not None:
            more = job.step()
            with self._change:
                if more:  # at the end of the queue: jobs take turns
                    self._jobs.append(job)
                else:
                    self._count -= 1

    def _next(self) -> Job | None:
        with self._change:
            self._change.wait_for(lambda: self._ended or self._jobs)  # else sleep: no polling
            return None if self._ended else self._jobs.popleft()
