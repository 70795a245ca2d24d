"""Explanation methods phi(t, k, X), one file per family."""

# ruff: noqa: I001  (the order of these imports is the order of the methods in every table, the paper's)
from whichword.methods import (
    gradient,
    perturbation,
    simple as decomposition,
    propagation,
    limsse,
    simple as baselines,
)
from whichword.methods.method import (
    ALL,
    METHODS,
    Answer,
    Clock,
    Method,
    MethodPlan,
    Questions,
    ask,
    plan,
    standing_for,
    teams,
)

__all__ = [
    "ALL",
    "METHODS",
    "Answer",
    "Clock",
    "Method",
    "MethodPlan",
    "Questions",
    "ask",
    "baselines",
    "decomposition",
    "gradient",
    "limsse",
    "perturbation",
    "plan",
    "propagation",
    "standing_for",
    "teams",
]
