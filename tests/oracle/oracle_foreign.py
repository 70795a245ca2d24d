"""The methods that ask a model nothing but scores, for any function of word vectors.

A text is E [P, dim] with the word of each piece; -1 is a special piece, which no edit touches.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from oracle_limsse import Substrings, limsse_bb, limsse_ms
from oracle_methods import window
from oracle_sums import Array, softmax

STEP = 1e-30
Score = Callable[[Array], Array]  # [..., P, dim] -> s [..., K]


@dataclass(frozen=True)
class ForeignText:
    """One text, asked about class k."""

    score: Score
    E: Array
    word: list[int]
    k: int

    @property
    def T(self) -> int:
        return max(self.word) + 1

    def by_word(self, values: Array) -> Array:
        return np.array([sum(v for v, w in zip(values, self.word, strict=True) if w == t) for t in range(self.T)])

    def kept(self, words: set[int]) -> Array:
        """The pieces of these words, and the special ones."""
        return self.score(self.E[[w < 0 or w in words for w in self.word]])

    def blanked(self, words: set[int]) -> Array:
        return self.score(np.where(np.isin(self.word, list(words))[:, None], 0.0, self.E))

    @cached_property
    def substrings(self) -> Substrings:
        L = min(6, self.T)
        spans = [(start, length) for length in range(1, L + 1) for start in range(1, self.T - length + 2)]
        z = np.array([[float(a <= t < a + n) for t in range(1, self.T + 1)] for a, n in spans])
        s = np.array([self.kept(set(range(a - 1, a - 1 + n))) for a, n in spans])
        label = (np.argmax(s, axis=1) == self.k).astype(float)
        probability = np.array([1.0 / L / (self.T - n + 1) for _, n in spans])
        return Substrings(spans, z, s[:, self.k], softmax(s)[:, self.k], label, probability, 1.0)


def gradient(x: ForeignText, output: str, E: Array) -> Array:
    """d s_k / d E or d p_k / d E by the complex step, [P, dim]."""
    P, dim = E.shape
    moved = np.zeros((P * dim, P, dim), dtype=complex) + E
    moved[np.arange(P * dim), np.arange(P * dim) // dim, np.arange(P * dim) % dim] += 1j * STEP
    s = x.score(moved)
    values = s if output == "s" else softmax(s)
    return values[:, x.k].imag.reshape(P, dim) / STEP


def integral(x: ForeignText, output: str, steps: int) -> Array:
    """The mean gradient at m/M, m = 1 .. M: words are scaled, special pieces are not."""
    scaled = (np.array(x.word) >= 0)[:, None]
    points = [np.where(scaled, x.E * m / steps, x.E) for m in range(1, steps + 1)]
    return sum(gradient(x, output, point) for point in points) / steps


def dot(x: ForeignText, G: Array) -> Array:
    return x.by_word((x.E * G).sum(axis=1))


def l2(x: ForeignText, G: Array) -> Array:
    """The norm of a word's gradient, all its pieces stacked."""
    return np.sqrt(x.by_word((G * G).sum(axis=1)))


def perturbation(x: ForeignText, N: int, occlude: bool) -> Array:
    s, phi = x.score(x.E)[x.k], np.zeros(x.T)
    for t in range(1, x.T + 1):
        for j in range(1, N + 1):
            first, last = window(t, N, j)
            inside = {n - 1 for n in range(first, last + 1) if 1 <= n <= x.T}
            edited = x.blanked(inside) if occlude else x.kept(set(range(x.T)) - inside)
            phi[t - 1] += (s - edited[x.k]) / N
    return phi


METHODS: dict[str, Callable[[ForeignText], Array]] = {
    "grad_1_s_l2": lambda x: l2(x, gradient(x, "s", x.E)),
    "grad_1_p_l2": lambda x: l2(x, gradient(x, "p", x.E)),
    "grad_1_s_dot": lambda x: dot(x, gradient(x, "s", x.E)),
    "grad_1_p_dot": lambda x: dot(x, gradient(x, "p", x.E)),
    "grad_int_s_l2[steps=5]": lambda x: l2(x, integral(x, "s", 5)),
    "grad_int_p_l2[steps=5]": lambda x: l2(x, integral(x, "p", 5)),
    "grad_int_s_dot[steps=5]": lambda x: dot(x, integral(x, "s", 5)),
    "grad_int_p_dot[steps=5]": lambda x: dot(x, integral(x, "p", 5)),
    "omit_1": lambda x: perturbation(x, 1, occlude=False),
    "omit_3": lambda x: perturbation(x, 3, occlude=False),
    "occ_1": lambda x: perturbation(x, 1, occlude=True),
    "occ_3": lambda x: perturbation(x, 3, occlude=True),
    "limsse_bb": lambda x: limsse_bb(x.substrings),
    "limsse_ms_s": lambda x: limsse_ms(x.substrings, "s"),
    "limsse_ms_p": lambda x: limsse_ms(x.substrings, "p"),
}
