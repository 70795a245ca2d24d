"""What is explained: the score s(k, X) or the probability p(k | X), as a gradient of s sees it."""

from collections.abc import Callable

from whichword.lazy import Tensor


def _of_s(s: Tensor, one_hot: Tensor) -> Tensor:
    """d s_k / d s_j = 1[j = k]."""
    return one_hot.expand_as(s)


def _of_p(s: Tensor, one_hot: Tensor) -> Tensor:
    """d p_k / d s_j = p_k (1[j = k] - p_j); 1 - p_k is the sum of the others, exact where p_k is nearly 1."""
    p = s.softmax(-1)
    others = p * (1.0 - one_hot)
    return (p * one_hot).sum(-1, keepdim=True) * (one_hot * others.sum(-1, keepdim=True) - others)


SEEDS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"s": _of_s, "p": _of_p}
