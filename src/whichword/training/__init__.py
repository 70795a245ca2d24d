"""Training the project's networks."""

from whichword.training.loop import Result, train
from whichword.training.settings import Training

__all__ = ["Result", "Training", "train"]
