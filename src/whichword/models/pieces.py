"""A text as a fast tokenizer reads it: which pieces there are, and which word owns each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whichword.errors import InputError
from whichword.model import Reading
from whichword.text.places import spans
from whichword.types import Written

MANY = 10**6  # a tokenizer that names no longest input names an astronomic number


class PieceReader:
    """A fast tokenizer, called once per text. ``longest``: pieces that the model takes, special ones included."""

    def __init__(self, tokenizer: Any, longest: int | None) -> None:
        if tokenizer is None:
            raise InputError("the model's tokenizer is needed: wrap(model, tokenizer)")
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("the tokenizer has no offsets: a fast tokenizer is needed (AutoTokenizer, use_fast=True)")
        self.tokenizer = tokenizer
        limits = [limit for limit in (longest, tokenizer.model_max_length) if limit and limit < MANY]
        self.longest = min(limits, default=None)

    def read(self, document: Written, tail: str = "") -> Reading:
        """Read pieces and their words; ``tail`` is put behind the text, its pieces are no word's and always there.

        Cut at the longest input, and by ourselves: the tokenizer would cut the tail, or the beginning if it is set so.
        """
        encoded = self.tokenizer(  # verbose: it would warn of long texts, which are cut here
            document.text + tail, return_offsets_mapping=True, return_special_tokens_mask=True, verbose=False
        )
        word = owners(document, encoded["offset_mapping"], encoded["special_tokens_mask"])
        stays = self._stays(word)
        ids = [number for number, stay in zip(encoded["input_ids"], stays, strict=True) if stay]
        word = [t for t, stay in zip(word, stays, strict=True) if stay]
        seen = len(document.words) if all(stays) else max(word, default=-1) + 1
        return Reading(document.words, document.text, ids, word, self._unknown(ids, word, len(document.words)), seen)

    def _stays(self, word: Sequence[int]) -> list[bool]:
        """Mark everything outside the text, and as many of its pieces as there is room for."""
        room = len(word) if self.longest is None else self.longest - sum(t < 0 for t in word)  # these always stay
        stays = []
        for t in word:
            stays.append(t < 0 or room > 0)
            room -= t >= 0
        return stays

    def _unknown(self, ids: Sequence[int], word: Sequence[int], count: int) -> list[bool]:
        pieces = zip(ids, word, strict=True)
        unknown = {t for number, t in pieces if number == self.tokenizer.unk_token_id}
        return [t in unknown for t in range(count)]


def owners(document: Written, offsets: Sequence[tuple[int, int]], special: Sequence[int]) -> list[int]:
    """Find the word of each piece's first non-space character; -1 for specials and what stands behind the text.

    A piece of no word (of spaces alone) belongs to the word before it, else to the one after it. Some tokenizers trim
    spaces off their offsets: then such a piece ends where it starts.
    """
    starts, text, words = [start for start, _ in spans(document)], document.text, []
    t = 0
    for (start, end), is_special in zip(offsets, special, strict=True):
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        outside = is_special or not starts or (end > len(text) and first >= len(text))
        while not outside and t + 1 < len(starts) and starts[t + 1] <= min(first, end - 1):
            t += 1
        words.append(-1 if outside else t)
    return words
