"""Which word made the classifier say that, and which explanation method can be trusted to tell?"""

from whichword.api import account, explain
from whichword.corpora import CORPORA
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.methods import METHODS
from whichword.models.wrapping import wrap
from whichword.networks import NETWORKS, Network
from whichword.networks.checkpoint import load
from whichword.version import __version__

__all__ = [
    "CORPORA",
    "METHODS",
    "NETWORKS",
    "Explanation",
    "InputError",
    "Network",
    "__version__",
    "account",
    "explain",
    "load",
    "wrap",
]
