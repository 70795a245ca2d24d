"""What a reproduction consists of, read from a TOML file: groups of networks, the columns they fill, the rows."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from whichword.corpora.registry import CORPORA, present
from whichword.errors import InputError
from whichword.networks import NETWORKS
from whichword.training import Training


@dataclass(frozen=True)
class Group:
    """Networks that play one game on one corpus. ``columns`` maps a part of the game to a column for each network.

    ``models`` names the group whose networks play; a group that trains its own leaves it empty.
    """

    name: str
    corpus: str
    game: str
    networks: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    own: str = ""  # the paper's corpus, where ``corpus`` only stands in for it
    split: str = ""  # settings of the corpus
    models: str = ""
    documents: int = 0  # at most so many are played, a random sample; 0: all
    hidden: int = 0  # both directions together; 0: as the training settings say
    bidirectional: bool = False
    training: Mapping[str, Any] = field(default_factory=dict)
    accuracy: Mapping[str, float] = field(default_factory=dict)

    def spelling(self, data: Path) -> str:
        """The corpus that is read: the paper's own where it is in the data folder."""
        if self.own and present(data, CORPORA[self.own].about):
            return self.own
        return f"{self.corpus}[{self.split}]" if self.split else self.corpus

    def settings(self, network: str, data: Path, seed: int) -> Training:
        """How one of the networks is trained."""
        both = self.bidirectional and NETWORKS[network].directional
        made = asdict(Training(network=network, bidirectional=both, seed=seed)) | dict(self.training)
        if self.hidden:
            made["hidden"] = self.hidden // 2 if both else self.hidden
        if self.training.get("vectors"):
            made["vectors"] = str(data / made["vectors"])
        return Training(**made)


@dataclass(frozen=True)
class Playing:
    """One network of a group in its game: one run, a column for each part. ``model`` is the network's folder."""

    group: Group
    network: str
    model: str

    @property
    def name(self) -> str:
        return f"{self.group.name}-{self.network}"

    @property
    def columns(self) -> dict[str, str]:
        """Part of the game -> column."""
        place = self.group.networks.index(self.network)
        return {part: columns[place] for part, columns in self.group.columns.items()}

    def wanted(self, only: tuple[str, ...]) -> bool:
        """Whether the group, the network or one of the columns was asked for."""
        return not only or bool({self.group.name, self.name, *self.columns.values()} & set(only))


@dataclass(frozen=True)
class Reproduction:
    """All of it. ``methods`` are the paper's rows with the settings that they are computed with; ``extra`` are ours."""

    groups: Mapping[str, Group]
    methods: tuple[str, ...]
    extra: tuple[str, ...]
    published: Path
    results: Path
    seed: int = 0

    @property
    def rows(self) -> dict[str, str]:
        """The paper's name of a row -> the label that we compute."""
        return {label.split("[")[0]: label for label in self.methods}

    def playings(self, only: tuple[str, ...] = ()) -> list[Playing]:
        """The runs that were asked for, in the order of the file; names that mean nothing are an error."""
        every = [
            Playing(group, network, f"{group.models or group.name}-{network}")
            for group in self.groups.values()
            for network in group.networks
        ]
        if strange := [name for name in only if not any(playing.wanted((name,)) for playing in every)]:
            raise InputError(f"nothing is called {strange[0]!r}; known: {', '.join(self.groups)}, C01 to C27")
        return [playing for playing in every if playing.wanted(only)]


def read_reproduction(path: Path) -> Reproduction:
    """A `Reproduction` from a TOML file, or an `InputError` that names the file and the key."""
    try:
        read = tomllib.loads(path.read_bytes().decode("utf8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    try:
        return _reproduction(read, path.parent)
    except (InputError, TypeError, KeyError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{path}: {reason}") from None


def _reproduction(read: dict[str, Any], base: Path) -> Reproduction:
    _known(read, {"group", "methods", "extra", "published", "results", "seed"}, "the file")
    groups = {name: _group(name, body) for name, body in read["group"].items()}
    for group in groups.values():
        if group.models and (group.models not in groups or groups[group.models].models):
            raise InputError(f"group {group.name}: no group {group.models!r} trains networks")
        if not group.models and not group.training:
            raise InputError(f"group {group.name}: neither training settings nor models of another group")
    published, results = base / read["published"], base / read["results"]
    return Reproduction(
        groups, tuple(read["methods"]), tuple(read["extra"]), published, results, int(read.get("seed", 0))
    )


def _group(name: str, body: dict[str, Any]) -> Group:
    _known(body, {one.name for one in fields(Group)} - {"name", "networks"}, f"group {name}")
    columns = {part: tuple(listed) for part, listed in body["columns"].items()}
    networks = columns.pop("networks")
    if any(len(listed) != len(networks) for listed in columns.values()):
        raise InputError(f"group {name}: a part has not one column for each network")
    _known(body.get("training", {}), {one.name for one in fields(Training)}, f"group {name}, training")
    return Group(**body | {"name": name, "networks": networks, "columns": columns})


def _known(found: Mapping[str, Any], known: set[str], where: str) -> None:
    if strange := sorted(found.keys() - known):
        raise InputError(f"{where}: no setting is called {strange[0]!r}; known: {', '.join(sorted(known))}")
