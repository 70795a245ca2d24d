"""Methods of other libraries, each through a small adapter, and a few of our own that are no part of the paper.

They are the family "contestants": ``-m all,contestants``. A library is loaded when its method is first asked.
Begin at peer.py (what an adapter does), then captum.py.
"""

from whichword.extras.contestants import captum, others, ours

__all__ = ["captum", "others", "ours"]
