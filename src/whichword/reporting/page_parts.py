"""The parts of the games, for people."""

from collections.abc import Mapping

PARTS: Mapping[str, tuple[str, str]] = {
    "hybrid": ("hybrid", "words from fragments of the predicted class"),
    "manual": ("manual", "words that people called relevant"),
    "hit_target": ("subject", "the subject of the verb"),
    "hit_feat_correct": ("number, right predictions", "words that have the predicted number"),
    "hit_feat_wrong": ("number, wrong predictions", "words that have the predicted number"),
}


def part_words(part: str) -> tuple[str, str]:
    """What the part is called, and what its ground truth is."""
    return PARTS.get(part, (part, "words that the game rewards"))
