"""Methods of other libraries, each through a small adapter, and a few of our own that are no part of the paper.

They are the family "contestants": ``-m all,contestants``. A library is loaded when its method is first asked.
"""

# ruff: noqa: I001  (the order of the methods in tables)
from whichword.extras.contestants import (
    captum as captum_vectors,
    captum as captum_words,
    others as shap_words,
    others as lime_words,
    ours as attention,
    ours as noise,
    ours as sentences,
)

__all__ = ["attention", "captum_vectors", "captum_words", "lime_words", "noise", "sentences", "shap_words"]
