"""What 2018 said, and what people ask now, each with the test that decides it on the columns of today's models."""

from itertools import pairwise

from experiments.modern.trials import Carries, Chance, Convergent
from experiments.paper.claims import Claim
from experiments.paper.outcomes import every, mostly
from experiments.paper.trials import Better, NearTop, NotWorse, Top

KNOWN = ("M01",)  # linear: the truth is known, so it is a check on the game, no evidence on networks
OUR_SEEDS = (("M03", "M13", "M23"), ("M04", "M14", "M24"))
SEEDS = (*OUR_SEEDS, ("M63", "M83"), ("M64", "M84"), ("M45", "M35"), ("M06", "M36"))
OURS = (*(name for names in OUR_SEEDS for name in names), "M63", "M83", "M64", "M84")
TRANSFORMERS = ("M45", "M35", "M06", "M36", "M47", "M27", "M09")
LANGUAGE = ("M57", "M58", "M68")
SUBSTRINGS = ("M07", "M08", "M18")  # the same games, fewer sentences: where the language model is asked by LIMSSE
INTEGRATED = ("M05", "M06", "M17", "M09")  # where transformers are asked for integrated gradients
ALL = (*OURS, *TRANSFORMERS, *LANGUAGE)
KINDS = ("s_l2", "p_l2", "s_dot", "p_dot")
SIMPLE = tuple(f"grad_1_{kind}" for kind in KINDS)
LIMSSE = ("limsse_bb", "limsse_ms_s", "limsse_ms_p")
EXACT = ("grad_1_s_dot", "grad_int_s_dot", "lrp", "deeplift", "omit_1", "occ_1")
WIDE = tuple((f"{kind}_{width}", f"{kind}_1") for kind in ("omit", "occ") for width in (3, 7))
FEWER = tuple(f"{number} documents instead of 200" for number in ("all", "700", "2,000"))
CARRIED = (
    ("all layers instead of the head", "M45", "M06"),
    ("all layers instead of the head", "M35", "M36"),
    *(("the seed", first, second) for names in SEEDS for first, second in pairwise(names)),
    ("all documents instead of 200", "M33", "M03"),
    ("all documents instead of 200", "M53", "M13"),
    ("all documents instead of 200", "M34", "M04"),
    ("all documents instead of 200", "M54", "M14"),
    ("2,000 documents instead of 200", "M73", "M63"),
    ("2,000 documents instead of 200", "M93", "M83"),
    ("2,000 documents instead of 200", "M74", "M64"),
    ("2,000 documents instead of 200", "M94", "M84"),
    ("700 documents instead of 200", "M37", "M47"),
    ("MiniLM instead of our LSTM", "M03", "M06"),
    ("MiniLM instead of our LSTM", "M13", "M36"),
    ("MiniLM instead of our CNN", "M04", "M06"),
    ("MiniLM instead of our CNN", "M14", "M36"),
    ("sentences of people instead of a grammar", "M57", "M58"),
    ("words of people instead of hybrid documents", "M47", "M26"),
)


def _carried(*reasons: str) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for why, first, second in CARRIED if why in reasons)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "known-truth",
        "the game itself",
        "Where the truth is known, every method that must be exact is at most five points behind LIMSSE.",
        NotWorse(tuple((method, "limsse_ms_s") for method in EXACT), KNOWN),
        every,
    ),
    Claim(
        "width",
        "the game itself",
        "Where the truth is known and single words are exact, windows of three and seven words score higher.",
        Better(WIDE, KNOWN),
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
        Top(LIMSSE, SUBSTRINGS),
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
        "gradients-chance",
        "gradients",
        "On transformers gradient x input is below what a word drawn at random gets.",
        Chance(("grad_1_s_dot",), (*TRANSFORMERS, *LANGUAGE)),
        mostly,
    ),
    Claim(
        "integrated-ours",
        "gradients",
        "On our networks the integrated gradient is better than the simple one of the same kind.",
        Better(tuple((f"grad_int_{kind}", f"grad_1_{kind}") for kind in KINDS), OURS),
        mostly,
    ),
    Claim(
        "integrated-transformers",
        "gradients",
        "On transformers the integrated dot product is better than the simple one.",
        Better((("grad_int_s_dot", "grad_1_s_dot"), ("grad_int_p_dot", "grad_1_p_dot")), INTEGRATED),
        mostly,
    ),
    Claim(
        "s-over-p",
        "gradients",
        "The gradient of s is better than that of p.",
        Better((("grad_1_s_dot", "grad_1_p_dot"), ("grad_1_s_l2", "grad_1_p_l2")), ALL),
        mostly,
    ),
    Claim(
        "attention",
        "attention",
        "Attention weights, of the last layer or rolled out, are more than five points behind the best method.",
        NearTop(("attention_last", "attention_rollout"), (*TRANSFORMERS, *LANGUAGE), far=True),
        every,
    ),
    Claim(
        "carries-seed",
        "verdicts",
        "The best method of one seed is within five points of the best of another.",
        Carries(_carried("the seed")),
        every,
    ),
    Claim(
        "carries-few",
        "verdicts",
        "The best method on 200 documents is within five points of the best on 700 to 2,000.",
        Carries(_carried(*FEWER)),
        every,
    ),
    Claim(
        "carries-head",
        "verdicts",
        "The best method on the head-only MiniLM is within five points of the best on the fully tuned one.",
        Carries(_carried("all layers instead of the head")),
        every,
    ),
    Claim(
        "carries-model",
        "verdicts",
        "The best method on our LSTM and CNN is within five points of the best on MiniLM.",
        Carries(_carried("MiniLM instead of our LSTM", "MiniLM instead of our CNN")),
        every,
    ),
    Claim(
        "converges-deletion",
        "judges",
        "Hybrid documents and deletion rank methods of single words alike.",
        Convergent("hybrid", "deletion", ("J03", "J13", "J04", "J14", "J05", "J06", "J09")),
        every,
    ),
    Claim(
        "converges-people",
        "judges",
        "Hybrid documents and words that people marked rank methods of single words alike.",
        Convergent("hybrid", "rationales", ("J09",)),
        every,
    ),
)
