"""The paper's file says what the paper says, and wrong files are refused in one line."""

import json
from pathlib import Path

import pytest
from experiments.paper.published import read_published
from experiments.paper.spec import read_reproduction

from whichword.errors import InputError
from whichword.methods import METHODS

PAPER = Path(__file__).parents[2] / "experiments" / "paper" / "paper.toml"


def test_fourteen_networks_fill_27_columns() -> None:
    spec = read_reproduction(PAPER)
    playings = spec.playings()
    assert len({playing.model for playing in playings}) == 14
    filled = sorted(column for playing in playings for column in playing.columns.values())
    assert filled == [f"C{number:02d}" for number in range(1, 28)]
    published = read_published(spec.published)
    for playing in playings:
        for column in playing.columns.values():
            assert published[column].model == playing.network


def test_rows_are_the_papers_and_every_method_is_known() -> None:
    spec = read_reproduction(PAPER)
    published = read_published(spec.published)
    assert list(spec.rows) == list(published["C16"].accuracies)
    assert spec.rows["limsse_ms_s"] == "limsse_ms_s[samples=3000]"
    labels = [METHODS.resolve(name)[0] for name in spec.methods + spec.extra]
    assert labels == [*spec.methods, *spec.extra]  # in the spelling that runs store
    assert len(set(labels)) == len(labels) == 30


def test_sizes_are_the_papers(tmp_path: Path) -> None:
    groups = read_reproduction(PAPER).groups
    lstm, cnn = (groups["topic"].settings(kind, tmp_path, 0) for kind in ("lstm", "cnn"))
    assert (lstm.bidirectional, lstm.hidden, cnn.bidirectional, cnn.hidden) == (True, 75, False, 150)
    assert lstm.vectors == str(tmp_path / "glove.6B.100d.subset.txt")
    agreement = groups["agreement"].settings("gru", tmp_path, 3)
    assert (agreement.embedding, agreement.hidden, agreement.bidirectional) == (50, 50, False)
    assert (agreement.seed, agreement.vectors) == (3, None)


def test_the_papers_own_corpus_is_taken_where_it_is(tmp_path: Path) -> None:
    group = read_reproduction(PAPER).groups["sentiment"]
    assert group.spelling(tmp_path) == "imdb"
    (tmp_path / "yelp_academic_dataset_review.json").write_text(json.dumps({"text": "fine", "stars": 5}))
    assert group.spelling(tmp_path) == "yelp[share=0.05]"


def test_only() -> None:
    spec = read_reproduction(PAPER)
    assert [playing.name for playing in spec.playings(("C10", "agreement-gru"))] == ["topic-cnn", "agreement-gru"]
    assert [playing.model for playing in spec.playings(("manual",))] == [
        f"topic-{kind}" for kind in ("gru", "qgru", "lstm", "qlstm", "cnn")
    ]
    with pytest.raises(InputError, match="nothing is called 'topics'"):
        spec.playings(("topics",))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 0", "sed = 0", "no setting is called 'sed'"),
        ("batch = 16", "batches = 16", "group topic, training: no setting is called 'batches'"),
        ('"C09", "C10"]', '"C09"]', "group topic: a part has not one column for each network"),
        ('models = "topic"', 'models = "topics"', "group manual: no group 'topics' trains networks"),
        ('results = "results"', "", "'results' is missing"),
        ("seed = 0", "seed =", "not TOML"),
    ],
)
def test_wrong_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = PAPER.read_text()
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_reproduction(path)


def test_wrong_figures(tmp_path: Path) -> None:
    path = tmp_path / "published.csv"
    path.write_text("column,game,model,method,accuracy\nC01,hybrid,gru,lrp,high\n")
    with pytest.raises(InputError, match=r"published\.csv:2: accuracy 'high' is not a number"):
        read_published(path)
