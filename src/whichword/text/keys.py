"""Names of documents, made from their content."""

import hashlib
from collections import Counter
from collections.abc import Iterable


def content_key(*parts: str) -> str:
    """A document's name: a hash of its content (32 hexadecimal digits), the same in any order, run and machine."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))  # so that ("ab", "c") and ("a", "bc") differ
        digest.update(data)
    return digest.hexdigest()


def distinct_keys(keys: Iterable[str]) -> list[str]:
    """Repeated contents told apart: key, key-2, key-3, ..."""
    seen: Counter[str] = Counter()
    distinct = []
    for key in keys:
        seen[key] += 1
        distinct.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return distinct
