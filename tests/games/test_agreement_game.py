"""hit_target and hit_feat, on right and on wrong predictions."""

import dataclasses

import pytest

from whichword.errors import InputError
from whichword.games import GAMES, AgreementGame
from whichword.planning.spec import relabelled
from whichword.types import Corpus, Document

SENTENCE = Document(
    key="k",
    words=("the", "keys", "he", "holds", "near", "the", "cabinet", "they", "own", "Paris"),
    label="plural",
    tags=("DT", "NNS", "PRP", "VBZ", "IN", "DT", "NN", "PRP", "VBP", "NNP"),
    subject=1,
    facts={"attractors": "1"},
)


def item(**changes):
    [made] = AgreementGame().items([dataclasses.replace(SENTENCE, **changes)], 0)
    return made


def test_item():
    made = item()
    assert made.key == "k"
    assert made.words == SENTENCE.words
    assert made.gold == "plural"
    assert made.targets == (1,)
    assert made.facts == {"attractors": "1"}
    assert made.labels == ("", "plural", "", "singular", "", "", "singular", "", "plural", "")


def test_right_prediction():
    assert AgreementGame().rewarded(item(), "plural") == {
        "hit_target": {1},
        "hit_feat_correct": {1, 8},
        "hit_feat_wrong": None,
    }


def test_wrong_prediction():
    assert AgreementGame().rewarded(item(), "singular") == {
        "hit_target": None,
        "hit_feat_correct": None,
        "hit_feat_wrong": {3, 6},
    }


def test_no_word_with_the_number_stays_in_as_a_sure_miss():
    lonely = item(words=("sheep",), tags=("FW",), subject=0)
    assert AgreementGame().rewarded(lonely, "singular")["hit_feat_wrong"] == frozenset()
    assert AgreementGame().rewarded(lonely, "plural")["hit_feat_correct"] == frozenset()


@pytest.mark.parametrize(("label", "predicted"), [("VBP", "VBP"), ("Plur", "plural"), ("plural", "NNS")])
def test_classes_may_be_called_by_a_tag(label, predicted):
    assert AgreementGame().rewarded(item(label=label), predicted)["hit_target"] == {1}
    assert AgreementGame().rewarded(item(label=label), "VBZ")["hit_target"] is None
    assert item(label=label).gold == label


def test_number_feature_of_universal_dependencies():
    made = item(words=("a", "b", "c"), tags=("Sing", "Plur", ""), subject=0)
    assert made.labels == ("singular", "plural", "")


def test_a_class_that_is_no_number_is_refused():
    with pytest.raises(InputError, match=r"class 'sci\.med' is no number; it may be called VBZ, NN"):
        AgreementGame().rewarded(item(), "sci.med")
    with pytest.raises(InputError, match="class 'x' is no number"):
        item(label="x")


@pytest.mark.parametrize("subject", [None, -1, 10])
def test_no_subject(subject):
    with pytest.raises(InputError, match="document k has no subject among its 10 words"):
        item(subject=subject)


@pytest.mark.parametrize("subject", [0, 9])
def test_subject_at_either_end(subject):
    assert item(subject=subject).targets == (subject,)


def test_too_few_tags():
    with pytest.raises(InputError, match="document k has 10 words, but 2 tags"):
        item(tags=("NN", "VBZ"))


def test_without_tags_only_the_subject_counts():
    rewards = AgreementGame().rewarded(item(tags=()), item().gold)
    assert rewards["hit_target"] == frozenset(item().targets)
    assert rewards["hit_feat_correct"] is None


def test_registered():
    assert GAMES["agreement"] == AgreementGame()
    assert tuple(AgreementGame().rewarded(item(), "plural")) == AgreementGame().parts
    assert (GAMES.kind, GAMES.group) == ("game", "whichword.games")


def test_numbers_may_be_called_anything_where_labels_were_mapped():
    """A model's LABEL_0 is singular: hits are those of a model that says singular."""
    plain, names = AgreementGame(), {"singular": "LABEL_0", "plural": "LABEL_1"}
    documents = [SENTENCE, dataclasses.replace(SENTENCE, key="other", label="singular", subject=6)]
    corpus = relabelled(Corpus("c", ("singular", "plural"), (), (), tuple(documents)), names)
    assert [document.label for document in corpus.test] == ["LABEL_1", "LABEL_0"]
    for original, mapped in zip(plain.items(documents, 0), plain.items(corpus.test, 0), strict=True):
        assert mapped.gold == names[original.gold]
        for number, name in names.items():
            assert plain.rewarded(mapped, name) == plain.rewarded(original, number)
        assert plain.rewarded(mapped, "LABEL_2")["hit_feat_wrong"] == frozenset()
    with pytest.raises(InputError, match="class 'LABEL_0' is no number"):
        plain.rewarded(item(), "LABEL_0")
