"""The claims of the paper's discussion, in our words, each with the test that decides it.

Where the paper says "poor", "fails" or "competitive", the measure is its own: five points from the best method of the
column. "Consistently" asks for every column, "mostly" for more than half.
"""

from experiments.paper.claims import Claim
from experiments.paper.outcomes import every, mixed, mostly
from experiments.paper.trials import Alike, Better, Drop, NearTop, NotWorse, Steadier, Top


def columns(*numbers: int | range) -> tuple[str, ...]:
    """C01, C02, ..."""
    each = (number for given in numbers for number in (given if isinstance(given, range) else (given,)))
    return tuple(f"C{number:02d}" for number in each)


ALL = columns(range(1, 28))
SENTIMENT, TOPIC, MANUAL = columns(range(1, 6)), columns(range(6, 11)), columns(range(11, 16))
CNN = columns(5, 10, 15)
RNN = tuple(column for column in ALL if column not in CNN)
HYBRID = SENTIMENT + TOPIC
TARGET, AGREEMENT = columns(range(16, 20)), columns(range(16, 28))
LSTM = columns(3, 8, 13, 18, 22, 26)
LSTM_AGREEMENT = columns(18, 22, 26)
KINDS = ("1_s", "1_p", "int_s", "int_p")
L2 = tuple(f"grad_{kind}_l2" for kind in KINDS)
OMIT, OCC = ("omit_1", "omit_3", "omit_7"), ("occ_1", "occ_3", "occ_7")
MS, LIMSSE = ("limsse_ms_s", "limsse_ms_p"), ("limsse_bb", "limsse_ms_s", "limsse_ms_p")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "l2-poor",
        "gradient L2 norm",
        "The best of the four L2 norms is more than five points behind the best method on recurrent networks.",
        NearTop(L2, RNN, far=True),
        every,
    ),
    Claim(
        "dot-over-l2",
        "gradient L2 norm",
        "The dot product is mostly better than the L2 norm of the same gradient.",
        Better(tuple((f"grad_{kind}_dot", f"grad_{kind}_l2") for kind in KINDS), ALL),
        mostly,
    ),
    Claim(
        "dot-cnn-p",
        "gradient dot product",
        "On the two-class CNN, grad_1_p_dot is within five points of the best (C05).",
        NearTop(("grad_1_p_dot",), columns(5)),
        every,
    ),
    Claim(
        "dot-cnn-s",
        "gradient dot product",
        "On the topic CNN, grad_1_s_dot is within five points of the best (C10, C15).",
        NearTop(("grad_1_s_dot",), columns(10, 15)),
        every,
    ),
    Claim(
        "dot-gru-p",
        "gradient dot product",
        "On the two-class GRU, grad_1_p_dot is decent: within ten points of the best (C01).",
        NearTop(("grad_1_p_dot",), columns(1), margin=0.1),
        every,
    ),
    Claim(
        "dot-gru-int",
        "gradient dot product",
        "On the other GRUs, grad_int_s_dot is decent: within ten points of the best (C06, C11, C16, C20, C24).",
        NearTop(("grad_int_s_dot",), columns(6, 11, 16, 20, 24), margin=0.1),
        every,
    ),
    Claim(
        "integrated",
        "integrated gradient",
        "Integrated gradients are mostly better than simple ones.",
        Better(tuple((f"grad_int_{of}_{norm}", f"grad_1_{of}_{norm}") for of in "sp" for norm in ("l2", "dot")), ALL),
        mostly,
    ),
    Claim(
        "lstm-fails",
        "integrated gradient",
        "The gradient dot products fail on the topic LSTM: all four are more than five points behind (C08, C13).",
        NearTop(tuple(f"grad_{kind}_dot" for kind in KINDS), columns(8, 13), far=True),
        every,
    ),
    Claim(
        "integration-lstm",
        "integrated gradient",
        "There integration does not help much: grad_int_s_dot gains at most ten points on grad_1_s_dot (C08, C13).",
        NotWorse((("grad_1_s_dot", "grad_int_s_dot"),), columns(8, 13), margin=0.1),
        every,
    ),
    Claim(
        "s-over-p",
        "gradient of s and of p",
        "Outside the two-class reviews the gradient of s is better than that of p, or at most five points behind.",
        NotWorse(tuple((f"grad_{m}_s_{n}", f"grad_{m}_p_{n}") for m in ("1", "int") for n in ("l2", "dot")), ALL[5:]),
        mostly,
    ),
    Claim(
        "p-over-s-two-classes",
        "gradient of s and of p",
        "On the two-class reviews grad_1_p_dot is better than grad_1_s_dot (C01 to C05).",
        Better((("grad_1_p_dot", "grad_1_s_dot"),), SENTIMENT),
        mostly,
    ),
    Claim(
        "lrp-deeplift-steady",
        "LRP and DeepLIFT",
        "LRP and DeepLIFT have the smallest mean distance to the best method over all columns.",
        Steadier(("lrp", "deeplift"), ALL),
        every,
    ),
    Claim(
        "lrp-two-classes",
        "LRP and DeepLIFT",
        "On the two-class Quasi-networks and CNN both are mostly more than five points behind (C02, C04, C05).",
        NearTop(("lrp", "deeplift"), columns(2, 4, 5), far=True),
        mostly,
    ),
    Claim(
        "lrp-gradient-cnn",
        "LRP and DeepLIFT",
        "On the CNN, LRP and grad_1_s_dot are almost identical: within two points (C05, C10, C15).",
        Alike((("lrp", "grad_1_s_dot"),), CNN),
        every,
    ),
    Claim(
        "lrp-over-gradient",
        "LRP and DeepLIFT",
        "On recurrent networks LRP is better than grad_1_s_dot.",
        Better((("lrp", "grad_1_s_dot"),), RNN),
        mostly,
    ),
    Claim(
        "deeplift-over-integrated",
        "LRP and DeepLIFT",
        "On recurrent networks DeepLIFT is better than grad_int_s_dot.",
        Better((("deeplift", "grad_int_s_dot"),), RNN),
        mostly,
    ),
    Claim(
        "decomp-lstm",
        "decomposition",
        "Decomposition is good on the LSTM: mostly within five points of the best.",
        NearTop(("decomp",), LSTM),
        mostly,
    ),
    Claim(
        "decomp-lstm-agreement",
        "decomposition",
        "It is especially good on LSTM agreement: within five points of the best in each column (C18, C22, C26).",
        NearTop(("decomp",), LSTM_AGREEMENT),
        every,
    ),
    Claim(
        "decomp-elsewhere",
        "decomposition",
        "On the other recurrent networks it is inconsistent: near the best in some columns, far from it in others.",
        NearTop(("decomp",), tuple(column for column in RNN if column not in LSTM)),
        mixed,
    ),
    Claim(
        "decomp-manual",
        "decomposition",
        "On Quasi-networks it falls by over ten points from hybrid documents to human lists (C07, C09; C12, C14).",
        Drop("decomp", (("C07", "C12"), ("C09", "C14"))),
        every,
    ),
    Claim(
        "omit-hybrid",
        "omission and occlusion",
        "The best omission is near the best method in some hybrid columns and far from it in others.",
        NearTop(OMIT, HYBRID),
        mixed,
    ),
    Claim(
        "occ-hybrid",
        "omission and occlusion",
        "The best occlusion is near the best method in some hybrid columns and far from it in others.",
        NearTop(OCC, HYBRID),
        mixed,
    ),
    Claim(
        "omit-agreement",
        "omission and occlusion",
        "In agreement omission is not competitive: the best of the three is more than five points behind.",
        NearTop(OMIT, AGREEMENT, far=True),
        every,
    ),
    Claim(
        "occ-over-omit",
        "omission and occlusion",
        "In agreement occ_1 is better than omit_1, above all in hit_target (C16 to C19).",
        Better((("occ_1", "omit_1"),), TARGET),
        every,
    ),
    Claim(
        "occ-less-steady",
        "omission and occlusion",
        "Despite some high figures occ_1 has a larger mean distance to the best than LRP and DeepLIFT.",
        Steadier(("lrp", "deeplift"), ALL, ("occ_1",)),
        every,
    ),
    Claim(
        "ms-over-bb",
        "LIMSSE",
        "Both magnitude-sensitive fits of LIMSSE are better than the black-box fit in every column.",
        Better(tuple((name, "limsse_bb") for name in MS), ALL),
        every,
    ),
    Claim(
        "ms-best-hybrid",
        "LIMSSE",
        "On hybrid documents magnitude-sensitive LIMSSE is the best method, or tied with it (but for C03, C05).",
        Top(MS, tuple(column for column in HYBRID if column not in columns(3, 5))),
        every,
    ),
    Claim(
        "limsse-agreement",
        "LIMSSE",
        "In agreement LIMSSE fails: the best of the three is more than five points behind.",
        NearTop(LIMSSE, AGREEMENT, far=True),
        mostly,
    ),
)
