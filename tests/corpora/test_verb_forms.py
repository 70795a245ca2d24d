"""The two forms of a sentence's verb: looked up, never guessed."""

import os

import pytest

from whichword.corpora import grammar, read_corpus
from whichword.corpora.grammar import VerbForms, singular_of
from whichword.text.places import places
from whichword.types import Document

DATA = pytest.mark.skipif("WHICHWORD_DATA" not in os.environ, reason="WHICHWORD_DATA is not set")


def documents(name, folder=None):
    corpus = read_corpus(name, folder)
    return corpus.train + corpus.heldout + corpus.test


def forms(document: Document) -> tuple[str | None, str | None]:
    return document.facts.get("singular"), document.facts.get("plural")


def test_the_third_person():
    pairs = {
        "are": "is",
        "were": "was",
        "have": "has",
        "do": "does",
        "go": "goes",
        "watch": "watches",
        "buzz": "buzzes",
    }
    pairs |= {"carry": "carries", "annoy": "annoys", "say": "says", "bark": "barks", "miss": "misses", "": "s"}
    assert {plural: singular_of(plural) for plural in pairs} == pairs


def test_the_most_frequent_form_is_taken_and_the_sentence_keeps_its_own():
    sightings = [("be", "singular", form) for form in ("is", "'s", "'s", "iz", "is")]
    known = VerbForms([*sightings, ("be", "plural", "are"), ("see", "plural", "see")])
    assert known.facts("be", "plural", "r") == {"singular": "is", "plural": "r"}
    assert list(known.facts("be", "plural", "r")) == ["singular", "plural"]
    assert known.facts("see", "plural", "see") == {}
    assert known.facts("be", "singular", "'s") == {}  # nothing that may follow a space
    assert known.facts("be", "singular", "") == {}


def test_the_grammar_draws_a_verb_of_its_lexicon_by_the_sentence():
    sentences = documents("grammar[sentences=200]")
    assert {forms(document) for document in sentences} <= set(grammar.VERBS)
    assert len({forms(document) for document in sentences}) > 50
    more = {document.key: forms(document) for document in documents("grammar[sentences=250]")}
    assert all(more.get(document.key, forms(document)) == forms(document) for document in sentences)


HEADER = "sentence\torig_sentence\tpos_sentence\tverb\tverb_pos\tsubj_index\tverb_index\tn_diff_intervening\n"


def rows(*verbs: tuple[str, str, str]) -> str:
    line = "the dogs {shown}\tThe hounds {form}\tDT NNS {tag}\t{form}\t{tag}\t2\t3\t0\n"
    return HEADER + "".join(line.format(form=form, tag=tag, shown=shown) for form, tag, shown in verbs)


def test_other_forms_are_attested_with_the_other_tag(tmp_path):
    verbs = [("barks", "VBZ", "barks"), ("bark", "VBP", "VBP"), ("are", "VBP", "are"), ("Is", "VBZ", "is")]
    verbs += [("catchs", "VBZ", "VBZ"), ("catch", "VBP", "catch")]  # not how catches is spelled
    (tmp_path / "wiki_agreement.tsv").write_text(rows(*verbs))
    found = {forms(document) for document in documents("agreement", tmp_path)}
    assert found == {("barks", "bark"), ("is", "are"), (None, None)}


def test_without_the_column_frequent_verbs_are_known(tmp_path):
    lines = rows(("barks", "VBZ", "barks"), ("bark", "VBP", "bark"), ("purrs", "VBZ", "VBZ"), ("purr", "VBP", "purr"))
    without = "".join(
        "\t".join(line.split("\t")[:3] + line.split("\t")[4:]) for line in lines.splitlines(keepends=True)
    )
    (tmp_path / "wiki_agreement.tsv").write_text(without)
    assert sorted(map(forms, documents("agreement", tmp_path)), key=str) == [
        ("barks", "bark"),
        ("barks", "bark"),
        (None, None),
        (None, None),
    ]


