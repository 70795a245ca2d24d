"""The account of a score: what went to the words, and where the rest of it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Account:
    """s(k, X) = words + specials + constants + epsilon + softmax, as LRP shares it out.

    ``specials``: pieces outside the text. ``constants``: all that is added and is no word, biases and positions among
    it. ``epsilon``: what keeps divisions from 0. ``softmax``: what its gradient keeps (``attention=attnlrp``).
    ``decisions``: which factor of a product of two neurons was the weight, by operation, file and line.
    """

    score: float
    words: float
    specials: float
    constants: float
    epsilon: float
    softmax: float = 0.0
    decisions: Mapping[str, str] = field(default_factory=dict)

    @property
    def shares(self) -> dict[str, float]:
        """Everything that adds up to the score."""
        names = ("words", "specials", "constants", "epsilon", "softmax")
        return {name: float(getattr(self, name)) for name in names}

    @property
    def gap(self) -> float:
        """What the shares miss of the score: rounding, nothing else."""
        return self.score - sum(self.shares.values())

    def __str__(self) -> str:
        lines = [f"{name:9} {value:+.4f}" for name, value in self.shares.items()]
        return "\n".join([f"score     {self.score:+.4f}", *lines])
