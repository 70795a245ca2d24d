"""The tables of docs/modern.md, from the columns that are there."""

from collections.abc import Mapping

from experiments.columns import ColumnResult
from experiments.modern.claims import CLAIMS
from experiments.modern.spec import Modern
from experiments.paper.blocks import Block
from experiments.paper.evidence import Measured
from experiments.paper.tables import reasons
from whichword.reporting.numbers import interval, points, rate

Results = Mapping[str, ColumnResult]


def blocks(modern: Modern, results: Results) -> list[Block]:
    """In the order of the page; nothing is said of columns that are not there yet."""
    return [_columns(modern, results), _figures(results), _claims(results), _costs(results)]


def _columns(modern: Modern, results: Results) -> Block:
    rows = [
        [
            name,
            modern.models[result.network].title,
            f"{result.game}: {result.part}",
            _corpus(result),
            _documents(result),
        ]
        for name, result in results.items()
    ]
    missing = [name for name in modern.columns if name not in results]
    legend = f"Not played yet: {', '.join(missing)}." if missing else ""
    return Block("Columns", ["column", "model", "game", "corpus", "documents that count"], rows, legend)


def _corpus(result: ColumnResult) -> str:
    return result.corpus.partition(":")[0].rpartition("/")[2]


def _documents(result: ColumnResult) -> str:
    return f"{result.counted} of {result.played} played"


def _figures(results: Results) -> Block:
    rows = [[method, *(_cell(result, method) for result in results.values())] for method in _methods(results)]
    legend = "Accuracy in the pointing game with its 95 % interval (Wilson). `random` is exact chance."
    return Block("Accuracy", ["method", *results], rows, legend)


def _methods(results: Results) -> list[str]:
    return list(dict.fromkeys(method for result in results.values() for method in result.figures))


def _cell(result: ColumnResult, method: str) -> str:
    figure = result.figures.get(method)
    if figure is None or not figure.total:
        return "n/a" if method in result.undefined else "-"
    return f"{points(figure.accuracy)} {interval(figure.interval)}"


def _claims(results: Results) -> Block:
    measured = Measured(results, {method: method for method in _methods(results)})
    decisions = [(claim, claim.decide(measured)) for claim in CLAIMS]
    rows = [[claim.about, claim.text, decision.status, reasons(decision)] for claim, decision in decisions]
    legend = "Paired exact McNemar tests, corrected by Holm, or 95 % intervals of paired differences."
    return Block("Claims", ["about", "claim", "decision", "numbers"], rows, legend)


def _costs(results: Results) -> Block:
    rows = [[method, *(_rate(result, method) for result in results.values())] for method in _methods(results)]
    return Block("Documents per second, one core", ["method", *results], rows, "The machine was busy with other work.")


def _rate(result: ColumnResult, method: str) -> str:
    figure = result.figures.get(method)
    return rate(result.played / figure.seconds) if figure and figure.seconds else "-"
