"""The table: what is compared with whom, and the bar that has to be passed."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from benchmarks import captum_peers as captum
from benchmarks.checks import Check, different, edges_aside, equal_to, same_fits
from benchmarks.sampling_peers import SklearnLIMSSE, lime_peer, shap_peer
from benchmarks.timing import Work
from benchmarks.workloads import DRAWN, GRAD_1, GRAD_INT, OCCLUSIONS, SIX, Workload
from whichword.methods import METHODS, plan
from whichword.methods.perturbation import WindowKind, changes
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences

Making = Callable[[Workload], Work]


@dataclass(frozen=True)
class Row:
    """Our work and the peer's; the peer gets ``documents`` of a workload at the most, in a full and a quick run.

    0: the row is left out.
    """

    workload: str
    what: str
    against: str
    bar: float | None
    ours: Making
    peer: Making
    check: Check | None = None
    documents: tuple[int, int] = (1000, 1000)


@dataclass(frozen=True)
class Copies:
    """A network that can do nothing but score: every edited copy is made and run."""

    workload: Workload

    @property
    def classes(self) -> tuple[str, ...]:
        return self.workload.network.classes

    def embed(self, ids: Sequences) -> Sequences:
        return self.workload.network.embed(ids)

    def score(self, x: Sequences, rules: Rules = PLAIN) -> Tensor:
        return self.workload.network.score(x, rules)

    def __call__(self) -> None:
        """All six, omission and occlusion of 1, 3 and 7 words."""
        asked = [WindowKind(kind, n) for kind in ("cut", "blank") for n in (1, 3, 7)]
        changes(self, self.embed(self.workload.questions.ids), self.workload.questions.targets, asked)


def asked(*methods: str) -> Making:
    return lambda workload: workload.ours(*methods)


def by_captum(attribute: captum.Attribution, *batches: int) -> Making:
    return lambda workload: captum.Peer(workload, attribute, batches or (1,))


def forward(workload: Workload) -> Work:
    network, ids = workload.network, workload.questions.ids

    @torch.no_grad()
    def work() -> None:
        network.score(network.embed(ids))

    return work


def one_by_one(workload: Workload) -> Work:
    each = [plan([name], workload.network) for name in METHODS if name in plan(None, workload.network).labels]

    def work() -> None:
        for chosen in each:
            chosen.answer(workload.folded, workload.questions)

    return work


def over(peer: Callable[[Workload, int], Work]) -> Making:
    return lambda workload: peer(workload, len(workload.questions))


IG, SIMPLE = by_captum(captum.integrated_gradients, 50, 200, 800), by_captum(captum.input_x_gradient)
STEPS = "Captum IG, 50 steps, s only"
FITS = "3,000 forward passes, scikit-learn"
LIME = "lime, 3,000 samples"
SHAP = "shap, partition, 500 evaluations"
ELSEWHERE = different("something else: one fit on texts with words deleted at random")
OWEN = different("something else: Owen values over groups of words")

PEERS = [
    Row(
        "agreement",
        "grad_1, all four",
        "Captum InputXGradient, s only",
        1.2,
        asked(*GRAD_1),
        SIMPLE,
        equal_to("grad_1_s_dot"),
    ),
    Row("agreement", "grad_int, all four", STEPS, 1.5, asked(*GRAD_INT), IG, equal_to("grad_int_s_dot")),
    Row(
        "agreement",
        "occ_1",
        "Captum Occlusion",
        1.2,
        asked("occ_1"),
        by_captum(captum.occlusion(1), 64, 512),
        edges_aside(1),
    ),
    Row("agreement", "limsse, three fits", FITS, 150, asked(*DRAWN), over(SklearnLIMSSE), same_fits, (54, 9)),
    Row("agreement", "limsse, three fits", LIME, None, asked(*DRAWN), over(lime_peer), ELSEWHERE, (9, 3)),
    Row("agreement", "limsse, three fits", SHAP, None, asked(*DRAWN), over(shap_peer), OWEN, (9, 0)),
    Row("hybrid", "grad_int, all four", STEPS, 3.5, asked(*GRAD_INT), IG, equal_to("grad_int_s_dot"), (4, 1)),
    Row(
        "hybrid",
        "occ_1",
        "Captum Occlusion",
        6,
        asked("occ_1"),
        by_captum(captum.occlusion(1), 16, 64),
        edges_aside(1),
        (2, 1),
    ),
    Row(
        "hybrid",
        "occ_1, 3 and 7",
        "Captum Occlusion",
        8,
        asked(*OCCLUSIONS),
        by_captum(captum.occlusion(1, 3, 7), 64),
        edges_aside(3),
        (2, 1),
    ),
    Row("hybrid", "limsse, three fits", FITS, 25, asked(*DRAWN), over(SklearnLIMSSE), same_fits, (4, 1)),
    Row("cnn", "grad_int, all four", STEPS, 50, asked(*GRAD_INT), IG, equal_to("grad_int_s_dot"), (8, 2)),
    Row(
        "cnn",
        "all six omit and occ",
        "Captum Occlusion, 1, 3 and 7",
        60,
        asked(*SIX),
        by_captum(captum.occlusion(1, 3, 7), 64),
        edges_aside(3),
        (4, 2),
    ),
    Row(
        "cnn",
        "lrp",
        "Captum LRP, epsilon rule on every layer",
        8,
        asked("lrp"),
        by_captum(captum.lrp),
        equal_to("lrp", 2e-3),
    ),
    Row("qlstm", "grad_int, all four", STEPS, 20, asked(*GRAD_INT), IG, equal_to("grad_int_s_dot"), (4, 1)),
    Row("qlstm", "all six omit and occ", "our network on every edited copy", 60, asked(*SIX), Copies, None, (1, 1)),
]
NETWORKS = ("agreement", "hybrid", "gru", "cnn", "qlstm", "qgru")
TOGETHER = [Row(name, "all methods together", "one by one", 2, asked("all"), one_by_one, None) for name in NETWORKS]
# our cost in forward passes: the ratio that counts is the other way round
FORWARDS = [
    Row(name, method, "our own forward pass", most, asked(method), forward)
    for name in NETWORKS
    for method, most in (("lrp", 6), ("deeplift", 12), ("decomp", 3))
    if name != "cnn" or method != "decomp"
]
