"""Which word made the classifier say that, and which explanation method can be trusted to tell?

The names below are loaded when they are first used (PEP 562): torch takes two seconds, and half of the commands need
none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from whichword.version import __version__

_HOMES = {
    "CORPORA": "whichword.corpora:CORPORA",
    "EXECUTORS": "whichword.workers.executors:EXECUTORS",
    "GAMES": "whichword.games:GAMES",
    "METHODS": "whichword.methods:METHODS",
    "NETWORKS": "whichword.networks:NETWORKS",
    "Explanation": "whichword.explanation:Explanation",
    "InputError": "whichword.errors:InputError",
    "DamagedError": "whichword.errors:DamagedError",
    "FileError": "whichword.errors:FileError",
    "ModelFailedError": "whichword.errors:ModelFailedError",
    "NoRuleError": "whichword.errors:NoRuleError",
    "NotDefinedError": "whichword.errors:NotDefinedError",
    "SettingError": "whichword.errors:SettingError",
    "Network": "whichword.networks:Network",
    "Play": "whichword.planning.spec:Play",
    "Spec": "whichword.planning.spec:Spec",
    "Training": "whichword.training.settings:Training",
    "account": "whichword.api:account",
    "digest": "whichword.playing.verify:digest",
    "evaluate": "whichword.playing.make:evaluate",
    "examine": "whichword.api:examine",
    "explain": "whichword.api:explain",
    "MODELS": "whichword.models:MODELS",
    "load": "whichword.models:load",
    "open_run": "whichword.runs.run:open_run",
    "read_corpus": "whichword.corpora:read_corpus",
    "recommend": "whichword.reporting.verdict:recommend",
    "report": "whichword.reporting.page.page:report",
    "table": "whichword.reporting.tabulate:table",
    "train": "whichword.training.loop:train",
    "trust": "whichword.reporting.trust:trust",
    "verify": "whichword.playing.verify:verify",
    "wrap": "whichword.models.wrapping:wrap",
}

if TYPE_CHECKING:  # the same table, for type checkers and editors
    from whichword.api import account, examine, explain
    from whichword.corpora import CORPORA, read_corpus
    from whichword.errors import (
        DamagedError,
        FileError,
        InputError,
        ModelFailedError,
        NoRuleError,
        NotDefinedError,
        SettingError,
    )
    from whichword.explanation import Explanation
    from whichword.games import GAMES
    from whichword.methods import METHODS
    from whichword.models import MODELS, load
    from whichword.models.wrapping import wrap
    from whichword.networks import NETWORKS, Network
    from whichword.planning.spec import Play, Spec
    from whichword.playing.make import evaluate
    from whichword.playing.verify import digest, verify
    from whichword.reporting.page.page import report
    from whichword.reporting.tabulate import table
    from whichword.reporting.trust import trust
    from whichword.reporting.verdict import recommend
    from whichword.runs.run import open_run
    from whichword.training.loop import train
    from whichword.training.settings import Training
    from whichword.workers.executors import EXECUTORS
else:  # a type checker that saw this function would take any misspelt name for one of ours

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'whichword' has no attribute {name!r}")
        module, attribute = _HOMES[name].split(":")
        value = getattr(import_module(module), attribute)
        globals()[name] = value  # the next access does not come here
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


__all__ = [
    "CORPORA",
    "EXECUTORS",
    "GAMES",
    "METHODS",
    "MODELS",
    "NETWORKS",
    "DamagedError",
    "Explanation",
    "FileError",
    "InputError",
    "ModelFailedError",
    "Network",
    "NoRuleError",
    "NotDefinedError",
    "Play",
    "SettingError",
    "Spec",
    "Training",
    "__version__",
    "account",
    "digest",
    "evaluate",
    "examine",
    "explain",
    "load",
    "open_run",
    "read_corpus",
    "recommend",
    "report",
    "table",
    "train",
    "trust",
    "verify",
    "wrap",
]
