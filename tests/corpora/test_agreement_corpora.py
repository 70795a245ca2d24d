"""Linzen's columns, and treebanks: everything before the verb, its number, its subject."""

import csv
import gzip
import io
import os
from collections import Counter

import pytest

from whichword.corpora import counts_line, read_corpus
from whichword.errors import InputError
from whichword.games import GAMES

DATA = pytest.mark.skipif("WHICHWORD_DATA" not in os.environ, reason="WHICHWORD_DATA is not set")
HEADER = "sentence\torig_sentence\tpos_sentence\tsubj\tverb_pos\tsubj_index\tverb_index\tn_diff_intervening\n"
ROW = "the dogs of the NN bark .\tsame\tDT NNS IN DT NN VBP .\tdogs\tVBP\t2\t6\t1\n"


def parts(corpus):
    return corpus.train + corpus.heldout + corpus.test


def expectations(documents):
    """(last is the subject, last has the verb's number, a random word is the subject, has the verb's number)."""
    tags = {"singular": ("NN", "VBZ"), "plural": ("NNS", "VBP")}
    feats = [[tag in tags[d.label] for tag in d.tags] for d in documents]
    last = [d.subject == len(d.words) - 1 for d in documents]
    figures = (last, [f[-1] for f in feats], [1 / len(f) for f in feats], [sum(f) / len(f) for f in feats])
    return tuple(sum(figure) / len(documents) for figure in figures)


def test_positions_count_from_one_in_the_file_and_from_zero_here(tmp_path):
    (tmp_path / "wiki_agreement.tsv").write_text(HEADER + ROW)
    (document,) = parts(read_corpus("agreement", tmp_path))
    assert document.words == ("the", "dogs", "of", "the", "NN")
    assert document.tags == ("DT", "NNS", "IN", "DT", "NN")
    assert (document.subject, document.label, document.facts) == (1, "plural", {"attractors": "1"})


def many(count):
    return "".join(f"word{i} sleeps\tsame\tNN VBZ\tx\tVBZ\t1\t2\t0\n" for i in range(count))


def test_shares_and_numbers(tmp_path):
    (tmp_path / "wiki_agreement.tsv").write_text(HEADER + many(1_000))
    sizes = {
        "agreement": (90, 10),
        "agreement[train=200,heldout=50]": (200, 50),
        "agreement[train=0.5,heldout=0]": (500, 0),
    }
    for name, (train, heldout) in sizes.items():
        corpus = read_corpus(name, tmp_path)
        assert (len(corpus.train), len(corpus.heldout), len(corpus.test)) == (train, heldout, 1_000 - train - heldout)
    reverse = tmp_path / "reverse"
    reverse.mkdir()
    lines = many(1_000).splitlines(keepends=True)
    (reverse / "wiki_agreement.tsv").write_text(HEADER + "".join(lines[::-1]))
    assert read_corpus("agreement", reverse).train == read_corpus("agreement", tmp_path).train
    with pytest.raises(InputError, match=r"1\.5 is neither"):
        read_corpus("agreement[train=1.5]", tmp_path)


def test_linzens_own_file_has_csv_quoting_and_comes_first(tmp_path):
    quoted = HEADER + '"the """" dogs bark"\tsame\t"DT """" NNS VBP"\tdogs\tVBP\t3\t4\t0\n'
    (tmp_path / "agr_50_mostcommon_10K.tsv.gz").write_bytes(gzip.compress(quoted.encode()))
    (tmp_path / "wiki_agreement.tsv").write_text(HEADER + ROW)
    (document,) = parts(read_corpus("agreement", tmp_path))
    assert document.words == ("the", '""', "dogs")
    with pytest.raises(InputError, match=r"10K\.tsv\.gz:2: "):
        read_corpus("agreement[quoting=none]", tmp_path)


LINZEN = (
    *("sentence", "orig_sentence", "pos_sentence", "subj", "verb", "subj_pos", "has_rel", "has_nsubj", "verb_pos"),
    *("subj_index", "verb_index", "n_intervening", "last_intervening", "n_diff_intervening", "distance"),
    *("max_depth", "all_nouns", "nouns_up_to_verb"),
)
SPOKEN = {  # sentences in whose words there are quotes, and where their verb stands
    '" the dogs bark "': ('" DT NNS VBP "', 3, 4),
    'the " old " dogs bark': ('DT " JJ " NNS VBP', 5, 6),
    "the `` old '' dogs bark": ("DT `` JJ '' NNS VBP", 5, 6),
    "the cat 's dogs bark": ("DT NN POS NNS VBP", 4, 5),
}


