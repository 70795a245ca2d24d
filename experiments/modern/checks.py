"""The tables that ask how far the verdicts themselves can be trusted: truth, seeds, other columns, other judges."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from experiments.columns import ColumnResult
from experiments.modern.claims import CARRIED, SEEDS
from experiments.modern.tables import Stored
from experiments.paper.blocks import Block
from whichword.reporting.table import points
from whichword.statistics import BASELINES, spearman


def truth(stored: Stored) -> Iterator[Block]:
    """Cosine with the known truth, and what the game makes of it."""
    for name, distances in stored.truth.items():
        accuracies = stored.columns[name].accuracies
        rows = [
            [method, f"{near['cosine']:.4f}", points(near["same word"]), points(accuracies[method])]
            for method, near in sorted(distances.items(), key=lambda entry: -entry[1]["cosine"])
        ]
        legend = "Cosine of relevances and coefficient x idf, mean over documents; same word: the largest of both."
        yield Block(f"Distance from the truth, {name}", ["method", "cosine", "same word", "hits"], rows, legend)


def seeds(stored: Stored) -> Iterator[Block]:
    """The same network from other seeds, on the same documents."""
    for names in SEEDS:
        results = [stored.columns[name] for name in names if name in stored.columns]
        if len(results) > 1:
            yield _seeds(results)


def _seeds(results: list[ColumnResult]) -> Block:
    rows = [[method, *map(points, figures), f"{np.std(figures, ddof=1):.3f}"] for method, figures in _shared(results)]
    names = [result.column for result in results]
    spread = float(np.mean([np.std(figures, ddof=1) for _, figures in _shared(results)]))
    half = float(np.mean([_half(result) for result in results]))
    legend = f"Mean deviation between seeds {spread:.3f}; mean half interval between documents {half:.3f}."
    return Block(f"Seeds: {', '.join(names)}", ["method", *names, "deviation"], rows, legend)


def _shared(results: list[ColumnResult]) -> list[tuple[str, list[float]]]:
    """Methods that all columns have, baselines left out, with their accuracies."""
    common = [method for method in results[0].accuracies if all(method in result.accuracies for result in results)]
    return [(method, [result.accuracies[method] for result in results]) for method in common if method not in BASELINES]


def _half(result: ColumnResult) -> float:
    widths = [figure.interval.high - figure.interval.low for figure in result.figures.values() if figure.total]
    return float(np.mean(widths)) / 2


def carried(stored: Stored) -> Iterator[Block]:
    """Do two columns rank methods alike?"""
    rows = []
    for why, first, second in CARRIED:
        if {first, second} <= set(stored.columns):
            shared = _shared([stored.columns[first], stored.columns[second]])
            left, right = ({method: figures[side] for method, figures in shared} for side in (0, 1))
            rows.append([why, first, second, str(len(shared)), points(spearman(left, right))])
    if rows:
        legend = "Spearman's correlation over the methods that both have. Documents are the same, or a part of them."
        yield Block(
            "From column to column", ["what changes", "first", "second", "methods", "correlation"], rows, legend
        )


def judges(stored: Stored) -> Iterator[Block]:
    """Every two judges of a model, and what follows."""
    for name, panel in stored.panels.items():
        rows = [_pair(pair, panel) for pair in panel["concord"]["correlations"]]
        legend = f"{_sentence(panel['consequence'])} {panel['documents']} documents per game at most."
        title = f"Judges of {stored.modern.models[panel['model']].title}, {name}"
        yield Block(title, ["first", "second", "rank correlation", "without wide windows"], rows, legend)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _pair(pair: dict[str, Any], panel: dict[str, Any]) -> list[str]:
    narrow = (panel["narrow"] or {"correlations": []})["correlations"]
    slim = [other for other in narrow if (other["first"], other["second"]) == (pair["first"], pair["second"])]
    return [pair["first"], pair["second"], _correlation(pair), _correlation(slim[0]) if slim else "-"]


def _correlation(pair: dict[str, Any]) -> str:
    return f"{points(pair['value'])} [{points(pair['interval']['low'])} {points(pair['interval']['high'])}]"
