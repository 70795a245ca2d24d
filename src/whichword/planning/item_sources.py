"""What the items of a corpus that is not held in memory are made from, so that a resumed start need not make them all.

Going through such a corpus takes hours where it has a hundred million documents. A part of a corpus may have a
``fingerprint``: a text that differs whenever the settings or the data differ that its documents are a function of. The
code is hashed here. Where everything is as it was and the items' file is whole, the file is believed, after its first
items were made again and compared.
"""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import pyarrow

from whichword.games import Game
from whichword.models.loaders import foreign_code
from whichword.planning import item_measures
from whichword.planning.item_measures import ItemMeasures
from whichword.runs.canonical import canonical, item_bytes, sha256
from whichword.runs.item_files import ItemFile
from whichword.runs.item_rows import items_of
from whichword.runs.run import items_trouble
from whichword.runs.source_code import SOURCE, items_code
from whichword.runs.store import Store
from whichword.types import Document, Item

CHECKED = 1000  # items that are made again and compared


@dataclass(frozen=True)
class ItemSource:
    """A game on a part of a corpus, as it was spelled."""

    corpus: str
    game: str
    seed: int
    mapping: Mapping[str, str]

    def hash(self, documents: Iterable[Document], game: Game) -> str | None:
        """Over all that the items are a function of; None where the documents do not say what they depend on."""
        fingerprint = getattr(documents, "fingerprint", None)
        if fingerprint is None:
            return None
        spelled = [self.corpus, self.game, self.seed, dict(self.mapping), str(fingerprint)]
        code = [items_code(), foreign_code(documents), foreign_code(game), pyarrow.__version__]
        return sha256(canonical([spelled, code]))


def source_name(title: str) -> str:
    """Under which a run's identity has the hash."""
    return f"{SOURCE}{title}"


def stored_measures(store: Store, set_id: str, title: str, source: str, items: Iterable[Item]) -> ItemMeasures | None:
    """What was measured when the run was begun; None where anything is not as it was then."""
    planned = store.plan.identity
    item_set = next((entry for entry in store.plan.sets if entry.id == set_id), None)
    hashed = planned.get(f"corpus {title}")
    if item_set is None or hashed is None or planned.get(source_name(title)) != source:
        return None
    if items_trouble(store, set_id):
        return None
    file = ItemFile(store.folder / item_set.file)
    lengths = array("q", file.lengths.tobytes())
    if len(lengths) != item_set.items or not _begins_alike(file, item_set.items, items):
        return None
    return ItemMeasures(item_set.available, hashed, item_set.sha256, lengths)


def _begins_alike(file: ItemFile, size: int, items: Iterable[Item]) -> bool:
    """The first items of the set's own order are in the first window of the file."""
    stop = min(item_measures.WINDOW, size)
    count = min(CHECKED, stop)
    rows = file.rows[:stop]
    first = file.table(0, stop).filter(pyarrow.array(rows < count))
    stored = dict(zip(rows[rows < count].tolist(), items_of(first), strict=True))
    again = list(islice(items, count))
    return len(again) == len(stored) == count and all(
        item_bytes(stored[row]) == item_bytes(item) for row, item in enumerate(again)
    )
