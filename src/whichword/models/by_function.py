"""``package.module:function``: a function of yours that returns a model, or something that `wrap` takes alone."""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from whichword.errors import InputError
from whichword.models.loaders import MODELS, foreign_code

if TYPE_CHECKING:
    from whichword.model import Model

_SPELLING = re.compile(r"(?P<module>[A-Za-z_]\w*(\.[A-Za-z_]\w*)*):(?P<function>[A-Za-z_]\w*)")


@MODELS.register("function")
@dataclass(frozen=True)
class FunctionLoader:
    """The module is imported from the current folder or from what is installed."""

    form: ClassVar[str] = "package.module:function"

    def opens(self, spelling: str) -> bool:
        match = _SPELLING.fullmatch(spelling)
        return match is not None and _is_there(match["module"].split(".")[0])

    def load(self, spelling: str) -> Model:
        from whichword.models.wrapping import wrap

        function = _function(spelling)
        try:
            made = function()
        except InputError:
            raise  # ours, and said in one line already
        except Exception as error:  # somebody else's code: --debug shows where
            raise InputError(f"{spelling}: the function failed: {type(error).__name__}: {error}") from error
        return wrap(made)

    def identity(self, spelling: str) -> Mapping[str, str]:
        """The function's own file, and the weights of what it returns, where it has any."""
        model: Any = self.load(spelling)
        module = getattr(model, "module", None)
        weights = {} if module is None else {"weights": _hashed(module)}
        return {"function": foreign_code(_function(spelling)), **weights}

    def label(self, spelling: str) -> str:
        return spelling.rpartition(":")[2]


def _is_there(package: str) -> bool:
    """Whether something of this name could be imported."""
    return (Path.cwd() / package).is_dir() or Path(f"{package}.py").is_file() or find_spec(package) is not None


def _function(spelling: str) -> Callable[[], Any]:
    match = _SPELLING.fullmatch(spelling)
    assert match is not None
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(match["module"])
    except Exception as error:  # a module that is not there, or whatever somebody else's code does
        raise InputError(f"{spelling}: cannot be imported: {error or type(error).__name__}") from error
    function = getattr(module, match["function"], None)
    if not callable(function):
        raise InputError(f"{spelling}: {match['module']} has no function {match['function']!r}")
    return function  # type: ignore[no-any-return]


def _hashed(module: Any) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        digest.update(name.encode() + tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
