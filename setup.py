"""The optional C kernels: built where a compiler is there; without them the same is computed by torch, slower."""

import sys

from setuptools import Extension, setup

FLAGS = [] if sys.platform == "win32" else ["-std=gnu11", "-O3", "-fno-math-errno", "-fno-trapping-math"]

kernels = Extension(
    "whichword.networks._recurrence",
    sources=["csrc/recurrence.c"],
    depends=[f"csrc/{name}.h" for name in ("adam", "cells", "logistic", "product", "relevance", "runs", "scan")],
    extra_compile_args=FLAGS,
    optional=True,
)

setup(ext_modules=[kernels])
