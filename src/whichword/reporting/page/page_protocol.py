"""How the numbers of a report came about: what ran, on what, with which settings and versions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whichword.runs.plan import ItemSet, RunPlan, Subject
from whichword.runs.remarks import left_out
from whichword.runs.run import Run, mixture

VERSIONS = ("code", "torch", "numpy", "scipy", "arithmetic")


@dataclass(frozen=True)
class Protocol:
    """One run: (name, value) pairs about it, its models and its sets."""

    run: str
    facts: tuple[tuple[str, str], ...]
    models: tuple[tuple[str, str], ...]
    sets: tuple[tuple[str, str], ...]


def protocol(runs: Sequence[tuple[str, Run]]) -> list[Protocol]:
    return [_protocol(name, run) for name, run in runs]


def _protocol(name: str, run: Run) -> Protocol:
    plan, mixed = run.plan, mixture(run.arithmetics)
    return Protocol(
        run=name,
        facts=(*_facts(plan), *([("computed", mixed)] if mixed else [])),
        models=tuple((model.label, _model(model)) for model in plan.models),
        sets=tuple((item_set.title, _set(item_set)) for item_set in plan.sets),
    )


def _facts(plan: RunPlan) -> Iterator[tuple[str, str]]:
    yield "identity", plan.run
    yield from ((name, str(value)) for name, value in plan.settings.items())
    yield from ((name, plan.identity[name]) for name in VERSIONS if name in plan.identity)
    for pairing in plan.pairings:
        if pairing.undefined:
            reasons = (f"{method} ({reason})" for method, reason in pairing.undefined.items())
            yield f"not defined for {plan.title(pairing)}", ", ".join(reasons)


def _model(model: Subject) -> str:
    about = model.about
    facts = (f"{name} {value}" for name, value in about.facts.items())
    return ", ".join([about.name, *facts, f"{len(about.classes)} classes", about.dtype])


def _set(item_set: ItemSet) -> str:
    counts = f"{item_set.items:,} of {item_set.available:,} documents, {len(item_set.classes)} classes"
    pairs = ", ".join(f"{label} is {name}" for label, name in item_set.mapping.items())
    gone = f"; {left_out(item_set.left_out)}" if item_set.left_out else ""
    return counts + (f" ({pairs})" if pairs else "") + gone + _record(item_set.record)


def _record(record: Mapping[str, str]) -> str:
    return "".join(f"; {name}: {value}" for name, value in record.items())
