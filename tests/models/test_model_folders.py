"""hf:FOLDER and lm:FOLDER: one line for each folder that is no model, and models of folders wherever models go."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

import transformers
from starlette.testclient import TestClient
from test_language_models import module_of, tokenizer_of
from tiny_transformers import classifier, config_of, tokenizer
from transformers import AutoModel
from typer.testing import CliRunner

import whichword
from whichword.cli.commands import app
from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import open_shelf

PORT = 8123
TEXT = "w1 w2, w3  w4"
transformers.utils.logging.disable_progress_bar()


def saved(folder: Path) -> Path:
    classifier("bert").float().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def _headless(folder: Path) -> None:
    AutoModel.from_config(config_of("bert")).save_pretrained(folder)


def _without(*names: str) -> Callable[[Path], None]:
    def remove(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return remove


def _cut_off(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])


def _more_pieces(folder: Path) -> None:
    larger = tokenizer()
    larger.add_tokens([f"more{i}" for i in range(20)])
    larger.save_pretrained(folder)


def _no_json(folder: Path) -> None:
    (folder / "config.json").write_text("{")


BROKEN: dict[str, Callable[[Path], None]] = {
    r"holds no saved model \(config.json is missing\)": _without("config.json"),
    "no file named|no weights|not found": _without("model.safetensors"),
    "header|incomplete|deserializ": _cut_off,
    r"2 weights of a BertForSequenceClassification are not in it \(classifier.bias\): was it saved without": _headless,
    "the tokenizer has 70 pieces, the model's table 50 rows": _more_pieces,
    r"holds no tokenizer \(tokenizer.json|okenizer": _without("tokenizer.json", "tokenizer_config.json"),
    "JSON|json|config": _no_json,
}


@pytest.mark.parametrize("message", BROKEN)
def test_a_folder_that_is_no_model_is_one_line(tmp_path: Path, message: str) -> None:
    BROKEN[message](saved(tmp_path / "model"))
    with pytest.raises(whichword.InputError, match=message) as caught:
        whichword.load(f"hf:{tmp_path / 'model'}")
    assert "\n" not in str(caught.value)


def test_a_classifier_is_no_language_model_and_settings_are_checked(tmp_path: Path) -> None:
    folder = saved(tmp_path / "model")
    with pytest.raises(whichword.InputError, match="weights of a Bert"):
        whichword.load(f"lm:{folder}")
    with pytest.raises(whichword.InputError, match="colour"):
        whichword.load(f"hf:{folder}[colour=red]")
    module_of("gpt2").save_pretrained(tmp_path / "lm")
    tokenizer_of("gpt2").save_pretrained(tmp_path / "lm")
    with pytest.raises(whichword.InputError, match="score must be one of difference, logit"):
        whichword.load(f"lm:{tmp_path / 'lm'}[score=p]")


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["explain", f"hf:{tmp_path}", TEXT])
    assert result.exit_code != 0
    assert isinstance(result.exception, whichword.InputError | SystemExit)


@pytest.fixture(scope="module")
def spelling(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"hf:{saved(tmp_path_factory.mktemp('models') / 'tiny')}"


def client_of(spelling: str) -> TestClient:
    address = f"http://127.0.0.1:{PORT}"
    return TestClient(create_app(open_shelf([spelling]), PORT), base_url=address, headers={"origin": address})


def test_a_text_that_is_too_long_is_served(spelling: str) -> None:
    """64 positions, two of them for special pieces: words behind are told, and editing them changes nothing."""
    client = client_of(spelling)
    words = [f"w{t % 40}" for t in range(70)]
    answer = client.post("/api/explain", json={"model": 0, "words": words, "methods": ["last", "omit_1"]})
    told: list[dict[str, Any]] = [json.loads(line) for line in answer.text.splitlines()]
    assert (told[0]["seen"], told[0]["unread"]) == (62, "8 words behind the model's longest input were not read")
    assert next(m["rmax"] for event in told[1:-1] for m in event["methods"] if m["method"] == "last") == 61
    for cut, same in (([69], True), ([0], False)):
        edited = client.post("/api/edit", json={"result": told[0]["result"], "cut": cut}).json()
        assert (edited["scores"] == pytest.approx(told[0]["scores"], abs=1e-5)) == same


def test_it_is_served(spelling: str) -> None:
    client = client_of(spelling)
    question = {"model": 0, "text": TEXT, "methods": ["lrp", "decomp", "omit_1"]}
    answer = client.post("/api/explain", json=question)
    assert answer.status_code == 200, answer.text
    told: list[dict[str, Any]] = [json.loads(line) for line in answer.text.splitlines()]
    (expected,) = whichword.explain(whichword.load(spelling), [TEXT], ["lrp", "omit_1"])
    assert (told[0]["words"], told[0]["predicted"]) == (list(expected.words), expected.predicted)
    assert told[0]["undefined"] == {"decomp": "no gated memory is read out linearly"}
    phi = {
        method["method"]: method["phi"] for event in told if event["event"] == "methods" for method in event["methods"]
    }
    assert phi["lrp"] == pytest.approx(expected.relevance["lrp"].tolist(), rel=1e-4, abs=1e-7)
    assert told[-1]["event"] == "end"


def test_nothing_is_drawn_while_it_is_loaded(spelling: str, capfd: pytest.CaptureFixture[str]) -> None:
    bars = transformers.utils.logging
    for wanted in (bars.enable_progress_bar, bars.disable_progress_bar):
        wanted()
        before = bars.is_progress_bar_enabled()
        whichword.load(spelling)
        assert bars.is_progress_bar_enabled() == before
    assert capfd.readouterr().err == ""


def test_a_notebook_shows_it(spelling: str) -> None:
    (answer,) = whichword.explain(whichword.load(spelling), [TEXT], ["lrp", "omit_1"])
    shown = answer._repr_html_()
    assert f"predicted <b>{answer.predicted}</b>" in shown
    assert all(f">{word}</span>" in shown for word in answer.words)
    assert whichword.wrap(whichword.load(spelling)).about.classes == tuple(answer.scores)
    assert "not read" not in shown
    (long,) = whichword.explain(whichword.load(spelling), [[f"w{t % 40}" for t in range(70)]], ["last"])
    assert "<p>8 words behind the model's longest input were not read</p>" in long._repr_html_()
