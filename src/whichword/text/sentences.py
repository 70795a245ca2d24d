"""Sentences by NLTK's Punkt."""

from functools import cache
from typing import Any

from whichword.text.plain import plain_members


@cache
def _punkt() -> tuple[str, Any]:
    """(name, tokenizer): trained where NLTK's data is installed. NLTK is loaded on first use: it takes a second."""
    from nltk.tokenize.punkt import PunktLanguageVars, PunktSentenceTokenizer, PunktToken, PunktTokenizer

    language = PunktLanguageVars()
    language.word_tokenize("")
    language.period_context_re()  # both make their patterns on first use
    for name, pattern in plain_members(language, "_re_").items():
        setattr(language, name, pattern)
    token = type("Token", (PunktToken,), {"__slots__": (), **plain_members(PunktToken, "_RE_")})
    try:
        name, trained = "punkt_tab english", PunktTokenizer("english")._params
    except LookupError:
        name, trained = "punkt untrained", None
    return name, PunktSentenceTokenizer(trained, lang_vars=language, token_cls=token)


def sentence_model() -> str:
    """Which Punkt splits sentences: the trained English one where NLTK's data is installed, else the untrained."""
    return _punkt()[0]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The [start, end) of each sentence, without the white space around it; together they cover all other text."""
    begins = [0, *(start for start, _ in _punkt()[1].span_tokenize(text) if start)]
    spans = (_stripped(text, start, end) for start, end in zip(begins, [*begins[1:], len(text)], strict=True))
    return [(start, end) for start, end in spans if start < end]


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
