"""Equal shares: segments of the same number of words, each from a document of another class."""

from collections.abc import Iterator, Sequence

from whichword.text.places import head
from whichword.types import Document, Text


def equal_segments(documents: Sequence[Document], count: int) -> Iterator[list[tuple[Text, str, str]]]:
    """Groups of ``count`` (beginning of a document, label, key), all classes of a group different, all equally long.

    Documents are taken in their order: each joins the first open group that lacks its class. What is left over in
    groups that never fill is left out.
    """
    waiting: list[list[Document]] = []
    for document in (document for document in documents if document.words):
        group = next((group for group in waiting if document.label not in {d.label for d in group}), None)
        if group is None:
            waiting.append(group := [])
        group.append(document)
        if len(group) == count:
            waiting.remove(group)
            yield _cut(group)


def _cut(group: Sequence[Document]) -> list[tuple[Text, str, str]]:
    size = min(len(document.words) for document in group)
    return [(Text(document.words[:size], head(document, size)), document.label, document.key) for document in group]