def linzen(rows, quoting=csv.QUOTE_MINIMAL, ends="\r\n"):
    """The bytes of such a file as Python's csv module writes it (Linzen's own way), or without any quoting."""
    lines = [LINZEN, *rows]
    if quoting is None:
        return "".join("\t".join(line) + ends for line in lines).encode()
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t", quoting=quoting, lineterminator=ends).writerows(lines)
    return text.getvalue().encode()


def spoken(*sentences):
    for sentence in sentences:
        tags, subject, verb = SPOKEN[sentence]
        middle = ("dogs", "bark", "NNS", "False", "True", "VBP", str(subject), str(verb), "0", "na", "0", "1")
        yield (sentence, sentence.upper(), tags, *middle, "2", "dogs", "dogs")


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, None])
@pytest.mark.parametrize("order", [1, -1])
def test_linzens_file_is_read_as_it_is_with_quotes_or_without(tmp_path, quoting, ends, order):
    sentences = list(SPOKEN)[::order]
    (tmp_path / "agr_50_mostcommon_10K.tsv").write_bytes(linzen(spoken(*sentences), quoting, ends))
    documents = parts(read_corpus("agreement", tmp_path))
    expected = {tuple(words.split()[: verb - 1]) for words, (_, _, verb) in SPOKEN.items()}
    assert {document.words for document in documents} == expected
    assert {document.words[document.subject] for document in documents} == {"dogs"}
    written = parts(read_corpus("agreement[written=true]", tmp_path))
    assert {document.words for document in written} == {tuple(map(str.upper, words)) for words in expected}


@pytest.mark.parametrize("sentence", SPOKEN)
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, None])
def test_one_sentence_is_enough_to_tell_how_the_file_was_written(tmp_path, sentence, quoting):
    (tmp_path / "agr_50_mostcommon_10K.tsv.gz").write_bytes(gzip.compress(linzen(spoken(sentence), quoting)))
    (document,) = parts(read_corpus("agreement", tmp_path))
    assert document.words == tuple(sentence.split()[: SPOKEN[sentence][2] - 1])


def test_what_is_declared_is_not_looked_for(tmp_path):
    (tmp_path / "agr_50_mostcommon_10K.tsv").write_bytes(linzen(spoken('the " old " dogs bark'), None))
    with pytest.raises(InputError, match=r"10K\.tsv:2: a quote inside a field"):
        read_corpus("agreement[quoting=csv]", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("DT NNS IN DT NN VBP .", "DT NNS IN DT NN VBP", "7 words, but 6 tags"),
        ("the dogs of", "the  dogs", "between two words"),
        ("\t2\t6", "\t6\t6", "subject 6 and verb 6 are not in order"),
        ("\t2\t6", "\t0\t6", "subject 0"),
        ("\t2\t6", "\t2\t8", "verb 8"),
        ("\t2\t6", "\t2\t5", "the verb's tag is NN in the sentence and VBP in its column"),
        ("\tVBP\t", "\tVBD\t", "the verb's tag"),
        ("\t2\t6", "\t٢\t6", "subj_index '٢' is not a whole number"),
        ("\t1\n", "\t-1\n", "n_diff_intervening '-1'"),
    ],
)
def test_a_broken_row_is_refused(tmp_path, old, new, message):
    (tmp_path / "wiki_agreement.tsv").write_text(HEADER + many(1) + ROW.replace(old, new))
    with pytest.raises(InputError, match=rf"wiki_agreement\.tsv:3: .*{message}"):
        read_corpus("agreement", tmp_path)
    assert "1 accepted + 1 rejected = 2 seen" in counts_line(read_corpus("agreement[strict=false]", tmp_path).record)


def test_a_missing_column_is_named(tmp_path):
    (tmp_path / "wiki_agreement.tsv").write_text("sentence\tverb_pos\n")
    with pytest.raises(InputError, match=r"tsv:1: no column 'pos_sentence'"):
        read_corpus("agreement", tmp_path)


