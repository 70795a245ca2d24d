"""The app's heat maps are the library's, told as methods finish."""

import json

import html5lib
import numpy as np
import pytest
from starlette.testclient import TestClient
from web_shelf import CLASSES, METHODS, TEXT, events

from whichword import explain
from whichword.errors import InputError
from whichword.extras.app.jobs import Results, Shelf


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_answers_are_those_of_explain(client: TestClient, shelf: Shelf, number: int) -> None:
    told = events(client, model=number, methods=METHODS, text=TEXT)
    undefined = told[0]["undefined"]
    expected = explain(shelf.model(number), TEXT, [name for name in METHODS if name not in undefined])[0]
    assert told[0]["words"] == list(expected.words)
    assert told[0]["predicted"] == told[0]["target"] == expected.predicted
    assert told[0]["scores"] == pytest.approx(expected.scores, rel=1e-5)
    assert told[0]["probabilities"] == pytest.approx(expected.probabilities, rel=1e-5)
    assert told[0]["unknown"] == [t for t, unknown in enumerate(expected.unknown) if unknown] == [3]
    found = {one["method"]: one for line in told if line["event"] == "methods" for one in line["methods"]}
    assert found.keys() == expected.relevance.keys()
    for name, values in expected.relevance.items():
        assert found[name]["phi"] == pytest.approx(values.tolist(), rel=1e-4, abs=1e-5 * float(np.abs(values).max()))
        assert found[name]["rmax"] == expected.rmax(name)


def test_decomp_is_not_defined_for_a_cnn(client: TestClient) -> None:
    assert events(client, model=0, methods=["lrp", "decomp"], text=TEXT)[0]["undefined"].keys() == {"decomp"}


def test_families_are_told_one_after_the_other_with_their_time(client: TestClient) -> None:
    told = events(client, model=1, methods=METHODS, text=TEXT)
    assert [line["event"] for line in told] == ["read", *["methods"] * 6, "end"]
    assert all(line["seconds"] > 0 for line in told if line["event"] == "methods")


def test_another_class_can_be_explained(client: TestClient, shelf: Shelf) -> None:
    for target in CLASSES:
        told = events(client, methods=["lrp"], text=TEXT, target=target)
        expected = explain(shelf.model(0), TEXT, ["lrp"], target)[0]
        assert told[0]["target"] == target
        assert told[1]["methods"][0]["phi"] == pytest.approx(expected.relevance["lrp"].tolist(), rel=1e-4, abs=1e-6)


def test_words_are_taken_as_they_are(client: TestClient) -> None:
    words = ["w1 w2", "", "don't", "\n"]
    assert events(client, words=words)[0]["words"] == words
    assert events(client, text="w1 w2 don't")[0]["words"] == ["w1", "w2", "do", "n't"]


def test_gaps_are_those_of_the_text(client: TestClient) -> None:
    said = events(client, text=" w1,w2\r\n\tdon't <b> ")[0]
    assert said["words"] == ["w1", ",", "w2", "do", "n't", "<", "b", ">"]
    assert said["gaps"] == [" ", "", "", "\r\n\t", "", " ", "", "", " "]
    for words in (["do", "n't", "."], ["w1 w2", "", " "]):
        assert events(client, words=words)[0]["gaps"] == ["", " ", " ", ""]


def test_copies_have_the_text_as_it_was_written(client: TestClient) -> None:
    text = "  w1,w2\n\n don't\t<b> "
    told = events(client, methods=["last"], text=text)
    question = {"result": told[0]["result"], "methods": ["last"]}
    copies = {
        form: client.post("/api/copy", json={**question, "form": form}).json()["text"]
        for form in ("html", "json", "latex")
    }
    tree = html5lib.parseFragment(copies["html"], namespaceHTMLElements=False)
    assert "".join(next(tree.iter("div")).itertext()) == text
    assert json.loads(copies["json"])["text"] == text
    assert r"\par \textit{do}\textit{n\textquotesingle{}t} " in copies["latex"]


def test_levels_are_the_heat_map(client: TestClient) -> None:
    found = events(client, text=TEXT)[1]["methods"][0]
    phi = np.array(found["phi"])
    assert np.array_equal(found["levels"], np.rint(120 * phi / np.abs(phi).max()))
    assert max(map(abs, found["levels"])) == 120


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"text": ""}, "no word"),
        ({"text": " \n\t "}, "no word"),
        ({"words": []}, "no word"),
        ({"text": TEXT, "target": "pear"}, "no class 'pear'"),
        ({"text": TEXT, "model": 3}, "no model with the number 3"),
        ({"text": TEXT, "model": -1}, "no model with the number -1"),
    ],
)
def test_what_cannot_be_explained_is_refused_with_its_reason(client: TestClient, question: dict, reason: str) -> None:
    answer = client.post("/api/explain", json={"model": 0, "methods": ["lrp"], **question})
    assert answer.status_code == 400
    assert reason in answer.json()["error"]


def test_copies_come_from_the_one_renderer(client: TestClient, shelf: Shelf) -> None:
    result = events(client, model=1, methods=["lrp", "omit_1", "last"], text=TEXT)[0]["result"]
    copies = {
        form: client.post("/api/copy", json={"result": result, "form": form, "methods": ["lrp", "omit_1"]}).json()[
            "text"
        ]
        for form in ("html", "json", "latex")
    }
    expected = explain(shelf.model(1), TEXT, ["lrp", "omit_1"])[0]
    assert expected._repr_html_().partition("</details>")[2] in copies["html"]
    assert json.loads(copies["json"])["words"] == json.loads(expected.to_json())["words"]
    assert list(json.loads(copies["json"])["relevance"]) == ["lrp", "omit_1"]
    assert r"\colorbox[RGB]" in copies["latex"]
    assert "strange" in copies["latex"]


def test_copies_have_the_chosen_colours(client: TestClient) -> None:
    result = events(client, text=TEXT)[0]["result"]
    question = {"result": result, "form": "html", "methods": ["lrp"]}
    assert "rgba(0,137,0" in client.post("/api/copy", json=question).json()["text"]
    other = client.post("/api/copy", json=question | {"palette": "colour-blind"}).json()["text"]
    assert "rgba(0,122,190" in other
    assert "rgba(0,137,0" not in other


@pytest.mark.parametrize(
    "change", [{"form": "pickle"}, {"palette": "grey"}, {"methods": ["omit_3"]}, {"result": "0"}, {"result": "../../x"}]
)
def test_what_cannot_be_copied_is_refused(client: TestClient, change: dict) -> None:
    result = events(client, text=TEXT)[0]["result"]
    question = {"result": result, "form": "html", "methods": ["lrp"]} | change
    assert client.post("/api/copy", json=question).status_code == 400


def test_only_the_last_results_are_kept() -> None:
    class Fake:
        def __init__(self, name: str) -> None:
            self.name = name

    results = Results(2)
    for name in "ab":
        results.keep(Fake(name))  # type: ignore[arg-type]
    assert results["a"].name == "a"
    results.keep(Fake("c"))  # type: ignore[arg-type]
    assert len(results) == 2
    assert results["a"].name == "a"  # it was used later than b
    with pytest.raises(InputError, match="explain the text again"):
        results["b"]
