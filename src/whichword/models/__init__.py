"""Where models come from: a person writes a spelling, a loader opens it. A new kind of model is one more file.

Importing this loads no torch; loading a model does.
"""

# ruff: noqa: I001  (the order in which loaders are asked)
from whichword.models import loaders_foreign as own, loaders_foreign as hf_folder, loaders_foreign as by_function
from whichword.models.loaders import distinct_labels
from whichword.models.loaders import MODELS, Loader, files, identity, labelled, load

__all__ = [
    "MODELS",
    "Loader",
    "by_function",
    "distinct_labels",
    "files",
    "hf_folder",
    "identity",
    "labelled",
    "load",
    "own",
]
