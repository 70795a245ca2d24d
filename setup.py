"""The optional C kernels: two shared libraries, where there is a compiler; without them torch does the same, slower."""

import sys
from glob import glob

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FLAGS = [] if sys.platform == "win32" else ["-std=gnu11", "-O3", "-fno-math-errno", "-fno-trapping-math"]


class BuildLibrary(build_ext):
    """Called by ctypes, so it bears no version of Python in its name and has no entry for its interpreter."""

    def get_ext_filename(self, fullname: str) -> str:
        return f"{fullname.replace('.', '/')}.so"

    def get_export_symbols(self, ext: Extension) -> list[str]:
        return list(ext.export_symbols)


def library(name: str, source: str) -> Extension:
    headers = sorted(glob("csrc/*.h"))
    return Extension(name, [source], depends=[*headers, "csrc/kernels.c"], extra_compile_args=FLAGS, optional=True)


kernels = [library("whichword._kernels", "csrc/kernels.c"), library("whichword._kernels_wide", "csrc/wide.c")]

setup(ext_modules=kernels, cmdclass={"build_ext": BuildLibrary})
