"""Wrong input, command by command: one line on standard error, exit code 2, nothing on standard output."""

from pathlib import Path

import pytest
from command_runner import Runner

WHERE = "see whichword "
WRONG: dict[str, list[tuple[str, str]]] = {
    "demo": [
        ("--out FILE", "--out: FILE is a file, not a folder"),
        ("--workers 0", "workers must be at least 1, not 0"),
        ("--workers many", "invalid value for '--workers'"),
        ("--out FILE/demo", "FILE/demo: Not a directory"),
    ],
    "train": [
        ("", f"missing argument 'corpus'; {WHERE}train --help"),
        ("docstring", "did you mean docstrings"),
        ("nothing.csv", "nothing.csv: cannot be read"),
        ("grammar --network lstn", "did you mean lstm"),
        ("grammar --out FILE", "--out: FILE is a file, not a folder"),
        ("grammar --data FILE", "--data: FILE is a file, not a folder"),
        ("grammar --batch 0", "batch must be at least 1"),
        ("grammar --epochs many", "invalid value for '--epochs'"),
        ("grammar --vectors nowhere --out OUT", "nowhere: cannot be read"),
    ],
    "explain": [
        ("", "missing argument 'model'"),
        ("nowhere a", "no model loader opens 'nowhere'"),
        ("FILE a", "no model loader opens 'FILE'"),
        ("RUN a", "no model loader opens 'RUN'"),
        ("MODEL a -m lpr", "did you mean lrp"),
        ("MODEL a -m lrp,lpr", "did you mean lrp"),
        ("MODEL a -m lrp[eps=-1]", "eps must be a positive number"),
        ("MODEL a -m lrp[eps=1", "write name or name[setting=value,...]"),
        ("MODEL a -m lrp,,omit_1", "--method: a name is missing in 'lrp,,omit_1'"),
        ("MODEL a -m lrp --all", "--all means every method"),
        ("MODEL a --target maybe", "no class 'maybe'"),
        ("MODEL a --seed x", "invalid value for '--seed'"),
        ("MODEL a --device nowhere", "torch cannot compute on the device 'nowhere'"),
        ("MODEL a --batch-words 0", "batch-words must be at least 1, not 0"),
        ("MODEL a --time-limit nan", "time-limit must be a number, not nan"),
        ("MODEL a --time-limit 0", "time-limit must be a positive number of seconds, not 0"),
        ("MODEL a --budget soon", "invalid value for '--time-limit'"),
    ],
    "evaluate": [
        ("", "no model was named"),
        ("MODEL", "no corpus was named"),
        ("nowhere --corpus grammar --out OUT", "no model loader opens 'nowhere'"),
        ("FILE --corpus grammar --out OUT", "no model loader opens 'FILE'"),
        ("MODEL --model MODEL --corpus grammar", "a model was named twice"),
        ("MODEL --corpus gramar --out OUT", "did you mean grammar"),
        ("MODEL --corpus grammar, --out OUT", "--corpus: a name is missing in 'grammar,'"),
        ("MODEL --corpus grammar --game hybird --out OUT", "did you mean hybrid"),
        ("NUMBER --corpus grammar --method lpr --out OUT", "did you mean lrp"),
        ("MODEL --corpus grammar --out FILE", "FILE is a file: a run needs a folder of its own"),
        ("MODEL --corpus grammar --out FILE/run", "FILE/run: Not a directory"),
        ("MODEL --corpus grammar --out MODEL", "MODEL holds other files"),
        ("MODEL --corpus grammar --limit 0", "limit must be at least 1"),
        ("MODEL --corpus grammar --limit few", "invalid value for '--limit'"),
        ("MODEL --corpus grammar --data FILE", "--data: FILE is a file, not a folder"),
        ("--spec nowhere.toml", "nowhere.toml: cannot be read"),
        ("--spec MODEL", "MODEL: cannot be read"),
        ("--spec FILE --seed 0", "--spec can be combined only with --out"),
        ("MODEL --corpus grammar --executor procesess --out OUT", "did you mean processes"),
        ("MODEL --corpus grammar --address local --out OUT", "--address is for --executor ray"),
        ("MODEL --corpus grammar --shard 3/2 --out OUT", "parts are counted from 1 to 2"),
        ("MODEL --corpus grammar --shard two --out OUT", "--shard is i/n (2/5: the second of five)"),
    ],
    "trust": [
        ("", "missing argument 'models'"),
        ("nowhere --corpus grammar", "no model loader opens 'nowhere'"),
        ("MODEL", "no corpus was named"),
    ],
    "agree": [
        ("", "missing argument 'runs'"),
        ("nowhere", "nowhere holds no run"),
        ("RUN --format x", "no format is called 'x'"),
    ],
    "shortcut": [
        ("", "missing argument 'model'"),
        ("cnn", "missing option '--corpus'"),
    ],
    "judge": [
        ("", "missing argument 'source'"),
        ("RUN", "or a method by --plugin"),
        ("RUN --relevances nothing.jsonl", "nothing.jsonl: no such file"),
        ("RUN --plugin nothing.py", "--plugin: nothing.py is no file"),
        ("RUN --relevances FILE --limit 3", "--game and --limit are for a corpus"),
        ("grammr --texts OUT", "did you mean grammar"),
    ],
    "gate": [
        ("", "missing argument 'new'"),
        ("RUN", "missing option '--against'"),
        ("RUN --against OUT", "holds no run"),
        ("RUN --against RUN --min lrp", "--min must be written METHOD=ACCURACY"),
        ("RUN --against RUN -m occ_3", "no baseline for occ_3"),
        ("RUN --against RUN --margin 7", "margin must be a share of 1, not 7"),
    ],
    "merge": [
        ("", "missing argument 'parts'"),
        ("nowhere --out OUT", "nowhere holds no run"),
        ("RUN --out FILE", "FILE is a file: a run needs a folder of its own"),
    ],
    "table": [
        ("", "missing argument 'runs'"),
        ("nowhere", "nowhere holds no run"),
        ("FILE", "FILE holds no run"),
        ("MODEL", "MODEL holds no run"),
        ("RUN --format txt", "did you mean text"),
    ],
    "report": [
        ("", "missing argument 'runs'"),
        ("nowhere", "nowhere holds no run"),
        ("FILE", "FILE holds no run"),
        ("RUN --out MODEL", "MODEL: cannot be written: it is a folder, not a file"),
        ("RUN --out FILE/report.html", "FILE/report.html: cannot be written: Not a directory"),
        ("RUN --out nowhere/report.html", "nowhere/report.html: cannot be written: No such file"),
    ],
    "serve": [
        ("", "nothing to show: whichword serve M"),
        ("nowhere", "no model loader opens 'nowhere'"),
        ("FILE", "no model loader opens 'FILE'"),
        ("MODEL --port http", "invalid value for '--port'"),
        ("MODEL --threads 0", "threads must be at least 1, not 0"),
    ],
    "verify": [
        ("", "missing argument 'run'"),
        ("nowhere", "nowhere holds no run"),
        ("FILE", "FILE holds no run"),
    ],
    "digest": [
        ("", "missing argument 'run'"),
        ("nowhere", "nowhere holds no run"),
        ("FILE", "FILE holds no run"),
    ],
    "figure": [
        ("RUN", "missing option '--document'"),
        ("nowhere --document a", "nowhere holds no run"),
        ("FILE --document a", "FILE holds no run"),
        ("RUN --document zzz", "no document has the key 'zzz'"),
        ("RUN --document KEY -m lpr", "'lpr' is no method of this model's run"),
        ("RUN --document KEY --model x", "the run has no model 'x'"),
        ("RUN --document KEY --format svgz", "did you mean svg"),
        ("RUN --document KEY --palette x", "no palette is called 'x'"),
        ("RUN --document KEY --out MODEL", "MODEL: cannot be written"),
    ],
    "data": [
        ("docstring", "did you mean docstrings"),
        ("nothing.csv", "nothing.csv: cannot be read"),
        ("yelp --data nowhere", "corpus yelp is not in nowhere"),
        ("--data FILE", "--data: FILE is a file, not a folder"),
        ("--fetch", "--fetch: name the corpora to fetch"),
        ("grammar --fetch", "corpus grammar cannot be fetched"),
    ],
    "card": [
        ("OUT", "holds no run"),
        ("RUN --kind odel", "did you mean model"),
    ],
    "methods": [
        ("lpr", "did you mean lrp"),
        ("--nope", f"no such option: --nope; {WHERE}methods --help"),
    ],
}
CASES = [(command, words, message) for command, wrong in WRONG.items() for words, message in wrong]


@pytest.fixture
def places(model: Path, agreement_model: Path, run_folder: Path, tmp_path: Path) -> dict[str, str]:
    """What the words in capitals stand for."""
    from whichword import open_run

    file = tmp_path / "file"
    file.write_text("")
    key = open_run(run_folder).items("s00")[0].key
    paths = {"MODEL": model, "NUMBER": agreement_model, "RUN": run_folder, "FILE": file, "OUT": tmp_path / "out"}
    return {name: str(path) for name, path in paths.items()} | {"KEY": key}


def fill_in(words: str, places: dict[str, str]) -> str:
    for name, place in places.items():
        words = words.replace(name, place)
    return words


@pytest.mark.parametrize(("command", "words", "message"), CASES)
def test_it_is_one_line_and_code_2(
    run: Runner, places: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command, words, message
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*command.split(), *fill_in(words, places).split())
    assert done.returncode == 2, done.stderr
    assert fill_in(message, places) in done.stderr
    assert done.stderr.startswith("whichword: ")
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_every_command_is_tried() -> None:
    from whichword.cli.commands import PANELS

    assert {command.__name__ for panel in PANELS.values() for command in panel} == set(WRONG) - {""}
