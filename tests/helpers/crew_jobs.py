"""Jobs for worker processes: a folder to leave marks in, tasks that die, stop or answer."""

import os
import signal
from collections.abc import Callable
from pathlib import Path


def open_shop(folder: Path) -> Callable[[str], str]:
    """``die N``: killed on the first N tries; ``stop``: does not move; anything else is answered."""

    def do(task: str) -> str:
        with (folder / "tries").open("a") as file:
            file.write(f"{task}\n")
        word, _, number = task.partition(" ")
        tries = (folder / "tries").read_text().splitlines().count(task)
        if word == "die" and tries <= int(number):
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "stop" and tries == 1:
            (folder / "stopped").write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGSTOP)
        return f"{task} done"

    return do
