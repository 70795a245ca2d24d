"""Explanation methods phi(t, k, X), one file per family.

takes      a Model (of the kind that a method ``needs``) and Questions: a batch of readings, a class for each
gives      Answers: one value per word
begin at   method.py (what a method is, how several share their passes), then limsse.py or propagation.py
"""

# ruff: noqa: I001  (the order of these imports is the order of the methods in every table, the paper's)
from whichword.methods import gradient, perturbation, propagation, limsse, baselines
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
    "gradient",
    "limsse",
    "perturbation",
    "plan",
    "propagation",
    "standing_for",
    "teams",
]
