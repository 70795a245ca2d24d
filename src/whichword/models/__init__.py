"""Where models come from: a person writes a spelling, a loader opens it. A new kind of model is one more file.

    takes      a folder, "hf:folder", "module:function", or a live object (``wrap``)
    gives      a Model of one of the four kinds of `whichword.model`
    begin at   loaders.py (what a loader is), wrapping.py (live objects), module.py (any torch module)

Importing this loads no torch; loading a model does.
"""

from whichword.models import loaders_foreign
from whichword.models.loaders import MODELS, Loader, distinct_labels, files, identity, labelled, load

__all__ = [
    "MODELS",
    "Loader",
    "distinct_labels",
    "files",
    "identity",
    "labelled",
    "load",
    "loaders_foreign",
]
