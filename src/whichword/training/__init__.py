"""Training the project's networks."""

from whichword.training.loop import Trained, train
from whichword.training.settings import Training

__all__ = ["Trained", "Training", "train"]
