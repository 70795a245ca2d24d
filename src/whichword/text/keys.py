"""Names of documents, made from their content."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import chain


class _Lengths(dict[int, bytes]):
    """Eight bytes for a length, made when it first occurs."""

    def __missing__(self, length: int) -> bytes:
        self[length] = length.to_bytes(8, "big")
        return self[length]


_LENGTHS = _Lengths()


def content_key(*parts: str) -> str:
    """A document's name: a hash of its content (32 hexadecimal digits), the same in any order, run and machine."""
    encoded = list(map(str.encode if all(map(str.isascii, parts)) else _encoded, parts))
    # with their lengths, so that ("ab", "c") and ("a", "bc") differ; in C, since there is a part per word
    prefixes = map(_LENGTHS.__getitem__, map(len, encoded))
    content = b"".join(chain.from_iterable(zip(prefixes, encoded, strict=True)))
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _encoded(part: str) -> bytes:
    return part.encode("utf-8", "surrogatepass")


def distinct_keys(keys: Iterable[str]) -> list[str]:
    """Repeated contents told apart: key, key-2, key-3, ..."""
    seen: Counter[str] = Counter()
    distinct = []
    for key in keys:
        seen[key] += 1
        distinct.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return distinct
