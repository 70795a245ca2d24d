"""Training the project's networks. `Training`, the settings, needs no torch; `train` loads it when it is first used."""

from typing import TYPE_CHECKING, Any

from whichword.training.settings import Training

if TYPE_CHECKING:
    from whichword.training.loop import Trained, train
else:

    def __getattr__(name: str) -> Any:
        if name not in ("Trained", "train"):
            raise AttributeError(f"module 'whichword.training' has no attribute {name!r}")
        from whichword.training import loop

        return getattr(loop, name)


__all__ = ["Trained", "Training", "train"]
