"""Is a table one of ours? A run may come from anywhere.

A checksum says that a file is what its receipt vouches for, not that whoever made the two made a table that can be
read: columns of their types, and a value where one is needed.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow
import pyarrow.compute


@dataclass(frozen=True)
class Form:
    """A schema, columns that may not be there, and columns in which a value may be missing."""

    schema: Any
    later: Collection[str] = ()
    empty: Collection[str] = ()

    def trouble(self, table: Any) -> str | None:
        """What is not as it should be, in words; None: nothing."""
        return next(self._troubles(table), None)

    def _troubles(self, table: Any) -> Iterator[str]:
        names = set(table.column_names)
        if not set(self.schema.names) - set(self.later) <= names <= set(self.schema.names) or len(names) < len(
            table.column_names
        ):
            yield f"its columns are {', '.join(table.column_names)[:80]}"
        for field in (field for field in self.schema if field.name in names):
            column = table.column(field.name)
            if not column.type.equals(field.type):
                yield f"{field.name} is of the type {column.type}"
            elif field.name not in self.empty and _lacking(column):
                yield f"{field.name} lacks values"


def _lacking(column: Any) -> bool:
    """Whether a value is missing, or one inside a list of texts; a number that is missing in a list is read as NaN."""
    if column.null_count:
        return True
    texts = pyarrow.types.is_list(column.type) and pyarrow.types.is_string(column.type.value_type)
    return bool(texts and column.combine_chunks().flatten().null_count)


def rows_trouble(rows: Any) -> str | None:
    """``rows`` are the numbers 0 to n - 1, in any order."""
    numbers = np.asarray(rows)
    return None if np.array_equal(np.sort(numbers), np.arange(len(numbers))) else "row does not hold every row once"


def forms_trouble(table: Any, forms: Sequence[Form]) -> str | None:
    """None where it has one of the forms."""
    troubles = [form.trouble(table) for form in forms]
    return None if None in troubles else troubles[0]


def prediction_troubles(table: Any, classes: Sequence[str]) -> Iterator[str]:
    """A score per class, of the words no more seen than there are; nothing where the model gave no answer."""
    predicted = table.column("predicted")
    answered = predicted.is_valid().to_numpy()
    if not set(predicted.unique().drop_null().to_pylist()) <= set(classes):
        yield "predicted is no class of the model"
    if not np.array_equal(_lengths(table, "scores"), len(classes) * answered):
        yield "scores are not one per class"
    seen = table.column("seen").to_numpy()
    if (seen < 0).any() or (seen > _lengths(table, "unknown")).any():
        yield "seen is not a number of words"


def _lengths(table: Any, name: str) -> Any:
    return pyarrow.compute.list_value_length(table.column(name)).to_numpy()
