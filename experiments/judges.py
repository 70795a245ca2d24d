"""``python -m experiments.judges FOLDER``: the film reviews of docs/judges.md, from imdb_train.jsonl in FOLDER.

A draw by the reviews' names, so that everybody draws the same: 750 of each class to train with, 100 to hold out, 125 to
test, each cut to its first 20 words, in the folder where the command is given.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from whichword.base.files import write
from whichword.cli.app import main
from whichword.errors import InputError

PARTS = {"train": 750, "heldout": 100, "test": 125}  # reviews per class
WORDS = 20
TOKEN = re.compile(r"[\w']+|[^\w\s]")

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def draw(
    data: Annotated[Path, typer.Argument(help="The folder that holds imdb_train.jsonl.")],
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("reviews.jsonl"),
) -> None:
    """Write a small file of film reviews."""
    path = data / "imdb_train.jsonl"
    if not path.is_file():
        raise InputError(f"{path}: no such file; it holds a review per line, with id, label and text")
    with path.open(encoding="utf8", newline="\n") as lines:  # str.splitlines would cut at signs inside of reviews
        reviews = [json.loads(line) for line in lines]
    write(out, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in drawn(reviews)).encode())


def drawn(reviews: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The reviews of each part, the classes by turns."""
    ordered = sorted(reviews, key=lambda review: sha256(str(review["id"]).encode()).digest())
    classes = [[review for review in ordered if review["label"] == label] for label in (0, 1)]
    least, needed = min(map(len, classes)), sum(PARTS.values())
    if least < needed:
        raise InputError(f"a class has {least} reviews, and {needed} are needed")
    parts = [part for part, count in PARTS.items() for _ in range(count)]
    for part, *pair in zip(parts, *(reviews[:needed] for reviews in classes), strict=True):
        yield from (cut(review, part) for review in pair)


def cut(review: Mapping[str, Any], part: str) -> dict[str, Any]:
    words = TOKEN.findall(review["text"].replace("<br />", " ").lower())[:WORDS]
    return {"words": words, "label": str(review["label"]), "part": part}


if __name__ == "__main__":
    main(app)
