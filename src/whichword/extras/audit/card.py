"""What a run says, for a model card or an auditor: limits first, figures with intervals and commands."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from whichword.method_names import BASELINES, words_of
from whichword.playing.verify import digest
from whichword.registry import Registry
from whichword.render import escape
from whichword.reporting.table import Column, Table, TableCell, count, points
from whichword.reporting.table import interval as brackets
from whichword.reporting.tabulate import table
from whichword.reporting.verdict import Recommendation, recommend
from whichword.runs.run import Run, open_run

SHOWN = 5  # methods of a column, the best ones; and the baselines

_md = escape.markdown


@dataclass(frozen=True)
class CardSource:
    """A run with everything that a card says of it."""

    folder: Path
    run: Run
    table: Table
    advice: Recommendation


def card(folder: Path, kind: str = "model") -> str:
    """Write the Markdown of a card of this kind."""
    make = CARDS[kind]
    results = table([folder], health=True)  # remarks on health are limits too
    return make(CardSource(folder, open_run(folder), results, recommend(results)))


def _sections(parts: Mapping[str, Iterator[str]]) -> str:
    return "\n\n".join("\n".join([title, "", *lines]) for title, lines in parts.items()) + "\n"


def model_card(source: CardSource) -> str:
    """Write a section for a model card, under the name that its template gives it."""
    return _sections(
        {
            "## Model Examination": iter(  # as in the template, so that tools find it
                ["<!-- model_examination -->", "How its explanations were tested, and which of them can be trusted."]
            ),
            "### Limits": _limits(source),
            "### Which explanation to use": _choice(source),
            "### How right explanations are": _accuracy(source),
            "### To recompute": _commands(source),
        }
    )


def audit_card(source: CardSource) -> str:
    """Answer four questions of an audit; what is not known comes first."""
    return _sections(
        {
            "# Explanations: audit card": iter([f"Of the run `{source.folder.name}`, digest `{digest(source.run)}`."]),
            "## Knowledge limits": _limits(source),
            "## Explanation": _choice(source),
            "## Meaning": _meaning(source),
            "## Explanation accuracy": _accuracy(source),
            "## To recompute": _commands(source),
        }
    )


CARDS: Registry[Callable[[CardSource], str]] = Registry("kind of card", "whichword.cards")
CARDS.register("model", model_card)
CARDS.register("audit", audit_card)

# ---------------------------------------------------------------------------------------------------------------------


def _limits(source: CardSource) -> Iterator[str]:
    yield from (f"- {_md(limit)}" for limit in source.advice.limits)
    remarks = {f"{column.model}: {remark}": None for column in source.table.columns for remark in column.remarks}
    yield from (f"- {_md(remark)}" for remark in remarks)
    for column in source.table.columns:
        if column.discarded:
            total = column.documents + column.discarded
            yield f"- {_md(_where(column))}: {column.discarded} of {total} documents could not be judged."
    undefined = {(c.model, name, why): None for c in source.table.columns for name, why in c.undefined.items()}
    yield from (f"- {_md(f'{model}: {name} is not defined: {why}')}" for model, name, why in undefined)


def _choice(source: CardSource) -> Iterator[str]:
    for advice in source.advice.advice:
        yield f"- **{_md(advice.where)}**: {_md(advice.headline)}"
        yield from (f"  - {_md(line)}" for line in (*advice.reasons, advice.needed) if line)


def _meaning(source: CardSource) -> Iterator[str]:
    """Say what a number on a word means, for the methods that were chosen or lead."""
    named = dict.fromkeys(name for column in source.table.columns for name, _ in _leading(column))
    for name in named:
        words = words_of(name)
        formula = f" phi(t) = `{words.formula}`" if words.formula else ""
        yield f"- `{name}`, {_md(words.title)}: {_md(words.line)}{formula}"


def _accuracy(source: CardSource) -> Iterator[str]:
    """Give figures with their intervals, and with chance."""
    for column in source.table.columns:
        chance = f"a random word gets {points(column.chance)}" if column.chance is not None else "chance is unknown"
        yield from (f"**{_md(_where(column))}**, {column.documents} documents; {chance}.", "")
        yield "| method | right | 95 % interval | hits |"
        yield "|---|---:|---|---:|"
        yield from (_row(name, cell) for name, cell in _leading(column))
        yield ""
    yield f"`{_command('whichword', 'table', source.folder.name)}` prints all of them."


def _row(name: str, cell: TableCell) -> str:
    hits = f"{count(cell.tally.hits)}/{cell.tally.total}"
    return f"| {_md(name)} | {points(cell.accuracy)} | {brackets(cell.interval)} | {hits} |"


def _leading(column: Column) -> list[tuple[str, TableCell]]:
    """List the best methods, then the baselines."""
    counted = [(name, cell) for name, cell in column.cells.items() if cell.tally.total]
    baselines = [entry for entry in counted if entry[0] in BASELINES]
    ranked = sorted((entry for entry in counted if entry not in baselines), key=lambda entry: -entry[1].tally.hits)
    return [*ranked[:SHOWN], *baselines]


def _where(column: Column) -> str:
    return f"{column.model} on {column.corpus}, {column.heading}"


def _commands(source: CardSource) -> Iterator[str]:
    """Write how to run it anew, and the proof that it came to the same."""
    yield "```"
    yield from (_evaluate(source.run, source.folder.name, pairing.id) for pairing in source.run.plan.pairings)
    yield _command("whichword", "table", source.folder.name)
    yield _command("whichword", "digest", source.folder.name)
    yield "```"
    yield ""
    yield f"The digest is `{digest(source.run)}`."


def _evaluate(run: Run, out: str, pairing_id: str) -> str:
    pairing = run.plan.pairing(pairing_id)
    played, model = run.plan.set(pairing.set), run.plan.model(pairing.model)
    methods = ",".join([*pairing.labels, *pairing.undefined])  # all that were asked, or it is another run
    more = ["--limit", str(played.items)] if played.items < played.available else []  # else none was given
    if played.mapping:
        more += ["--classes", ",".join(f"{label}={target}" for label, target in played.mapping.items())]
    about = ["--corpus", played.corpus, "--game", played.game, "-m", methods, "--seed", str(run.plan.settings["seed"])]
    return _command("whichword", "evaluate", model.spelling, *about, *more, "--out", out)


def _command(*words: str) -> str:
    return shlex.join(words)  # to be pasted into a shell as it is
