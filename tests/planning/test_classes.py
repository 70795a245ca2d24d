"""Labels of a corpus by the names of a model's classes."""

import json
from pathlib import Path

import pytest
from msgspec import structs
from planted_corpus import CLASSES, tiny_network
from typer.testing import CliRunner

from whichword.cli.commands import app
from whichword.errors import InputError
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec, read_mapping, read_spec
from whichword.playing.make import evaluate
from whichword.playing.verify import verify
from whichword.reporting.page.page import protocol
from whichword.runs.run import Run
from whichword.scoring.run import judge

NUMBERS = {"apple": "0", "brick": "1", "cloud": "2", "drum": "3"}
GAME = "hybrid[sentences=3]"


def renamed(folder: Path, kind: str = "cnn", names: dict[str, str] | None = None) -> Path:
    """A network whose classes are called 0, 1, ..."""
    tiny_network(folder, kind)
    text = (folder / "config.json").read_text()
    for label, name in (names or NUMBERS).items():
        text = text.replace(f'"{label}"', f'"{name}"')
    (folder / "config.json").write_text(text)
    return folder


def spec_of(model: Path, classes: dict[str, str], **more: object) -> Spec:
    play = Play(("m",), ("planted",), (GAME,), ("lrp", "random"), 12, classes)
    return Spec({"m": str(model)}, (structs.replace(play, **more),))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Run:
    base = tmp_path_factory.mktemp("numbered")
    return evaluate(spec_of(renamed(base / "cnn"), NUMBERS), base / "run").run


def test_a_mapped_run_is_the_run_of_a_model_with_the_corpus_s_names(numbered: Run, tmp_path: Path) -> None:
    """Item keys are made of labels too, so the samples differ: all items are compared."""
    named = spec_of(tiny_network(tmp_path / "cnn", "cnn"), {}, limit=None)
    by_number = spec_of(Path(numbered.plan.models[0].spelling), NUMBERS, limit=None)
    runs = [evaluate(one, tmp_path / name).run for name, one in (("named", named), ("numbered", by_number))]
    first, second = (judge(run, "p00") for run in runs)
    assert tuple(NUMBERS[name] for name in first.predicted) == second.predicted
    assert first.hits["hybrid"].tobytes() == second.hits["hybrid"].tobytes()
    assert (first.rmax[:, 0] == second.rmax[:, 0]).all()  # the other is `random`, drawn by the key


def test_items_hits_and_slices_speak_of_the_model_s_classes(numbered: Run) -> None:
    labels = {label for item in numbered.items("s00") for label in item.labels}
    assert labels <= set(NUMBERS.values())
    assert numbered.plan.set("s00").classes == tuple(NUMBERS.values())
    assert numbered.plan.set("s00").mapping == NUMBERS
    assert judge(numbered, "p00").tally("hybrid", "random").total > 0
    assert "apple is 0, brick is 1" in protocol([("run", numbered)])[0].sets[0][1]


def test_another_mapping_is_another_run(numbered: Run, tmp_path: Path) -> None:
    swapped = NUMBERS | {"apple": "1", "brick": "0"}
    spec = spec_of(Path(numbered.plan.models[0].spelling), swapped)
    with pytest.raises(InputError) as caught:
        evaluate(spec, numbered.folder)
    assert f"classes of planted as {GAME} (was apple = 0, brick = 1" in str(caught.value)


def test_several_labels_may_be_one_class(tmp_path: Path) -> None:
    model = renamed(tmp_path / "cnn", names={"apple": "fruit", "brick": "thing", "cloud": "x", "drum": "y"})
    mapping = {"apple": "fruit", "brick": "thing", "cloud": "thing", "drum": "thing"}
    plan = prepare(spec_of(model, mapping)).plan
    assert plan.set("s00").classes == ("fruit", "thing")


