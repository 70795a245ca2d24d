"""What 2018 said, and what people ask now, each with the test that decides it on the columns of today's models."""

from experiments.paper.claims import Claim
from experiments.paper.outcomes import every, mostly
from experiments.paper.trials import Better, NearTop, NotWorse, Top

KNOWN = ("M01",)  # linear: the truth is known, so it is a check on the game, no evidence on networks
OURS = ("M03", "M04")
TRANSFORMERS = ("M05", "M06", "M09")
LANGUAGE = ("M07", "M08")
ALL = (*OURS, *TRANSFORMERS, *LANGUAGE)
KINDS = ("s_l2", "p_l2", "s_dot", "p_dot")
SIMPLE = tuple(f"grad_1_{kind}" for kind in KINDS)
LIMSSE = ("limsse_bb", "limsse_ms_s", "limsse_ms_p")
EXACT = ("grad_1_s_dot", "grad_int_s_dot", "lrp", "deeplift", "omit_1", "occ_1")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "known-truth",
        "the game itself",
        "Where the truth is known, every method that must be exact is within five points of the best.",
        NotWorse(tuple((method, "limsse_ms_s") for method in EXACT), KNOWN),
        every,
    ),
    Claim(
        "lrp-consistent",
        "LRP",
        "lrp is within five points of the best method in every column.",
        NearTop(("lrp",), ALL),
        every,
    ),
    Claim(
        "attnlrp",
        "LRP",
        "On transformers, lrp with the softmax rule of AttnLRP is better than with attention as weights.",
        Better((("lrp[attention=attnlrp]", "lrp"),), (*TRANSFORMERS, *LANGUAGE)),
        mostly,
    ),
    Claim(
        "limsse-large-context",
        "LIMSSE",
        "In the agreement game no method is better than the best LIMSSE.",
        Top(LIMSSE, LANGUAGE),
        every,
    ),
    Claim(
        "limsse-small-context",
        "LIMSSE",
        "In the hybrid game no method is better than the best LIMSSE.",
        Top(LIMSSE, (*OURS, *TRANSFORMERS)),
        every,
    ),
    Claim(
        "gradients-fail",
        "gradients",
        "On transformers the best simple gradient is more than five points behind the best method.",
        NearTop(SIMPLE, (*TRANSFORMERS, *LANGUAGE), far=True),
        every,
    ),
    Claim(
        "integrated",
        "gradients",
        "The integrated gradient is better than the simple one of the same kind.",
        Better(tuple((f"grad_int_{kind}", f"grad_1_{kind}") for kind in KINDS), ALL),
        mostly,
    ),
    Claim(
        "s-over-p",
        "gradients",
        "The gradient of s is better than that of p.",
        Better((("grad_1_s_dot", "grad_1_p_dot"), ("grad_int_s_dot", "grad_int_p_dot")), ALL),
        mostly,
    ),
)
