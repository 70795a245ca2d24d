"""Which class of a model is a corpus's label, where the two use other names: ``neg=0,pos=1``.

Documents are relabelled before a game sees them, so that games, hits and slices speak of the model's classes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from whichword.errors import InputError
from whichword.types import CORPUS_LABEL, Corpus, Document


def read_mapping(texts: Sequence[str]) -> dict[str, str]:
    """``neg=0,pos=1``, in one text or several, as label -> class."""
    mapping: dict[str, str] = {}
    for pair in (pair.strip() for text in texts for pair in text.split(",")):
        label, equals, target = (part.strip() for part in pair.partition("="))
        if not label or not equals or not target:
            raise InputError(f"classes must be written LABEL=CLASS,LABEL=CLASS, not {pair!r}")
        if mapping.setdefault(label, target) != target:
            raise InputError(f"classes: the label {label!r} is mapped to {mapping[label]!r} and to {target!r}")
    return mapping


def check_mapping(mapping: Mapping[str, str], corpus: Corpus, label: str, classes: Sequence[str]) -> None:
    """`InputError` unless every name in the mapping exists and, if there is one, no label is left without a class."""
    theirs = f"model {label} (it has: {', '.join(classes)})"
    for name, target in mapping.items():
        if name not in corpus.classes:
            raise InputError(
                f"classes: corpus {corpus.name} has no label {name!r}; it has: {', '.join(corpus.classes)}"
            )
        if target not in classes:
            raise InputError(f"classes: {target!r} is no class of {theirs}")
    for name in corpus.classes if mapping else ():
        if name not in mapping and name not in classes:
            raise InputError(f"classes: {name!r} of corpus {corpus.name} is mapped to nothing and no class of {theirs}")


def how_to_map(labels: Sequence[str]) -> str:
    """What to write where names differ."""
    pairs = ",".join(f"{label}=CLASS" for label in labels[:2]) + (",..." if len(labels) > 2 else "")
    return f"say which is which with --classes {pairs} (in a spec: classes = {{...}})"


def relabelled(corpus: Corpus, mapping: Mapping[str, str]) -> Corpus:
    """The corpus in the class names that its labels are mapped to."""
    if not mapping:
        return corpus
    classes = tuple(dict.fromkeys(mapping.get(name, name) for name in corpus.classes))
    train, heldout, test = (_with_labels(part, mapping) for part in (corpus.train, corpus.heldout, corpus.test))
    return replace(corpus, classes=classes, train=train, heldout=heldout, test=test)


def _with_labels(documents: Sequence[Document], mapping: Mapping[str, str]) -> tuple[Document, ...]:
    """A document says by a fact what the corpus calls it: games may know that name and not the new one."""
    return tuple(
        replace(document, label=mapping[document.label], facts={**document.facts, CORPUS_LABEL: document.label})
        if document.label in mapping
        else document
        for document in documents
    )
