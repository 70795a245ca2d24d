"""How a network is trained (appendix, "Neural networks")."""

from dataclasses import dataclass

from whichword.errors import SettingError

HEADS = ("softmax", "sigmoid")


@dataclass(frozen=True)
class Training:
    """The paper's settings but for the sizes, which suit a laptop.

    ``hidden`` is the size of one direction. After two epochs without a better heldout accuracy (``halve``) the learning
    rate is halved, after ``patience`` such epochs training ends; the best epoch is kept. ``head``: see `training.loop`.
    """

    network: str = "lstm"
    bidirectional: bool = False
    embedding: int = 100
    hidden: int = 75
    vocabulary: int = 50_000
    cut: int = 1000
    dropout: float = 0.5
    learning_rate: float = 1e-3
    batch: int = 8
    halve: int = 2
    patience: int = 5
    epochs: int = 100
    seed: int = 0
    dtype: str = "float32"
    spread: float = 0.05  # random word vectors are uniform on +- this
    vectors: str | None = None  # a GloVe text file
    head: str = "softmax"

    def __post_init__(self) -> None:
        for name in ("embedding", "hidden", "vocabulary", "cut", "batch", "halve", "patience", "epochs"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0.0 <= self.dropout < 1.0:
            raise SettingError(f"dropout must be at least 0 and below 1, not {self.dropout}")
        for name in ("learning_rate", "spread"):
            if not 0.0 < getattr(self, name) < float("inf"):
                raise SettingError(f"{name} must be a positive number, not {getattr(self, name)}")
        if self.dtype not in ("float32", "float64"):
            raise SettingError(f"dtype must be float32 or float64, not {self.dtype!r}")
        if self.head not in HEADS:
            raise SettingError(f"head must be {' or '.join(HEADS)}, not {self.head!r}")
