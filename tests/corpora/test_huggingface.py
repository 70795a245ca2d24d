"""The Hugging Face extra: datasets from a local folder; one clear line without the package."""

import json
import sys

import pytest

from whichword.corpora import read_corpus
from whichword.errors import InputError


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match=r"pip install \"whichword\[huggingface\]\""):
        read_corpus("huggingface[dataset=x]")


def test_a_dataset_must_be_named():
    with pytest.raises(InputError, match="name a dataset"):
        read_corpus("huggingface")


def test_a_local_dataset(tmp_path_factory, monkeypatch):
    tmp_path = tmp_path_factory.mktemp("hub")  # the name of a folder may not look like a split
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    pytest.importorskip("datasets")
    for part, count in (("train", 60), ("test", 7)):
        rows = [{"text": f"{part} text {i}", "label": "xy"[i % 2]} for i in range(count)]
        (tmp_path / f"{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = read_corpus(f"huggingface[dataset={tmp_path}]")
    assert corpus.classes == ("x", "y")
    assert (len(corpus.train) + len(corpus.heldout), len(corpus.test)) == (60, 7)
    assert 0 < len(corpus.heldout) < 20
    with pytest.raises(InputError, match="split none"):
        read_corpus(f"huggingface[dataset={tmp_path},test=none]")