def conllu(*sentences):
    """Sentences of "form upos features head relation" words, separated by slashes."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(" / "), 1):
            form, upos, features, head, relation = word.split()
            lines.append("\t".join([str(number), form, "_", upos, "_", features, head, relation, "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


BARK = (
    "Die DET _ 2 det / Hunde NOUN Number=Plur 5 nsubj / des DET _ 4 det / Kanzlers NOUN Number=Sing 2 nmod "
    "/ bellen VERB Number=Plur|VerbForm=Fin 0 root"
)
COPULA = "Kim PROPN Number=Sing 3 nsubj / is AUX Number=Sing|VerbForm=Fin 3 cop / late ADJ _ 0 root"
LEFT_OUT = (
    "She PRON Number=Sing 2 nsubj / sleeps VERB Number=Sing|VerbForm=Fin 0 root",  # a pronoun
    "sleeps VERB Number=Sing|VerbForm=Fin 0 root / Kim PROPN Number=Sing 1 nsubj",  # after the verb
    "dogs NOUN Number=Plur 2 nsubj / must VERB VerbForm=Fin 0 root",  # no number
    "king NOUN Number=Sing 2 nsubj / sleep VERB Number=Plur|VerbForm=Fin 0 root",  # numbers differ
    "dogs NOUN Number=Plur 2 obj / see VERB Number=Plur|VerbForm=Fin 0 root",  # no subject
    "dogs NOUN Number=Plur 2 nsubj / seeing VERB Number=Plur|VerbForm=Part 0 root",  # not finite
)


@pytest.fixture
def treebank(tmp_path):
    folder = tmp_path / "UD_German-X"
    folder.mkdir()
    for part, content in (("train", conllu(BARK, COPULA)), ("dev", conllu(COPULA)), ("test", conllu(BARK, *LEFT_OUT))):
        (folder / f"de_x-ud-{part}.conllu").write_text(content)
    return folder


def test_treebank(treebank):
    corpus = read_corpus("ud", treebank.parent)
    bark, kim = corpus.train
    assert bark.words == ("die", "hunde", "des", "kanzlers")
    assert bark.tags == ("DET", "NNS", "DET", "NN")
    assert (bark.subject, bark.label, bark.facts) == (1, "plural", {"attractors": "1"})
    assert (kim.words, kim.tags, kim.subject, kim.label) == (("kim",), ("NNP",), 0, "singular")
    assert [d.words for d in corpus.heldout] == [("kim",)]
    assert [d.words for d in corpus.test] == [bark.words]
    assert counts_line(corpus.record) == "10 accepted + 0 rejected = 10 seen"


def test_rare_words_are_replaced_by_their_tags(treebank):
    corpus = read_corpus("ud[frequent=1]", treebank.parent)
    assert corpus.test[0].words in (("die", "NNS", "DET", "NN"), ("DET", "NNS", "DET", "NN"))


def test_several_treebanks_need_a_name(treebank):
    other = treebank.parent / "UD_Other"
    other.mkdir()
    with pytest.raises(InputError, match=r"UD_German-X, UD_Other\): say ud\[folder=NAME\]"):
        read_corpus("ud", treebank.parent)
    assert len(read_corpus("ud[folder=UD_German-X]", treebank.parent).train) == 2
    with pytest.raises(InputError, match=r"no file \*train\*\.conllu"):
        read_corpus("ud[folder=UD_Other]", treebank.parent)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4\tKanz", "5\tKanz", "not numbered 1, 2, 3"),
        ("NOUN", "SUBSTANTIV", "no universal part of speech"),
        ("\t5\tnsubj", "\t9\tnsubj", "head '9' is not in the sentence"),
        ("\t2\tdet", "\t0\tdet", "head 0 does not go with relation 'det'"),
        ("\t0\troot", "\t1\tdep", "not one root"),
        ("\t5\tnsubj", "\t4\tnsubj", "run in a circle"),
        ("Number=Plur|", "Number|", "are not Name=Value"),
        ("\tHunde\t", "\tHunde\t\t", "11 fields"),
        ("\tHunde\t", "\tHu\x0bnde\t", "a control character"),
        ("1\tDie", "# text = Die Katzen\n1\tDie", "the words are not those of the text"),
        ("1\tDie", "1-9\tDie\t_\t_\t_\t_\t_\t_\t_\t_\n1\tDie", "'1-9' is out of order"),
    ],
)
def test_a_broken_sentence_is_refused(treebank, old, new, message):
    path = treebank / "de_x-ud-dev.conllu"
    path.write_text(conllu(COPULA) + conllu(BARK).replace(old, new, 1))
    with pytest.raises(InputError, match=rf"dev\.conllu:5: .*{message}"):
        read_corpus("ud", treebank.parent)
    corpus = read_corpus("ud[strict=false]", treebank.parent)
    assert "1 rejected = 11 seen" in counts_line(corpus.record)


def test_a_treebank_that_was_cut_off_is_refused(treebank):
    path = treebank / "de_x-ud-test.conllu"
    path.write_text(conllu(BARK).removesuffix("\n"))
    with pytest.raises(InputError, match="the last sentence has no empty line after it"):
        read_corpus("ud", treebank.parent)


@pytest.mark.data
@DATA
def test_the_real_sentences_give_the_plain_counts():
    corpus = read_corpus("agreement[train=142000,heldout=15800]")
    assert (len(corpus.train), len(corpus.heldout), len(corpus.test)) == (142_000, 15_800, 274_177 - 157_800)
    documents = parts(corpus)
    assert Counter(d.label for d in documents) == {"singular": 189_006, "plural": 85_171}
    attractors = Counter(min(4, int(d.facts["attractors"])) for d in documents)
    assert attractors == {0: 256_732, 1: 13_964, 2: 2_626, 3: 556, 4: 299}
    assert expectations(documents) == pytest.approx((0.677, 0.763, 0.288, 0.360), abs=5e-4)
    assert sum(len(d.words) for d in documents) / len(documents) == pytest.approx(7.3, abs=0.05)


@pytest.mark.data
@DATA
def test_the_real_treebank():
    corpus = read_corpus("ud[folder=UD_English-EWT]")
    assert corpus.record["seen"] == str(12_544 + 2_001 + 2_077)
    assert min(len(corpus.train), 8 * len(corpus.heldout), 8 * len(corpus.test)) > 4_000
    assert all(d.tags[d.subject] in ("NN", "NNS", "NNP", "NNPS") for d in parts(corpus))


GENDER = (
    "# text = La casa del sol fue vista\n1\tLa\tel\tDET\t_\tGender=Fem\t2\tdet\t_\t_\n"
    "2\tcasa\tcasa\tNOUN\t_\tGender=Fem\t6\tnsubj:pass\t_\t_\n3\tdel\tde\tADP\t_\t_\t4\tcase\t_\t_\n"
    "4\tsol\tsol\tNOUN\t_\tGender=Masc\t2\tnmod\t_\t_\n5\tfue\tser\tAUX\t_\tVerbForm=Fin\t6\taux\t_\t_\n"
    "6\tvista\tver\tVERB\t_\tGender=Fem|VerbForm=Part\t0\troot\t_\t_\n\n"
    "# text = El sol visto\n1\tEl\tel\tDET\t_\tGender=Masc\t2\tdet\t_\t_\n"
    "2\tsol\tsol\tNOUN\t_\tGender=Masc\t3\tnsubj\t_\t_\n3\tvisto\tver\tVERB\t_\tGender=Masc|VerbForm=Part\t0\troot\t_\t_\n\n"
)


def test_any_feature_of_a_treebank(tmp_path):
    folder = tmp_path / "UD_Test"
    folder.mkdir()
    for part in ("train", "dev", "test"):
        (folder / f"{part}.conllu").write_text(GENDER, encoding="utf8")
    corpus = read_corpus("ud[feature=Gender]", tmp_path)
    assert corpus.classes == ("Fem", "Masc")
    first = corpus.test[0]
    assert (first.label, first.subject, first.facts["attractors"]) == ("Fem", 1, "1")
    assert first.tags == ("Fem", "Fem", "", "Masc", "")
    (item, _) = GAMES["agreement[feature=Gender]"].items(corpus.test, 0)
    assert item.targets == (1,)
    with pytest.raises(InputError, match="no verbs that differ in Tense"):
        read_corpus("ud[feature=Tense]", tmp_path)
