"""How much one page may ask for."""

from dataclasses import dataclass

from whichword.errors import InputError


@dataclass(frozen=True)
class Limits:
    """``body`` is bytes of a request, ``waiting`` jobs at a time, ``results`` explanations that can still be edited
    and copied, ``patience`` seconds until a request has to be here."""

    words: int = 2000
    body: int = 192 * 1024
    waiting: int = 8
    results: int = 32
    patience: float = 10.0

    @classmethod
    def of_words(cls, words: int) -> "Limits":
        """The bounds for texts of at most so many words, of which most are shorter than sixteen letters."""
        return cls(words, max(cls.body, 64 * words))

    def __post_init__(self) -> None:
        if self.words < 1:
            raise InputError(f"a text may have at least one word, not {self.words}")
