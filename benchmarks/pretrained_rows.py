"""The rows for transformers. No pass can be saved there: everything is the number of pieces that pass through.

Ours is always `whichword.explain`, prediction included.
"""

from collections.abc import Callable, Collection, Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import partial

from torch import Tensor

from benchmarks import lxt_peer
from benchmarks.checks import Verdict, largest_share
from benchmarks.lxt_peer import LxtPeer
from benchmarks.pretrained import PretrainedWorkload, causal, folder, minilm, smollm2
from benchmarks.pretrained_peers import (
    LIME_SAMPLES,
    SHAP_EVALUATIONS,
    CaptumAblation,
    CaptumIntegrated,
    CaptumPadded,
    CaptumPeer,
    lime_peer,
    shap_peer,
)
from benchmarks.results import Line
from benchmarks.timing import Anew, Times, Work, alternate, median
from benchmarks.workloads import FITS, FOUR, GRAD_1, GRAD_INT, SIX

FORWARDS = "forward passes of the module"
TEN = tuple(f"grad_int_{kind}[steps=10]" for kind in FOUR[::2])


@dataclass(frozen=True)
class PretrainedRow:
    """``lengths`` of the texts in words, in a full and a quick run (none: left out); ``turns`` of a full run."""

    what: str
    against: str
    bar: float | None
    methods: tuple[str, ...]
    peer: Callable[[PretrainedWorkload], Work]
    lengths: tuple[tuple[int, ...], tuple[int, ...]] = ((150,), (40,))
    at_most: bool = False
    same: str = ""  # what the peer computes: one of our methods, or words
    tolerance: float = 1e-3
    workload: Callable[[], PretrainedWorkload] = minilm
    turns: int = 3

    def check(self, workload: PretrainedWorkload, peer: Work) -> Verdict:
        if not isinstance(peer, CaptumPeer | LxtPeer):
            return Verdict(self.same, True)
        theirs: dict[int, Tensor] = dict(enumerate(peer()))
        ours = [phi.float() for phi in workload.relevances(self.same)]
        share = largest_share({row: phi[: len(ours[row])] for row, phi in theirs.items()}, ours)
        return Verdict(f"{self.same} equal to {share:.0e}", share <= self.tolerance)


def forward(workload: PretrainedWorkload) -> Work:
    """The module's own pass over batches that are read."""
    return Anew(lambda: partial(workload.model.score, workload.batch()))


def ours(*methods: str) -> Callable[[PretrainedWorkload], Work]:
    return lambda workload: workload.ours(*methods)


def one_by_one(workload: PretrainedWorkload) -> Work:
    return workload.one_by_one(*SIX, *FITS)


def without_sharing(workload: PretrainedWorkload) -> Work:
    """The same model, every edited copy run whole."""
    model = copy(workload.model)
    model.prefixes = None
    return replace(workload, model=model).ours("omit_1", "occ_1")


INTEGRATED = "Captum LayerIntegratedGradients, 50 steps, s only"
TWO = ("grad_int_s_l2", "grad_int_s_dot")
MANY = tuple(range(60, 181, 15))  # as hybrid documents: the longest three times the shortest
LONG = ((150,) * 4, (40,) * 4)
DELETED = "something else: one fit on texts with words deleted at random"
OWEN = "something else: Owen values over groups of words"
ATTNLRP = "lrp[attention=attnlrp]"
ROWS = [
    PretrainedRow(
        "grad_int, s_l2 and s_dot",
        INTEGRATED,
        1.05,
        TWO,
        lambda workload: CaptumIntegrated(workload, (10, 25, 50)),
        same="grad_int_s_dot",
    ),
    PretrainedRow(
        "grad_int, all four",
        INTEGRATED,
        1.6,
        GRAD_INT,
        lambda workload: CaptumIntegrated(workload, (10, 25, 50)),
        at_most=True,
        same="grad_int_s_dot",
    ),
    PretrainedRow(
        "all eight gradients", "the four of grad_int", 1.05, GRAD_1 + GRAD_INT, ours(*GRAD_INT), at_most=True, turns=7
    ),
    PretrainedRow(
        "occ_1",
        "Captum FeatureAblation by word",
        1.05,
        ("occ_1",),
        lambda workload: CaptumAblation(workload, (8, 16, 32)),
        same="occ_1",
    ),
    PretrainedRow("six omit and occ, limsse", "one by one", 0.9, (*SIX, *FITS), one_by_one, at_most=True),
    PretrainedRow("lrp", FORWARDS, 3, ("lrp",), forward, LONG, at_most=True),
    PretrainedRow(
        ATTNLRP,
        "LXT 2.1",
        None,
        (ATTNLRP,),
        LxtPeer,
        LONG if lxt_peer.FOLDER else ((), ()),
        same="lrp[attention=attnlrp,eps=1e-09]",
    ),
    PretrainedRow("deeplift", FORWARDS, 6, ("deeplift",), forward, LONG, at_most=True),
    PretrainedRow(
        "grad_int, 10 steps, texts of mixed length",
        "Captum LayerIntegratedGradients on a padded batch",
        1.5,
        TEN,
        lambda workload: CaptumPadded(workload, (1,)),
        (MANY, tuple(length // 3 for length in MANY)),
        same="grad_int_s_dot[steps=10]",
    ),
    PretrainedRow(
        "limsse, three fits", f"lime, {LIME_SAMPLES} samples", None, FITS, lime_peer, ((150,), ()), same=DELETED
    ),
    PretrainedRow(
        "limsse, three fits",
        f"shap, partition, {SHAP_EVALUATIONS} evaluations",
        None,
        FITS,
        shap_peer,
        ((150,), ()),
        same=OWEN,
    ),
    PretrainedRow(
        "omit_1, occ_1",
        "every edited copy run whole",
        1.7,
        ("omit_1", "occ_1"),
        without_sharing,
        ((150,), (100,)),
        workload=causal,
    ),
    PretrainedRow(
        "omit_1, occ_1",
        "every edited copy run whole, 100 words",
        1.7,
        ("omit_1", "occ_1"),
        without_sharing,
        ((100,) if folder("smollm2") else (), ()),
        workload=smollm2,
    ),
]


def measure(quick: bool, only: str, measured: Collection[tuple[str, str]]) -> Iterator[Line]:
    """All rows, or those whose names have ``only`` in them, that are not ``measured`` yet (by what and against)."""
    for row in ROWS:
        lengths = row.lengths[quick]
        wanted = lengths and only in f"transformers {row.what} {row.against}"
        if not wanted or (row.what, row.against) in measured:
            continue
        workload = row.workload().of(lengths)
        peer = row.peer(workload)
        verdict = row.check(workload, peer)
        turns = 2 if quick else row.turns
        times = alternate(workload.ours(*workload.defined(row.methods)), peer, turns, (len(lengths),) * 2)
        yield line(workload, row, times, verdict)


def line(workload: PretrainedWorkload, row: PretrainedRow, times: Times, verdict: Verdict) -> Line:
    ratios = [1.0 / ratio for ratio in times.ratios] if row.at_most else times.ratios
    names = (workload.name, row.what, row.against)
    milliseconds = 1000.0 * median(times.ours)
    return Line(*names, row.bar, row.at_most, median(ratios), ratios, milliseconds, verdict.text, verdict.expected)


def told() -> dict[str, str]:
    """The models of the rows."""
    models = [minilm(), causal(), *([smollm2()] if folder("smollm2") else [])]
    return {workload.name: workload.told() for workload in models}
