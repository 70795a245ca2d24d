"""Models on their way to machines that do not share this disk: the files, and how they are spelled."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whichword import models


@dataclass(frozen=True)
class Parcel:
    """Files by name; the spelling is ``before`` + the folder they are in + ``after``."""

    before: str
    after: str
    files: Mapping[str, bytes]

    def unpack(self, folder: Path) -> str:
        """Write the files, and spell the model that they are."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return f"{self.before}{folder}{self.after}"


def pack(spelling: str) -> str | Parcel:
    """The model's files; a spelling without a folder (``module:function``) has to mean the same everywhere."""
    place = models.files(spelling)
    if place is None:
        return spelling
    folder, names = place
    before, _, after = spelling.partition(folder)
    return Parcel(before, after, {name: (Path(folder) / name).read_bytes() for name in names})
