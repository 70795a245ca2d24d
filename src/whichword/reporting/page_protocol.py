"""How the numbers of a report came about: what ran, on what, with which settings and versions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whichword.experiment.plan import ItemSet, RunPlan, Subject
from whichword.experiment.reading import Run

VERSIONS = ("code", "torch", "numpy", "scipy")


@dataclass(frozen=True)
class Protocol:
    """One run: (name, value) pairs about it, its models and its sets."""

    run: str
    facts: tuple[tuple[str, str], ...]
    models: tuple[tuple[str, str], ...]
    sets: tuple[tuple[str, str], ...]


def protocol(runs: Sequence[tuple[str, Run]]) -> list[Protocol]:
    return [_protocol(name, run.plan) for name, run in runs]


def _protocol(name: str, plan: RunPlan) -> Protocol:
    return Protocol(
        run=name,
        facts=tuple(_facts(plan)),
        models=tuple((model.label, _model(model)) for model in plan.models),
        sets=tuple((f"{one.corpus} as {one.game}", _set(one)) for one in plan.sets),
    )


def _facts(plan: RunPlan) -> Iterator[tuple[str, str]]:
    yield "identity", plan.run
    yield from ((name, str(value)) for name, value in plan.settings.items())
    yield from ((name, plan.identity[name]) for name in VERSIONS if name in plan.identity)
    for pairing in plan.pairings:
        if pairing.undefined:
            yield f"not defined for {plan.title(pairing)}", ", ".join(pairing.undefined)


def _model(model: Subject) -> str:
    kind = f"bidirectional {model.kind}" if model.bidirectional else model.kind
    return f"{kind}, embeddings {model.embedding}, hidden {model.hidden}, {len(model.classes)} classes, {model.dtype}"


def _set(one: ItemSet) -> str:
    return f"{one.items:,} of {one.available:,} documents, {len(one.classes)} classes{_record(one.record)}"


def _record(record: Mapping[str, str]) -> str:
    return "".join(f"; {name}: {value}" for name, value in record.items())
