"""The models of the table: built once, kept in a folder, named by a spelling."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from experiments.modern.spec import Folders, ModelSpec
from whichword.corpora import read_corpus
from whichword.types import Corpus

Builder = Callable[[ModelSpec, Folders], str]


def _given(model: ModelSpec, folders: Folders) -> str:
    return folders.fill(model.settings["spelling"])


def _linear(model: ModelSpec, folders: Folders) -> str:
    from experiments.modern.known import build_linear

    return str(build_linear(_corpus(model, folders), _folder(model, folders)))


def _network(model: ModelSpec, folders: Folders) -> str:
    from whichword.training import Training, train

    settings = Training(**_without(model.settings, "corpus"), seed=model.seed)
    train(_corpus(model, folders), settings, _folder(model, folders))
    return str(_folder(model, folders))


def _tuned(model: ModelSpec, folders: Folders) -> str:
    from whichword.extras.shortcuts.finetuning import FineTuning, fine_tune, tell_steps

    settings = FineTuning(**_without(model.settings, "corpus", "start"), seed=model.seed)
    start = Path(folders.fill(model.settings["start"]))
    return f"hf:{fine_tune(start, _corpus(model, folders), settings, _folder(model, folders), tell_steps)}"


BUILDERS: Mapping[str, Builder] = {"given": _given, "linear": _linear, "network": _network, "tuned": _tuned}


def build(model: ModelSpec, folders: Folders) -> str:
    """How the model is spelled; made first where it is not there."""
    return BUILDERS[model.build](model, folders)


def _without(settings: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in names}


def _corpus(model: ModelSpec, folders: Folders) -> Corpus:
    return read_corpus(folders.fill(model.settings["corpus"]), data=folders.data, seed=model.seed)


def _folder(model: ModelSpec, folders: Folders) -> Path:
    return folders.out / "models" / model.name
