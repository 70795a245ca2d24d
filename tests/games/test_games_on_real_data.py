"""The agreement corpus as it lies on disk, read by ten plain lines: what a plain count gives, the game gives."""

import os
from pathlib import Path

import numpy as np
import pytest

from whichword.games import AgreementGame, columns
from whichword.types import Document


@pytest.mark.slow
@pytest.mark.data
def test_last_and_random_on_the_agreement_corpus():
    folder = os.environ.get("WHICHWORD_DATA")
    if not folder:
        pytest.skip("WHICHWORD_DATA is not set")
    documents = []
    with (Path(folder) / "wiki_agreement.tsv").open(encoding="utf-8", newline="\n") as lines:
        names = next(lines).rstrip("\n").split("\t")
        for line in lines:
            row = dict(zip(names, line.rstrip("\n").split("\t"), strict=True))
            verb = int(row["verb_index"]) - 1
            words, tags = (tuple(row[name].split(" ")[:verb]) for name in ("sentence", "pos_sentence"))
            subject = int(row["subj_index"]) - 1
            documents.append(Document(str(len(documents)), words, row["verb_pos"], tags=tags, subject=subject))
    game = AgreementGame()
    items = game.items(documents, seed=0)
    lengths = np.array([len(item.words) for item in items])
    last = np.zeros(lengths.sum())
    last[np.cumsum(lengths) - 1] = 1
    points = columns.point(last, lengths)
    positions = columns.rewarded(((item, item.gold) for item in items), game)
    target, feat = positions["hit_target"], positions["hit_feat_correct"]
    assert np.mean(columns.hits(points, target)) == pytest.approx(0.677, abs=5e-4)
    assert np.mean(columns.hits(points, feat)) == pytest.approx(0.763, abs=5e-4)
    assert np.mean(columns.shares(lengths, target)) == pytest.approx(0.288, abs=5e-4)
    assert np.mean(columns.shares(lengths, feat)) == pytest.approx(0.360, abs=5e-4)
    assert columns.count(columns.hits(points, positions["hit_feat_wrong"])).discarded == 274_177
