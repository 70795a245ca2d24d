"""JSON with one spelling, and checksums: what names a plan, a file, a judgement by its content."""

import hashlib
import json

from whichword.types import Corpus, Item

SELDOM = ("sources", "truth", "excluded", "question")  # fields that came later: items without them keep their hashes


def canonical(body: object) -> bytes:
    """JSON with one spelling: sorted keys, no spaces, UTF-8."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf8", "surrogatepass")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def item_bytes(item: Item) -> bytes:
    """Everything that is known about an item."""
    content = {**vars(item), "facts": dict(item.facts), "truth": dict(item.truth)}
    for name in SELDOM:  # as it was hashed before items could have them
        if not content[name]:
            del content[name]
    return canonical(content)


def record_hash(corpus: Corpus) -> str:
    """Over the name, the classes and what the corpus says of itself."""
    return sha256(canonical([corpus.name, corpus.classes, dict(corpus.record)]))
