"""Training the project's networks. `Training`, the settings, needs no torch; `train` loads it when it is first used."""

from typing import TYPE_CHECKING, Any

from whichword.networks.training.settings import Training

if TYPE_CHECKING:
    from whichword.networks.training.loop import Trained, train
else:

    def __getattr__(name: str) -> Any:
        if name not in ("Trained", "train"):
            raise AttributeError(f"module 'whichword.networks.training' has no attribute {name!r}")
        from whichword.networks.training import loop

        return getattr(loop, name)


__all__ = ["Trained", "Training", "train"]
