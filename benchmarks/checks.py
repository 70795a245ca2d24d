"""Do both compute the same thing? A ratio is worth nothing otherwise, so every row says it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from benchmarks import captum_peers as captum
from benchmarks.sampling_peers import SklearnLIMSSE
from benchmarks.timing import Work
from benchmarks.workloads import Workload


@dataclass(frozen=True)
class Verdict:
    """In words, and whether it is what was expected."""

    text: str
    expected: bool


Check = Callable[[Workload, Work], Verdict]


def largest_share(found: dict[int, Tensor], expected: list[Tensor], edge: int = 0) -> float:
    """The largest difference at a word, as a share of its document's largest relevance."""
    shares = [0.0]
    for row, values in found.items():
        inside = slice(edge, len(values) - edge)
        if len(values[inside]):
            shares.append(float((values - expected[row])[inside].abs().max() / expected[row].abs().max()))
    return max(shares)


def equal_to(method: str, tolerance: float = 1e-4) -> Check:
    """The peer's relevances are those of one of our methods."""

    def check(workload: Workload, peer: Work) -> Verdict:
        assert isinstance(peer, captum.Peer)
        share = largest_share(peer.by_document(), workload.answers(method))
        return Verdict(f"{method} equal to {share:.0e}", share <= tolerance)

    return check


def edges_aside(n: int) -> Check:
    """Captum slides windows inside the document only: the same away from its ends."""

    def check(workload: Workload, peer: Work) -> Verdict:
        alone = captum.Peer(workload, captum.occlusion(n), (64,))
        share = largest_share(alone.by_document(), workload.answers(f"occ_{n}"), edge=n - 1)
        where = " away from the ends" if n > 1 else ""
        return Verdict(f"occ_{n} equal to {share:.0e}{where}", share <= 1e-3)

    return check


def same_fits(workload: Workload, peer: Work) -> Verdict:
    """Least squares to rounding; the logistic fit as near as scikit-learn's solver gets to the optimum."""
    assert isinstance(peer, SklearnLIMSSE)
    shares: dict[str, float] = {}
    ours = {name: workload.answers(f"limsse_{method}[samples=3000]") for name, method in NAMES.items()}
    for row, fits in enumerate(peer()):
        for name, v in fits.items():
            own = ours[name][row].numpy()
            shares[name] = max(shares.get(name, 0.0), float(np.abs(own - v).max() / np.abs(own).max()))
    said = ", ".join(f"{NAMES[name]} {share:.0e}" for name, share in shares.items())
    return Verdict(
        f"equal to: {said}", all(share <= (0.05 if name == "bb" else 1e-3) for name, share in shares.items())
    )


NAMES = {"s": "ms_s", "p": "ms_p", "bb": "bb"}


def different(text: str) -> Check:
    """The peer computes something else; said, not tested."""
    return lambda workload, peer: Verdict(text, True)


def silent_deep_lift(workload: Workload) -> Verdict:
    """Captum's DeepLift accepts torch's LSTM and returns input x gradient for it."""
    lift, simple = (captum.Peer(workload, kind, (1,))() for kind in (captum.deep_lift, captum.input_x_gradient))
    same = max(float((a - b).abs().max()) for a, b in zip(lift, simple, strict=True))
    return Verdict(f"Captum's DeepLift on torch's LSTM differs from its InputXGradient by {same:.0e}", same < 1e-6)
