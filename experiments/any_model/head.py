"""An encoder with a head for a corpus's classes, as a folder for hf:FOLDER.

    python -m experiments.any_model.head ENCODER OUT [--corpus docstrings] [--documents 1200]

The encoder stays as it is: its pooled answer to each text is computed once, and a linear layer is fitted to that.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.corpora import read_corpus
from whichword.types import Document

BATCH = 16
STEPS, RATE, DECAY = 300, 0.02, 1e-4


def pooled(module: Any, tokenizer: Any, documents: Sequence[Document], longest: int = 256) -> Tensor:
    """What the head reads, [n, E]."""
    rows = []
    for start in range(0, len(documents), BATCH):
        texts = [document.text for document in documents[start : start + BATCH]]
        pieces = tokenizer(texts, padding=True, truncation=True, max_length=longest, return_tensors="pt")
        with torch.no_grad():
            rows.append(module.base_model(**pieces).pooler_output)
    return torch.cat(rows)


def fit(head: torch.nn.Linear, features: Tensor, labels: Tensor) -> None:
    """Logistic regression from zero, so that no seed has a part in it."""
    for parameter in head.parameters():
        torch.nn.init.zeros_(parameter)
    optimizer = torch.optim.Adam(head.parameters(), lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = functional.cross_entropy(head(features), labels) + DECAY * head.weight.square().sum()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corpus", default="docstrings")
    parser.add_argument("--documents", type=int, default=1200, help="of the training part, at the most")
    chosen = parser.parse_args()
    corpus = read_corpus(chosen.corpus)
    module, tokenizer = loaded(chosen.encoder, corpus.classes)
    parts = {"train": corpus.train[: chosen.documents], "test": corpus.test[: chosen.documents // 4]}
    features = {part: pooled(module, tokenizer, documents) for part, documents in parts.items()}
    labels = {part: torch.tensor([corpus.classes.index(d.label) for d in parts[part]]) for part in parts}
    fit(module.classifier, features["train"], labels["train"])
    for part in parts:
        right = (module.classifier(features[part]).argmax(1) == labels[part]).float().mean()
        print(f"{part}: {right:.3f} of {len(parts[part])} documents")
    module.save_pretrained(chosen.out)
    tokenizer.save_pretrained(chosen.out)


def loaded(encoder: Path, classes: Sequence[str]) -> tuple[Any, Any]:
    """The encoder with an untrained head, and its tokenizer."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    numbers = {name: k for k, name in enumerate(classes)}
    module = AutoModelForSequenceClassification.from_pretrained(
        encoder, local_files_only=True, id2label=dict(enumerate(classes)), label2id=numbers
    )
    return module.eval(), AutoTokenizer.from_pretrained(encoder, local_files_only=True)


if __name__ == "__main__":
    main()
