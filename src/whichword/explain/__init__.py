"""Explanation methods phi(t, k, X), one file a family."""

# ruff: noqa: I001  (the order of these imports is the order of the methods in every table, the paper's)
from whichword.explain import gradient, perturbation, decomposition, propagation, limsse, baselines
from whichword.explain.method import METHODS, Answer, Method, Questions
from whichword.explain.plan import Plan, plan

__all__ = [
    "METHODS",
    "Answer",
    "Method",
    "Plan",
    "Questions",
    "baselines",
    "decomposition",
    "gradient",
    "limsse",
    "perturbation",
    "plan",
    "propagation",
]
