"""The loaders of models: our folders, live models, Hugging Face's folders, functions.

    FOLDER                    ``config.json``, ``vocabulary.txt``, ``weights.safetensors`` (docs/checkpoint.md)
    live:NUMBER               a model that is in memory already, for as long as it is needed under a spelling
    hf:FOLDER, lm:FOLDER      models that Hugging Face's `save_pretrained` wrote, with their tokenizers
    package.module:function   a function of yours that returns a model, or something that `wrap` takes alone

Nothing is downloaded, and no code of a saved model's is executed. ``hf:FOLDER[label=toxic]`` asks about one of several
independent labels, ``lm:FOLDER[score=logit]`` about the logit itself.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from whichword.base import files
from whichword.base.runtime import install_command
from whichword.errors import FileError, InputError, ModelFailedError
from whichword.models.loaders import MODELS, foreign_code
from whichword.registry import with_settings

if TYPE_CHECKING:
    from whichword.model import Model

FILES: Mapping[str, str] = {
    "config": "config.json",
    "vocabulary": "vocabulary.txt",
    "weights": "weights.safetensors",
}


@MODELS.register("own")
@dataclass(frozen=True)
class OwnFolder:
    """What `Network.save` and `whichword train` write."""

    form: ClassVar[str] = "a folder that whichword train wrote"

    def opens(self, spelling: str) -> bool:
        return any((Path(spelling) / name).is_file() for name in FILES.values())

    def load(self, spelling: str) -> Model:
        from whichword.networks.checkpoint import load  # torch comes with the first model that is loaded

        return load(spelling)

    def identity(self, spelling: str) -> dict[str, str]:
        """Hash every file, and the code of the encoder where it is a plug-in's."""
        data = {part: _bytes(Path(spelling), name) for part, name in FILES.items()}
        hashes = {part: hashlib.sha256(content).hexdigest() for part, content in data.items()}
        return hashes | _network_code(data["config"])

    def label(self, spelling: str) -> str:
        return Path(spelling).absolute().name

    def files(self, spelling: str) -> tuple[str, list[str]]:
        """Name the files without the state of the training."""
        return spelling, list(FILES.values())


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return files.read(folder / name)
    except OSError as error:
        raise FileError(f"{folder} is not a saved network: {name}: {error.strerror}") from None


def _network_code(config: bytes) -> dict[str, str]:
    from whichword.networks import NETWORKS

    try:
        kind = json.loads(config)["kind"]
    except (ValueError, LookupError, TypeError):
        return {}  # no network; loading it says why
    code = foreign_code(NETWORKS[kind]) if kind in NETWORKS else ""
    return {f"network {kind}": code} if code else {}


PREFIX = "live:"


@dataclass(frozen=True)
class LiveLoader:
    """Only this process can open it, so runs of a live model know no workers, and no later run resumes them."""

    typed: ClassVar[bool] = False  # no message offers a spelling that cannot be typed
    shelf: dict[str, Model] = field(default_factory=dict)

    def opens(self, spelling: str) -> bool:
        return spelling in self.shelf

    def load(self, spelling: str) -> Model:
        return self.shelf[spelling]

    def identity(self, spelling: str) -> Mapping[str, str]:
        """Be like no other: nothing is known of what a live model depends on."""
        return {"in memory": spelling}

    def label(self, spelling: str) -> str:
        return self.shelf[spelling].about.name

    @contextmanager
    def spelled(self, model: Model) -> Iterator[str]:
        """Lend the model a spelling, which is forgotten afterwards."""
        spelling = f"{PREFIX}{secrets.token_hex(8)}"
        self.shelf[spelling] = model
        try:
            yield spelling
        finally:
            del self.shelf[spelling]


LIVE = LiveLoader()
MODELS.register("live", LIVE)


LIBRARIES = ("transformers", "tokenizers", "safetensors")  # those that compute: their versions are part of the identity
CAUSAL, MASKED = "AutoModelForCausalLM", "AutoModelForMaskedLM"


@dataclass(frozen=True)
class ClassifierSettings:
    """What may stand in the brackets of ``hf:FOLDER[...]``."""

    label: str = ""
    dtype: str = "float32"


@dataclass(frozen=True)
class LanguageSettings:
    """What may stand in the brackets of ``lm:FOLDER[...]``."""

    score: str = "difference"
    dtype: str = "float32"


class _Folder:
    """A prefix, a folder, and settings in brackets."""

    prefix: ClassVar[str]
    settings: ClassVar[Any]

    def opens(self, spelling: str) -> bool:
        return spelling.startswith(self.prefix)

    def identity(self, spelling: str) -> Mapping[str, str]:
        """Hash every file of the folder; add the settings, and the versions of the libraries that compute."""
        folder, settings = self._parts(spelling)
        hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in _names(folder)}
        return {**hashes, "settings": str(settings), **{name: metadata.version(name) for name in LIBRARIES}}

    def label(self, spelling: str) -> str:
        return self._parts(spelling)[0].absolute().name

    def files(self, spelling: str) -> tuple[str, list[str]]:
        place = spelling.removeprefix(self.prefix).partition("[")[0]
        return place, _names(Path(place))

    def _parts(self, spelling: str) -> tuple[Path, Any]:
        place, bracket, settings = spelling.removeprefix(self.prefix).partition("[")
        folder = Path(place)
        if not (folder / "config.json").is_file():
            raise FileError(f"{spelling}: {folder} holds no saved model (config.json is missing)")
        return folder, with_settings(
            self.settings, settings.removesuffix("]"), self.prefix
        ) if bracket else self.settings


