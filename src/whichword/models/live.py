"""``live:NUMBER``: a model that is in memory already, for as long as somebody needs it under a spelling."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from whichword.models.loaders import MODELS

if TYPE_CHECKING:
    from whichword.model import Model

PREFIX = "live:"


@dataclass(frozen=True)
class LiveLoader:
    """Only this process can open it, so runs of a live model know no workers, and no later run resumes them."""

    typed: ClassVar[bool] = False
    shelf: dict[str, Model] = field(default_factory=dict)

    def opens(self, spelling: str) -> bool:
        return spelling in self.shelf

    def load(self, spelling: str) -> Model:
        return self.shelf[spelling]

    def identity(self, spelling: str) -> Mapping[str, str]:
        """Nothing is known of what it depends on, so it is like no other."""
        return {"in memory": spelling}

    def label(self, spelling: str) -> str:
        return self.shelf[spelling].about.name

    @contextmanager
    def spelled(self, model: Model) -> Iterator[str]:
        """A spelling for the model, which is forgotten afterwards."""
        spelling = f"{PREFIX}{secrets.token_hex(8)}"
        self.shelf[spelling] = model
        try:
            yield spelling
        finally:
            del self.shelf[spelling]


LIVE = LiveLoader()
MODELS.register("live", LIVE)