def test_models_with_other_names_play_sets_of_their_own(tmp_path: Path) -> None:
    models = {"plain": tiny_network(tmp_path / "plain", "cnn"), "numbered": renamed(tmp_path / "numbered")}
    same = Play(("plain",), ("planted",), (GAME,), ("lrp",), 12)
    plays = (same, structs.replace(same, models=("numbered",), classes=NUMBERS))
    spec = Spec({label: str(path) for label, path in models.items()}, plays)
    run = evaluate(spec, tmp_path / "run").run
    assert [item_set.mapping for item_set in run.plan.sets] == [{}, NUMBERS]
    assert {pairing.model: pairing.set for pairing in run.plan.pairings} == {"plain": "s00", "numbered": "s01"}
    names = [name for name in run.plan.identity if name.startswith("corpus ")]
    assert names == [f"corpus planted as {GAME}", f"corpus planted as {GAME} (s01)"]
    assert verify(run.folder).sound


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        ({"pear": "0"}, "corpus planted has no label 'pear'; it has: apple, brick, cloud, drum"),
        (NUMBERS | {"drum": "7"}, "'7' is no class of model m (it has: 0, 1, 2, 3)"),
        (
            {"apple": "0", "brick": "1", "cloud": "2"},
            "'drum' of corpus planted is mapped to nothing and no class of model",
        ),
        (
            {},
            "none of its classes (0, 1, 2, 3) is one of the corpus's (apple, brick, cloud, drum); say which is which ",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(tmp_path: Path, mapping: dict[str, str], told: str) -> None:
    with pytest.raises(InputError) as caught:
        prepare(spec_of(renamed(tmp_path / "cnn"), mapping))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_error_without_a_mapping_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--classes apple=CLASS,brick=CLASS,\.\.\. \(in a spec: classes = \{"):
        prepare(spec_of(renamed(tmp_path / "cnn"), {}))


def test_labels_that_are_classes_need_no_mapping(tmp_path: Path) -> None:
    model = renamed(tmp_path / "cnn", names={"apple": "0"})
    assert prepare(spec_of(model, {"apple": "0"})).plan.set("s00").classes == ("0", *CLASSES[1:])


def test_one_model_cannot_play_one_set_under_two_mappings(tmp_path: Path) -> None:
    spec = spec_of(renamed(tmp_path / "cnn"), NUMBERS)
    swapped = structs.replace(spec.plays[0], classes=NUMBERS | {"apple": "1", "brick": "0"})
    with pytest.raises(InputError, match="twice"):
        prepare(structs.replace(spec, plays=(*spec.plays, swapped)))


def test_the_command_line_takes_a_mapping(numbered: Run, tmp_path: Path) -> None:
    model = numbered.plan.models[0].spelling
    pairs = ",".join(f"{label}={name}" for label, name in NUMBERS.items())
    command = [
        "evaluate",
        model,
        "--corpus",
        "planted",
        "--game",
        GAME,
        "-m",
        "lrp",
        "--limit",
        "12",
        "--classes",
        pairs,
    ]
    result = CliRunner().invoke(app, [*command, "--workers", "1", "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.exception
    plan = json.loads((tmp_path / "run/run.json").read_text())["body"]
    assert plan["sets"][0]["mapping"] == NUMBERS


def test_a_spec_file_takes_a_mapping(numbered: Run, tmp_path: Path) -> None:
    table = ", ".join(f'{label} = "{name}"' for label, name in NUMBERS.items())
    (tmp_path / "spec.toml").write_text(
        f'classes = {{{table}}}\n[models]\nm = "{numbered.plan.models[0].spelling}"\n[[play]]\ncorpora = ["planted"]\n'
        f'games = ["{GAME}"]\nmethods = ["lrp", "random"]\nlimit = 12\n'
    )
    assert prepare(read_spec(tmp_path / "spec.toml")).plan.sets == numbered.plan.sets


@pytest.mark.parametrize("text", ["apple", "=0", "apple=", "apple=0,,", "apple=0,apple=1"])
def test_a_mapping_that_is_not_exactly_one_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="classes"):
        read_mapping([text])


def test_a_mapping_may_come_in_several_texts() -> None:
    assert read_mapping([" neg = 0, bad=0", "pos=1"]) == {"neg": "0", "bad": "0", "pos": "1"}
    assert read_mapping([]) == {}