def test_words_as_they_were_written(tmp_path):
    (tmp_path / "wiki_agreement.tsv").write_text(rows(("bark", "VBP", "VBP")))
    (plain,), (written,) = (documents(name, tmp_path) for name in ("agreement", "agreement[written=true]"))
    assert (plain.text, written.text) == ("the dogs", "The hounds")
    assert (plain.key, plain.tags, plain.subject) == (written.key, written.tags, written.subject)
    (tmp_path / "wiki_agreement.tsv").write_text(rows(("bark", "VBP", "VBP")).replace("The hounds bark", "The"))
    with pytest.raises(Exception, match=r"tsv:2: 1 words as written, but 2 before the verb"):
        read_corpus("agreement[written=true]", tmp_path)
    (tmp_path / "wiki_agreement.tsv").write_text(rows().replace("orig_sentence", "other"))
    with pytest.raises(Exception, match=r"tsv:1: no column 'orig_sentence'"):
        read_corpus("agreement[written=true]", tmp_path)


SINGULAR, PLURAL = (f"Mood=Ind|Number={number}|VerbForm=Fin" for number in ("Sing", "Plur"))
SENTENCE = """
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2-3\tDogs'll\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tDogs\tdog\tNOUN\t_\tNumber={noun}\t5\tnsubj\t_\t_
3\t'll\twill\tAUX\t_\t_\t2\tdep\t_\t_
4\t,\t,\tPUNCT\t_\t_\t2\tpunct\t_\t_
5\t{form}\t{lemma}\tVERB\t_\t{features}\t0\troot\t_\t_
"""


def treebank(folder, *verbs: tuple[str, str, str]):
    parts = []
    for form, lemma, features in verbs:
        noun = "Sing" if "Sing" in features else "Plur"
        parts.append(SENTENCE.strip().format(form=form, lemma=lemma, features=features, noun=noun) + "\n\n")
    path = folder / "UD_X"
    path.mkdir()
    for name in ("train", "dev", "test"):
        (path / f"x-{name}.conllu").write_text("".join(parts) if name == "test" else parts[0])


def test_a_treebank_s_forms_have_one_lemma_and_all_features_but_the_number(tmp_path):
    past = PLURAL.replace("VerbForm", "Tense=Past|VerbForm")
    verbs = [("barks", "bark", SINGULAR), ("Bark", "bark", PLURAL), ("barked", "bark", past), ("sees", "see", SINGULAR)]
    treebank(tmp_path, *verbs, ("runs", "_", SINGULAR), ("run", "_", PLURAL))
    found = [forms(document) for document in read_corpus("ud", tmp_path).test]
    assert found == [("barks", "bark"), ("barks", "bark"), (None, None), (None, None), (None, None), (None, None)]


def test_a_treebank_as_it_was_written(tmp_path):
    treebank(tmp_path, ("barks", "bark", SINGULAR))
    plain, written = (read_corpus(name, tmp_path).test[0] for name in ("ud", "ud[written=true]"))
    assert (plain.text, plain.words) == ("the dogs 'll ,", ("the", "dogs", "'ll", ","))
    assert (written.text, written.words) == ("The Dogs'll,", ("The", "Dogs", "'ll", ","))
    assert places(written) == [0, 4, 8, 11]
    rare = read_corpus("ud[frequent=0,written=true]", tmp_path).test[0]
    assert rare.words == written.words


@pytest.mark.data
@DATA
def test_real_corpora():
    """So many sentences can be asked about; the pairs are English."""
    counts = {}
    for name in ("ud[folder=UD_English-EWT,written=true]", "agreement"):
        test = read_corpus(name).test
        pairs = [forms(document) for document in test if "plural" in document.facts]
        counts[name[:2]] = (len(pairs), len(test) - len(pairs))
        assert {("is", "are"), ("has", "have"), ("does", "do"), ("makes", "make")} <= set(pairs)
    assert counts == {"ud": (455, 60), "ag": (239_867, 6_892)}
