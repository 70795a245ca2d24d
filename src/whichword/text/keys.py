"""Names of documents, made from their content."""

import hashlib
from collections import Counter
from collections.abc import Iterable


def content_key(*parts: str) -> str:
    """A document's name: a hash of its content (32 hexadecimal digits), the same in any order, run and machine."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    # with their lengths, so that ("ab", "c") and ("a", "bc") differ
    content = b"".join([_LENGTHS[len(data)] + data if len(data) < 64 else _length(data) + data for data in encoded])
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _length(data: bytes) -> bytes:
    return len(data).to_bytes(8, "big")


_LENGTHS = [length.to_bytes(8, "big") for length in range(64)]  # of words: there are many of them


def distinct_keys(keys: Iterable[str]) -> list[str]:
    """Repeated contents told apart: key, key-2, key-3, ..."""
    seen: Counter[str] = Counter()
    distinct = []
    for key in keys:
        seen[key] += 1
        distinct.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return distinct
