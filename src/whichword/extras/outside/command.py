"""``whichword judge``: relevances that were made elsewhere play the same games."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from whichword.base import files
from whichword.cli.app import listed
from whichword.cli.options import DataFolder, Plugins, argument, command, option, path, say
from whichword.errors import InputError
from whichword.registry import announce

if TYPE_CHECKING:
    from whichword.extras.outside.matching import Matched, OutsideSource


@listed(40)
def judge(
    source: Annotated[str, argument("The folder of a run, or a corpus.")],
    relevances: Annotated[
        list[Path] | None,
        option("--relevances", help="JSON lines (.jsonl) or Parquet; may be repeated.", parser=path),
    ] = None,
    plugin: Plugins = None,
    name: Annotated[
        str | None, option("--name", help="The method's name. [default: the row's, else the file's]")
    ] = None,
    model: Annotated[str | None, option("--model", help="Which of the run's models, where there are several.")] = None,
    game: Annotated[str | None, option("--game", help="The game, for a corpus. [default: the one that fits]")] = None,
    limit: Annotated[int | None, option("--limit", help="Documents of a corpus at most, a random sample.")] = None,
    texts: Annotated[
        Path | None,
        option("--texts", help="Write the items' keys, texts and classes to this file, and end.", parser=path),
    ] = None,
    partial: Annotated[bool, option("--partial", help="Items without relevances count as wrong.")] = False,
    seed: Annotated[int, option("--seed", help="Of a corpus's items.")] = 0,
    data: DataFolder = None,
    out: Annotated[Path, option("--out", help="The folder of the run that comes out.", parser=path)] = Path("judged"),
) -> None:
    """Judge relevances from elsewhere, or a method of your own.

    Relevances come from a file of any tool; a method is one Python file that registers it.
    A row of the file has a key or a text (as --texts writes them), and relevances: a number per word, or tokens and
    their numbers. What comes out is a run: table, report and verify take it.

    Examples:
      whichword judge demo/run --texts items.jsonl
      whichword judge demo/run --relevances mine.jsonl --name mine --out judged
      whichword judge demo/run --plugin my_method.py
    """
    from whichword.extras.outside.matching import open_source

    opened = open_source(source, model, game, limit, data, seed)
    if texts is not None:
        _write_texts(opened, texts)
        return
    if bool(relevances) == bool(plugin):  # neither, or both
        raise InputError("name relevances by --relevances FILE, or a method by --plugin FILE; --texts writes the items")
    matched = _plugged(opened, plugin) if plugin else _read(opened, relevances or [], name, partial)
    _assemble(opened, matched, [*(relevances or []), *(plugin or [])], out)


def _read(source: "OutsideSource", paths: list[Path], name: str | None, partial: bool) -> "Matched":
    from whichword.extras.outside.matching import matched
    from whichword.extras.outside.rows import read_rows

    rows = (row for file in paths for row in read_rows(file))  # one at a time
    return matched(source, rows, name or paths[0].stem, partial)


def _plugged(source: "OutsideSource", paths: list[Path]) -> "Matched":
    from whichword.extras.outside.run import ask_plugged
    from whichword.methods import METHODS

    before = set(METHODS.names())  # a file does not say what it registers
    announce(paths)
    labels = [name for name in METHODS.names() if name not in before]
    if not labels:
        raise InputError(f"--plugin: {paths[0]} registers no method: METHODS.register(name) does")
    return ask_plugged(source, labels)


def _assemble(source: "OutsideSource", matched: "Matched", paths: list[Path], out: Path) -> None:
    from whichword.extras.outside.run import assemble, file_origin

    assemble(out, source, matched, file_origin(paths))
    say(f"{out}: {', '.join(matched.vectors)} judged on {len(source.items)} items of {source.title}")
    if matched.unmatched:
        print(f"{matched.unmatched} rows were about no item, and left out")
    say(f"next: {command('table', out)}")


def _write_texts(source: "OutsideSource", target: Path) -> None:
    lines = []
    for item in source.items:
        row: dict[str, Any] = {"key": item.key, "text": item.text, "words": list(item.words)}
        if item.key in source.predictions:
            row["target"] = source.predictions[item.key].predicted
        lines.append(json.dumps(row))
    files.write(target, ("\n".join(lines) + "\n").encode("utf8"))
    say(f"{target}: {len(lines)} items")