def _names(folder: Path) -> list[str]:
    """List every file of the folder, sorted."""
    return [str(path.relative_to(folder)) for path in sorted(folder.rglob("*")) if path.is_file()]


def _pretrained(folder: Path, kind: str, dtype: str) -> Any:
    """Load a model or tokenizer of the folder, by the name of its Auto class; errors in one line."""
    try:
        import transformers
    except ImportError as missing:
        raise InputError(f"hf: and lm: need transformers: {install_command('huggingface')}") from missing
    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}  # no downloads, no foreign code
    if kind != "AutoTokenizer":
        options |= {"dtype": dtype, "output_loading_info": True}  # for `_complete`
    try:
        with _without_bars(transformers.utils.logging):
            loaded = getattr(transformers, kind).from_pretrained(folder, **options)
    except Exception as error:  # each format of weights has errors of its own, and they share no base
        line = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise FileError(f"{folder}: {line}") from None
    return _saved(loaded, folder) if kind == "AutoTokenizer" else _complete(loaded[0], loaded[1], folder)


@contextmanager
def _without_bars(logging: Any) -> Iterator[None]:
    """Switch off progress bars, which would be drawn into ours; the user's own setting is left as it was."""
    before = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            logging.enable_progress_bar()


def _saved(tokenizer: Any, folder: Path) -> Any:
    """Return a tokenizer that was in the folder: without its files, some libraries make one that knows no word."""
    names = {"tokenizer.json", *getattr(tokenizer, "vocab_files_names", {}).values()}
    if not any((folder / name).is_file() for name in names):
        raise FileError(f"{folder} holds no tokenizer ({', '.join(sorted(names))})")
    return tokenizer


def _complete(module: Any, told: Mapping[str, Any], folder: Path) -> Any:
    """Return a module all of whose weights were in the folder: others would be random, unnoticed."""
    if missing := sorted(map(str, told["missing_keys"])):
        reason = f"{len(missing)} weights of a {type(module).__name__} are not in it ({missing[0]})"
        raise FileError(f"{folder}: {reason}: was it saved without its head?")
    return module


@MODELS.register("hf")
@dataclass(frozen=True)
class ClassifierFolder(_Folder):
    """A model for sequence classification."""

    prefix: ClassVar[str] = "hf:"
    form: ClassVar[str] = "hf:FOLDER"
    settings: ClassVar[Any] = ClassifierSettings()

    def load(self, spelling: str) -> Model:
        from whichword.models.huggingface import Classifier

        folder, settings = self._parts(spelling)
        module = _pretrained(folder, "AutoModelForSequenceClassification", settings.dtype)
        tokenizer = _pretrained(folder, "AutoTokenizer", settings.dtype)
        return Classifier(module.eval(), tokenizer, label=settings.label or None)


@MODELS.register("lm")
@dataclass(frozen=True)
class LanguageFolder(_Folder):
    """A causal or masked language model."""

    prefix: ClassVar[str] = "lm:"
    form: ClassVar[str] = "lm:FOLDER"
    settings: ClassVar[Any] = LanguageSettings()

    def load(self, spelling: str) -> Model:
        from whichword.models.language import LanguageModel

        folder, settings = self._parts(spelling)
        kind = MASKED if "MaskedLM" in (folder / "config.json").read_text(encoding="utf8") else CAUSAL  # architectures
        module = _pretrained(folder, kind, settings.dtype)
        return LanguageModel(module.eval(), _pretrained(folder, "AutoTokenizer", settings.dtype), settings.score)


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
        except Exception as error:  # code that is not ours: --debug shows where
            raise ModelFailedError(f"{spelling}: the function failed: {type(error).__name__}: {error}") from error
        return wrap(made)

    def identity(self, spelling: str) -> Mapping[str, str]:
        """Hash the function's own file, and the weights of what it returns, where it has any."""
        model: Any = self.load(spelling)
        module = getattr(model, "module", None)
        weights = {} if module is None else {"weights": _hashed(module)}
        return {"function": foreign_code(_function(spelling)), **weights}

    def label(self, spelling: str) -> str:
        return spelling.rpartition(":")[2]


def _is_there(package: str) -> bool:
    """Tell whether something of this name could be imported."""
    return (Path.cwd() / package).is_dir() or Path(f"{package}.py").is_file() or find_spec(package) is not None


def _function(spelling: str) -> Callable[[], Any]:
    match = _SPELLING.fullmatch(spelling)
    assert match is not None
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` has it
    try:
        module = importlib.import_module(match["module"])
    except Exception as error:  # a module that is not there, or whatever its code raises
        raise FileError(f"{spelling}: cannot be imported: {error or type(error).__name__}") from error
    function = getattr(module, match["function"], None)
    if not callable(function):
        raise FileError(f"{spelling}: {match['module']} has no function {match['function']!r}")
    return function  # type: ignore[no-any-return]


def _hashed(module: Any) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):  # in whatever order they were registered
        digest.update(name.encode() + tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
