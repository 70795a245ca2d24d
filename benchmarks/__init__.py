"""Ours and the peers side by side: ``make bench``, or ``python -m benchmarks`` in the repository.

Everything runs on one thread. A library that has started its threads cannot be told so any more, which is why this
stands before all other imports: an unpinned OpenBLAS has made numpy peers look fifty times slower than they are.
"""

import os
import sys

if "numpy" in sys.modules or "torch" in sys.modules:
    raise RuntimeError("benchmarks must be imported before numpy and torch: threads are pinned here")
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[_name] = "1"
