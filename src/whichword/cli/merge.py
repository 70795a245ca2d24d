"""``whichword merge``: the parts of a run that was made with ``--shard`` become one run."""

from pathlib import Path
from typing import Annotated

from whichword.cli.options import RunOut, argument, path
from whichword.cli.printing import command, say


def merge(
    parts: Annotated[list[Path], argument("The folders that evaluate --shard i/n wrote.", parser=path)],
    out: RunOut = Path("run"),
) -> None:
    """Unite the parts of a run that machines made apart.

    Every byte is verified; a shard that is missing or damaged, or a folder that is no part of this run, is named.
    What is there is kept, so the command may be run again with the parts that were missing.

    Example:
      whichword merge parts/* --out runs/all
    """
    from whichword.playing.merging import merge

    merged = merge(parts, out)
    total = len(merged.run.plan.shards)
    say(f"{out}: {merged.taken} shards taken from {len(parts)} parts, {total - merged.taken} were there")
    say(f"next: {command('table', out)}")
