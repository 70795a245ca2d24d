"""The optional C kernels: a shared library, built where a compiler is there; without it torch does the same, slower."""

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


kernels = Extension(
    "whichword._kernels",
    sources=["csrc/kernels.c"],
    depends=sorted(glob("csrc/*.h")),
    extra_compile_args=FLAGS,
    optional=True,
)

setup(ext_modules=[kernels], cmdclass={"build_ext": BuildLibrary})
