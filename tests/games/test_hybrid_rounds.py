"""More hybrid documents from the same texts, and what that does to the intervals."""

import numpy as np
import pytest

from whichword.errors import InputError
from whichword.games import GAMES
from whichword.runs.items import ItemFile, items_bytes
from whichword.scoring.outcomes import Judged, outcomes_of
from whichword.statistics import leads
from whichword.types import Document

DOCUMENTS = [
    Document(f"d{n:02d}", tuple(f"w{n}{i}" for i in range(6)), "ab"[n % 2], starts=(0, 2, 4)) for n in range(20)
]


def played(game: str):
    return GAMES[game].items(DOCUMENTS, seed=3)


def test_the_first_round_is_the_game_as_it_was():
    single, many = played("hybrid[sentences=5]"), played("hybrid[sentences=5,rounds=4]")
    assert len(many) == 4 * len(single)
    assert [item.words for item in many[: len(single)]] == [item.words for item in single]
    assert len({item.key for item in many}) == len(many)
    assert len({item.words for item in many}) > 3 * len(single)


def test_items_name_their_documents_where_they_share_them():
    assert all(item.sources == () for item in played("hybrid[sentences=5]"))
    for item in played("hybrid[sentences=5,rounds=2]"):
        owners = {f"d{int(word[1:-1]):02d}" for word in item.words}
        assert set(item.sources) == owners
        assert len(item.sources) == len(owners)


def test_every_round_holds_every_sentence_once():
    items = played("hybrid[sentences=5,rounds=3]")
    words = sorted(word for item in items for word in item.words)
    assert words == sorted(3 * [word for document in DOCUMENTS for word in document.words])


def test_sources_are_stored(tmp_path):
    for game in ("hybrid", "hybrid[rounds=2]"):
        path = tmp_path / "items.parquet"
        path.write_bytes(items_bytes(played(game)))
        assert tuple(ItemFile(path).in_order()) == tuple(played(game))


def test_intervals_go_by_documents_not_by_hybrid_ones():
    """Hits that hang on one text: five rounds repeat the same luck, and the variance must not shrink fivefold."""
    lucky = {f"d{n:02d}" for n in range(0, 20, 3)}

    def variance(rounds: int) -> float:
        items = played(f"hybrid[sentences=2,rounds={rounds}]" if rounds > 1 else "hybrid[sentences=2]")
        hits = np.array([[len(lucky & {f"d{int(w[1:-1]):02d}" for w in item.words}) / 2, 0.5] for item in items])
        keys = tuple(item.key for item in items)
        flags = np.zeros(hits.shape, bool)
        judged = Judged(
            ("lrp", "random"),
            ("hybrid",),
            keys,
            keys,
            flags.astype(int),
            flags,
            flags,
            {"hybrid": hits},
            {"hybrid": 0.5},
        )
        return float(leads(outcomes_of(judged, items)).variance[0, 1])

    assert variance(5) > 0.5 * variance(1)


def test_rounds_are_counted_from_one():
    with pytest.raises(InputError, match="rounds must be at least 1"):
        GAMES["hybrid[rounds=0]"]
