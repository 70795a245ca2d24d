"""Names of documents, made from their content."""

import hashlib
from collections import Counter
from collections.abc import Iterable


class _Prefixed(dict[str, bytes]):
    """A part of a document with its length before it, made when it first occurs: most words occur again."""

    MOST = 200_000  # parts that are remembered; then it begins anew
    LONGEST = 40  # characters of such a part: sentences do not occur again

    def __missing__(self, part: str) -> bytes:
        encoded = part.encode("utf-8", "surrogatepass")
        prefixed = len(encoded).to_bytes(8, "big") + encoded
        if len(part) <= self.LONGEST:
            if len(self) >= self.MOST:
                self.clear()
            self[part] = prefixed
        return prefixed


_PREFIXED = _Prefixed()


def content_key(*parts: str) -> str:
    """A document's name: a hash of its content (32 hexadecimal digits), the same in any order, run and machine."""
    # with their lengths, so that ("ab", "c") and ("a", "bc") differ; in C, since there is a part per word
    return hashlib.blake2b(b"".join(map(_PREFIXED.__getitem__, parts)), digest_size=16).hexdigest()


def distinct_keys(keys: Iterable[str]) -> list[str]:
    """Repeated contents told apart: key, key-2, key-3, ..."""
    seen: Counter[str] = Counter()
    distinct = []
    for key in keys:
        seen[key] += 1
        distinct.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return distinct
