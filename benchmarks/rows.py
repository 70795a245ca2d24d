"""The table: what is compared with whom, and the bar that has to be passed.

Ours is always `whichword.explain` from words on, prediction included.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import captum_peers as captum
from benchmarks.checks import Check, different, edges_aside, equal_to, same_fits
from benchmarks.copies import scored_copies
from benchmarks.inner import Inner
from benchmarks.results import FORWARD, PARTS
from benchmarks.sampling_peers import SklearnLIMSSE, lime_peer, shap_peer
from benchmarks.timing import Work
from benchmarks.workloads import DRAWN, GRAD_1, GRAD_INT, OCCLUSIONS, SIX, TWENTY, Workload

Making = Callable[[Workload], Work]
ALL = 1_000_000  # documents
PASSES = {"lrp": 6, "deeplift": 12, "decomp": 3}  # forward passes at the most


@dataclass(frozen=True)
class Row:
    """Our methods and the peer's work. ``at_most``: the ratio is our time over the other one, to stay below the bar.

    The peer gets ``documents`` of a workload at the most, in a full and a quick run; 0: the row is left out.
    """

    workload: str
    what: str
    against: str
    bar: float | None
    methods: tuple[str, ...]
    peer: Making
    check: Check | None = None
    documents: tuple[int, int] = (ALL, ALL)
    at_most: bool = False

    @property
    def cheap(self) -> bool:
        """A few forward passes per document."""
        return set(self.methods) <= PASSES.keys()


def by_captum(attribute: captum.Attribution, *batches: int) -> Making:
    return lambda workload: captum.Peer(workload, attribute, batches)


def forward(workload: Workload) -> Work:
    """A forward pass of the network as it is, not folded."""
    return Inner.of(workload).forward(workload.network)


def parts(*methods: str) -> Making:
    return lambda workload: Inner.of(workload).parts(*methods)


def one_by_one(workload: Workload) -> Work:
    """A call of `explain` for each method."""
    calls = [workload.ours(method) for method in workload.defined(TWENTY)]
    return lambda: [call() for call in calls]


IG, SIMPLE = by_captum(captum.integrated_gradients, 50, 200, 800), by_captum(captum.input_x_gradient, 12, 48)
STEPS = "Captum IG, 50 steps, s only"
OCCLUSION = "Captum Occlusion"
FITS = "3,000 forward passes, scikit-learn"
LIME = "lime, 3,000 samples"
SHAP = "shap, partition, 500 evaluations"
ELSEWHERE = different("something else: one fit on texts with words deleted at random")
OWEN = different("something else: Owen values over groups of words")
GRADIENTS = equal_to("grad_int_s_dot")
WINDOWS = captum.occlusion(1, 3, 7)

PEERS = [
    Row(
        "agreement",
        "grad_1, all four",
        "Captum InputXGradient, s only",
        1.2,
        GRAD_1,
        SIMPLE,
        equal_to("grad_1_s_dot"),
    ),
    Row("agreement", "grad_int, all four", STEPS, 1.5, GRAD_INT, IG, GRADIENTS),
    Row(
        "agreement",
        "occ_1",
        OCCLUSION,
        1.2,
        ("occ_1",),
        by_captum(captum.occlusion(1), 64, 512),
        edges_aside(1),
    ),
    Row("agreement", "limsse, three fits", FITS, 150, DRAWN, SklearnLIMSSE, same_fits, (54, 9)),
    Row("agreement", "limsse, three fits", LIME, None, DRAWN, lime_peer, ELSEWHERE, (9, 3)),
    Row("agreement", "limsse, three fits", SHAP, None, DRAWN, shap_peer, OWEN, (9, 0)),
    Row("hybrid", "grad_int, all four", STEPS, 3.5, GRAD_INT, IG, GRADIENTS, (4, 1)),
    Row(
        "hybrid",
        "occ_1",
        OCCLUSION,
        6,
        ("occ_1",),
        by_captum(captum.occlusion(1), 16, 64),
        edges_aside(1),
        (2, 1),
    ),
    Row("hybrid", "occ_1, 3 and 7", OCCLUSION, 8, OCCLUSIONS, by_captum(WINDOWS, 64), edges_aside(3), (2, 1)),
    Row("hybrid", "limsse, three fits", FITS, 25, DRAWN, SklearnLIMSSE, same_fits, (4, 1)),
    Row("cnn", "grad_int, all four", STEPS, 50, GRAD_INT, IG, GRADIENTS, (8, 2)),
    Row(
        "cnn",
        "all six omit and occ",
        "Captum Occlusion, 1, 3 and 7",
        60,
        SIX,
        by_captum(WINDOWS, 64),
        edges_aside(3),
        (4, 2),
    ),
    Row(
        "cnn",
        "lrp",
        "Captum LRP, epsilon rule on every layer",
        8,
        ("lrp",),
        by_captum(captum.lrp, 2, 8, 48),
        equal_to("lrp", 2e-3),
    ),
    Row("qlstm", "grad_int, all four", STEPS, 20, GRAD_INT, IG, GRADIENTS, (4, 1)),
    Row("qlstm", "all six omit and occ", "our network on every edited copy", 60, SIX, scored_copies, None, (1, 1)),
]
NETWORKS = ("agreement", "hybrid", "gru", "cnn", "qlstm", "qgru")
APART = {"hybrid": 1.4, "gru": 1.4}  # where omission and occlusion share nothing: docs/performance.md
TOGETHER = [
    Row(name, "all methods together", "one by one", APART.get(name, 2), TWENTY, one_by_one) for name in NETWORKS
]
CHEAP = [(name, method) for name in NETWORKS for method in PASSES if (name, method) != ("cnn", "decomp")]
FORWARDS = [Row(name, method, FORWARD, PASSES[method], (method,), forward, at_most=True) for name, method in CHEAP]
OVERHEAD = [Row(name, method, PARTS, 1.3, (method,), parts(method), at_most=True) for name, method in CHEAP]
ROWS = [*PEERS, *TOGETHER, *FORWARDS, *OVERHEAD]
