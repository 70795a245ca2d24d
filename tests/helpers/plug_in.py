"""Packages with entry points, as pip installs them, and processes that have them on their path."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def plug_in(folder: Path, module: str, source: str, **points: str) -> Path:
    """``module`` with this source; ``points`` maps groups (``games``) to entry points (``first = module:First``)."""
    information = folder / f"{module}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    lines = [f"[whichword.{group}]\n{point}\n" for group, point in points.items()]
    (information / "entry_points.txt").write_text("\n".join(lines))
    (folder / f"{module}.py").write_text(source)
    return folder


def child(script: str, *arguments: object, path: Path | None = None, **variables: str) -> str:
    """What a process prints that runs a script of this folder, with ``path`` among its packages."""
    source = Path(sys.modules["whichword"].__file__ or "").parents[1]
    places = [str(place) for place in (source, HERE, path) if place is not None]
    environment = os.environ | {"PYTHONPATH": ":".join(places), "OMP_NUM_THREADS": "1"} | variables
    command = [sys.executable, "-W", "error", str(HERE / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
