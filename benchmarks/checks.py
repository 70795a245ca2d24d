"""Do both compute the same thing? A ratio is worth nothing otherwise, so every row says it."""

from collections.abc import Callable, Mapping, Sequence
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


def largest_share(theirs: Mapping[int, Tensor], ours: Sequence[Tensor], edge: int = 0) -> float:
    """The largest difference at a word, as a share of its document's largest relevance."""
    shares = [0.0]
    for row, phi in theirs.items():
        inside = slice(edge, len(phi) - edge)
        if len(phi[inside]):
            shares.append(float((phi - ours[row])[inside].abs().max() / ours[row].abs().max()))
    return max(shares)


def equal_to(method: str, tolerance: float = 1e-4) -> Check:
    """The peer's relevances are those of one of our methods, of the class that each of the two has predicted."""

    def check(workload: Workload, peer: Work) -> Verdict:
        assert isinstance(peer, captum.Peer)
        share = largest_share(peer.by_document(), workload.relevances(method))
        return Verdict(f"{method} equal to {share:.0e}", share <= tolerance)

    return check


def edges_aside(n: int) -> Check:
    """Captum slides windows inside the document only: the same away from its ends."""

    def check(workload: Workload, peer: Work) -> Verdict:
        alone = captum.Peer(workload, captum.occlusion(n), (64,))
        share = largest_share(alone.by_document(), workload.relevances(f"occ_{n}"), edge=n - 1)
        where = " away from the ends" if n > 1 else ""
        return Verdict(f"occ_{n} equal to {share:.0e}{where}", share <= 1e-3)

    return check


LOSSES = {"s": "ms_s", "p": "ms_p", "bb": "bb"}
APART = {"s": 1e-3, "p": 1e-3, "bb": 0.05}  # scikit-learn's solver of the logistic fit stops that near to the optimum


def same_fits(workload: Workload, peer: Work) -> Verdict:
    """Least squares to rounding; the logistic fit as near as scikit-learn's solver gets to the optimum."""
    assert isinstance(peer, SklearnLIMSSE)
    shares: dict[str, float] = {}
    ours = {name: workload.relevances(f"limsse_{loss}[samples=3000]") for name, loss in LOSSES.items()}
    for row, fits in enumerate(peer()):
        for name, theirs in fits.items():
            phi = ours[name][row].numpy()
            shares[name] = max(shares.get(name, 0.0), float(np.abs(phi - theirs).max() / np.abs(phi).max()))
    listed = ", ".join(f"{LOSSES[name]} {share:.0e}" for name, share in shares.items())
    return Verdict(f"equal to: {listed}", all(share <= APART[name] for name, share in shares.items()))


def different(text: str) -> Check:
    """The peer computes something else; stated, not tested."""
    return lambda workload, peer: Verdict(text, True)


def silent_deep_lift(workload: Workload) -> Verdict:
    """Captum's DeepLift accepts torch's LSTM and returns input x gradient for it."""
    lift, simple = (captum.Peer(workload, kind, (64,))() for kind in (captum.deep_lift, captum.input_x_gradient))
    same = max(float((a - b).abs().max()) for a, b in zip(lift, simple, strict=True))
    return Verdict(f"Captum's DeepLift on torch's LSTM differs from its InputXGradient by {same:.0e}", same < 1e-6)
