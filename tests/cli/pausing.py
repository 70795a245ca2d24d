"""The command, waiting for leave before every file that it puts into the folder that its caller watches.

Called as ``pausing.py FOLDER COMMAND..``; each path is a line of the pipe PAUSES, each line on stdin is leave.
"""

import os
import sys
from pathlib import Path

FOLDER, PAUSES = Path(sys.argv[1]), int(sys.argv[2])
put = os.replace


def waiting(source: str | Path, target: str | Path, **more: int) -> None:
    if Path(target).is_relative_to(FOLDER):
        os.write(PAUSES, f"{Path(target).relative_to(FOLDER)}\n".encode())
        sys.stdin.readline()
    put(source, target, **more)


if __name__ == "__main__":
    from whichword.cli import main

    os.replace = waiting  # type: ignore[assignment]
    sys.argv[1:] = sys.argv[3:]
    main()
