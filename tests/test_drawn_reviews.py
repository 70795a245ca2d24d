"""The small file of film reviews that docs/judges.md is computed with."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from experiments.judges import draw, drawn

from whichword.errors import InputError

REVIEWS = [
    {"id": f"train/{number}", "label": number % 2, "text": f"Film {number}:<br />it's \x85 " + "so " * 30}
    for number in range(2100)
]


def test_the_draw_depends_on_names_alone():
    rows = list(drawn(REVIEWS))
    assert rows == list(drawn(random.Random(0).sample(REVIEWS, len(REVIEWS))))
    counts = Counter((row["part"], row["label"]) for row in rows)
    assert counts == {
        (part, label): n for part, n in (("train", 750), ("heldout", 100), ("test", 125)) for label in "01"
    }
    assert len({row["words"][1] for row in rows}) == len(rows)  # nothing twice
    assert all(row["words"][:1] + row["words"][2:4] == ["film", ":", "it's"] for row in rows)
    assert all(len(row["words"]) == 20 for row in rows)


def test_the_file_and_what_is_wrong_with_it(tmp_path: Path):
    with pytest.raises(InputError, match="no such file"):
        draw(tmp_path, tmp_path / "out.jsonl")
    lines = [json.dumps(review, ensure_ascii=False) for review in REVIEWS]
    (tmp_path / "imdb_train.jsonl").write_text("\n".join(lines) + "\n", "utf8")
    draw(tmp_path, tmp_path / "out.jsonl")
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf8").split("\n")[:-1]] == list(
        drawn(REVIEWS)
    )
    with pytest.raises(InputError, match="975 are needed"):
        list(drawn(REVIEWS[:1000]))
