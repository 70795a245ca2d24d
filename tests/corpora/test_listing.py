"""The list of corpora, how they are found, and fetching."""

import hashlib
import io
import tarfile
from dataclasses import dataclass
from typing import ClassVar

import pytest

from whichword.corpora import CORPORA, CorpusAbout, data_folder, describe, fetch, read_corpus
from whichword.errors import InputError


def test_every_corpus_says_where_it_comes_from(tmp_path):
    listed = {line.name: line for line in describe(tmp_path)}
    real = ["20newsgroups", "imdb", "yelp", "agreement", "manual", "ud"]
    assert list(listed) >= ["docstrings", "grammar", *real, "huggingface"]
    assert all(line.licence and line.source for line in listed.values())
    assert all(listed[name].state == "missing" and listed[name].get for name in real)
    assert listed["docstrings"].state == listed["grammar"].state == "built in"
    for name in real:
        with pytest.raises(InputError, match=rf"^corpus {name} is not in [^\n]*; [^\n]+$"):
            read_corpus(name, tmp_path)


def test_present_with_its_size(tmp_path):
    (tmp_path / "imdb_train.jsonl").write_bytes(b"12345")
    assert next(line for line in describe(tmp_path) if line.name == "imdb").state == "missing"
    (tmp_path / "imdb_test.jsonl").write_bytes(b"123")
    found = next(line for line in describe(tmp_path) if line.name == "imdb")
    assert (found.state, found.size) == ("present", 8)


def test_a_wrong_name_gets_a_hint():
    with pytest.raises(InputError, match="did you mean docstrings"):
        read_corpus("docstring")


def test_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WHICHWORD_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert data_folder("/elsewhere") != tmp_path
    monkeypatch.delenv("WHICHWORD_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".cache/whichword"


def archive(path, members):
    with tarfile.open(path, "w:gz") as file:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("corpus/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        file.addfile(link)


@pytest.fixture
def fetchable(tmp_path, monkeypatch):
    """Register a corpus whose address is a local archive."""
    place = tmp_path / "far"
    place.mkdir()
    archive(place / "a.tar.gz", {"corpus/one.txt": b"1", "../out.txt": b"x", "/whichword-out.txt": b"x"})

    def registered(**changes):
        known = {"address": (place / "a.tar.gz").as_uri(), "files": (("corpus",),), **changes}

        @dataclass(frozen=True)
        class Far:
            about: ClassVar[CorpusAbout] = CorpusAbout(source="far", licence="free", **known)

        monkeypatch.setitem(CORPORA._entries, "far", Far())
        return tmp_path / "near"

    return registered


def test_fetching_an_archive(fetchable, tmp_path):
    digest = hashlib.sha256((tmp_path / "far/a.tar.gz").read_bytes()).hexdigest()
    near, seen = fetchable(checksum=digest), []
    assert fetch("far", near, progress=lambda done, total: seen.append((done, total))) == [near / "corpus"]
    assert sorted(path.name for path in near.rglob("*")) == ["corpus", "one.txt"]
    assert seen[-1][0] == seen[-1][1] > 0
    (tmp_path / "far/a.tar.gz").unlink()
    assert fetch("far", near) == [near / "corpus"]  # it is there: nothing is loaded


@pytest.mark.parametrize(
    "change", [{"checksum": "0" * 64}, {"files": (("other",),)}, {"address": "file:///none.tar.gz"}]
)
def test_what_is_not_the_corpus_is_refused_and_leaves_nothing_half_done(fetchable, change):
    near = fetchable(**change)
    with pytest.raises(InputError, match=r"^corpus far") as caught:
        fetch("far", near)
    assert "\n" not in str(caught.value)
    assert not [path for path in near.iterdir() if path.name.startswith(".fetching")]


def test_a_broken_archive_is_refused(fetchable, tmp_path):
    path = tmp_path / "far/a.tar.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"^corpus far"):
        fetch("far", fetchable())


def test_what_has_no_address_cannot_be_fetched(tmp_path):
    with pytest.raises(InputError, match="corpus yelp cannot be fetched: accept"):
        fetch("yelp", tmp_path)
    with pytest.raises(InputError, match="it needs no file"):
        fetch("grammar", tmp_path)
