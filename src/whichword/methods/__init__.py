"""Explanation methods phi(t, k, X), one file a family."""

# ruff: noqa: I001  (the order of these imports is the order of the methods in every table, the paper's)
from whichword.methods import gradient, perturbation, decomposition, propagation, limsse, baselines
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.methods.plan import MethodPlan, plan

__all__ = [
    "METHODS",
    "Answer",
    "Method",
    "MethodPlan",
    "Questions",
    "baselines",
    "decomposition",
    "gradient",
    "limsse",
    "perturbation",
    "plan",
    "propagation",
]
