"""``hf:FOLDER`` and ``lm:FOLDER``: models that Hugging Face's `save_pretrained` wrote, with their tokenizers.

Nothing is downloaded, and no code of a model's is executed. ``hf:FOLDER[label=toxic]`` asks about one of several
independent labels, ``lm:FOLDER[score=logit]`` about the logit itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from whichword.base.runtime import install_command
from whichword.errors import InputError
from whichword.models.loaders import MODELS
from whichword.registry import with_settings

if TYPE_CHECKING:
    from whichword.model import Model

LIBRARIES = ("transformers", "tokenizers", "safetensors")
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
        """A hash per file of the folder, the settings, and the versions of the libraries that compute."""
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
            raise InputError(f"{spelling}: {folder} holds no saved model (config.json is missing)")
        return folder, with_settings(
            self.settings, settings.removesuffix("]"), self.prefix
        ) if bracket else self.settings


def _names(folder: Path) -> list[str]:
    """Every file of the folder, sorted."""
    return [str(path.relative_to(folder)) for path in sorted(folder.rglob("*")) if path.is_file()]


def _pretrained(folder: Path, kind: str, dtype: str) -> Any:
    """A model or tokenizer of the folder, by the name of its Auto class; errors in one line."""
    try:
        import transformers
    except ImportError as missing:
        raise InputError(f"hf: and lm: need transformers: {install_command('huggingface')}") from missing
    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    if kind != "AutoTokenizer":
        options |= {"dtype": dtype, "output_loading_info": True}
    try:
        with _without_bars(transformers.utils.logging):
            loaded = getattr(transformers, kind).from_pretrained(folder, **options)
    except Exception as error:  # each format of weights has errors of its own, and they share no base
        line = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(f"{folder}: {line}") from None
    return _saved(loaded, folder) if kind == "AutoTokenizer" else _complete(loaded[0], loaded[1], folder)


@contextmanager
def _without_bars(logging: Any) -> Iterator[None]:
    """A progress bar per model and worker would be drawn into ours; the user's own setting is left as it was."""
    before = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            logging.enable_progress_bar()


def _saved(tokenizer: Any, folder: Path) -> Any:
    """A tokenizer that was in the folder: without its files, some libraries make one that knows no word."""
    names = {"tokenizer.json", *getattr(tokenizer, "vocab_files_names", {}).values()}
    if not any((folder / name).is_file() for name in names):
        raise InputError(f"{folder} holds no tokenizer ({', '.join(sorted(names))})")
    return tokenizer


def _complete(module: Any, told: Mapping[str, Any], folder: Path) -> Any:
    """A module all of whose weights were in the folder: others would be random, and nobody would notice."""
    if missing := sorted(map(str, told["missing_keys"])):
        reason = f"{len(missing)} weights of a {type(module).__name__} are not in it ({missing[0]})"
        raise InputError(f"{folder}: {reason}: was it saved without its head?")
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
        kind = MASKED if "MaskedLM" in (folder / "config.json").read_text(encoding="utf8") else CAUSAL
        module = _pretrained(folder, kind, settings.dtype)
        return LanguageModel(module.eval(), _pretrained(folder, "AutoTokenizer", settings.dtype), settings.score)
