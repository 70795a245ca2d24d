"""Names and settings: name[setting=value], patterns, and what is refused."""

import numpy as np
import pytest
from contract_networks import WORDS, make_network

import whichword
from whichword import METHODS, InputError

TEXT = [list(WORDS[:12])]


@pytest.mark.parametrize(
    ("spelling", "label"),
    [
        ("lrp[eps=1e-06]", "lrp[eps=1e-6]"),
        ("lrp[eps=0.001]", "lrp"),
        ("occ_3[ edges = right ]", "occ_3[edges=right]"),
        ("occ_3[edges=clip]", "occ_3"),
        ("omit_11", "omit_11"),
        ("limsse_bb[samples=3000]", "limsse_bb[samples=3000]"),
        ("limsse_bb[samples=none]", "limsse_bb"),
        ("deeplift[readout=rescale,eps=1e-4]", "deeplift[eps=0.0001,readout=rescale]"),
        ("grad_int_s_dot[steps=10]", "grad_int_s_dot[steps=10]"),
    ],
)
def test_one_thing_has_one_label_and_is_found_under_the_name_it_was_asked_by(spelling: str, label: str) -> None:
    assert METHODS.resolve(spelling)[0] == label
    relevance = whichword.explain(make_network("lstm", False), TEXT, [spelling, label, "last"])[0].relevance
    assert list(relevance) == list(dict.fromkeys([spelling, label, "last"]))
    np.testing.assert_array_equal(relevance[spelling], relevance[label])


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("lpr", "did you mean lrp"),
        ("omit_0", "no method is called"),
        ("omit_03", "no method is called"),
        ("lrp[eps=-1]", "eps must be a positive number"),
        ("lrp[eps=0]", "eps must be a positive number"),
        ("lrp[eps=nan]", "setting eps must be a number"),
        ("lrp[epsilon=1]", "has no setting 'epsilon'; it has: eps"),
        ("lrp[eps]", "must be written name=value"),
        ("lrp[eps=small]", "must be a number"),
        ("lrp[eps=1", "write name or name"),
        ("occ_3[n=7]", "has no setting 'n'"),
        ("occ_3[edges=left]", "edges must be one of"),
        ("limsse_bb[samples=0]", "samples must be a whole number"),
        ("limsse_bb[samples=2.5]", "samples must be a whole number"),
        ("deeplift[readout=other]", "readout must be one of"),
        ("grad_int_s_l2[steps=0]", "steps must be at least 1"),
        ("random[seed=1]", "has no setting"),
    ],
)
def test_what_is_wrong_is_said(spelling: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("[", r"\[")):
        whichword.explain(make_network("lstm", False), TEXT, [spelling])


def test_settings_change_the_answer() -> None:
    network = make_network("lstm", False)
    for name in ("lrp[eps=1]", "occ_3[edges=right]", "deeplift[readout=rescale]", "grad_int_s_dot[steps=2]"):
        plain = name.partition("[")[0]
        relevance = whichword.explain(network, TEXT, [plain, name])[0].relevance
        assert np.abs(relevance[plain] - relevance[name]).max() > 1e-6, name


def test_a_method_that_a_network_lacks() -> None:
    network = make_network("cnn", False)
    assert "decomp" not in whichword.explain(network, TEXT)[0].relevance
    assert "decomp" not in whichword.explain(network, TEXT, "all")[0].relevance
    with pytest.raises(InputError, match="decomp is not defined for cnn: no gated memory is read out linearly"):
        whichword.explain(network, TEXT, ["lrp", "decomp"])


def test_unknown_class_and_empty_list() -> None:
    network = make_network("cnn", False)
    with pytest.raises(InputError, match="no class 'w'; it has: x, y, z"):
        whichword.explain(network, TEXT, ["lrp"], target="w")
    with pytest.raises(InputError, match="no method was named"):
        whichword.explain(network, TEXT, [])
    with pytest.raises(InputError, match="a string or a list of words"):
        whichword.explain(network, [[1, 2]], ["lrp"])  # type: ignore[list-item]


def test_too_few_draws_are_said() -> None:
    notes = whichword.explain(make_network("cnn", False), TEXT, ["limsse_ms_s[samples=3]", "limsse_ms_s"])[0].notes
    assert "minimum-norm" in notes["limsse_ms_s[samples=3]"]
    assert "limsse_ms_s" not in notes


def test_all_methods_of_the_paper_are_there() -> None:
    paper = [f"grad_{kind}_{o}_{r}" for r in ("l2", "dot") for kind in ("1", "int") for o in "sp"]
    paper += [f"{name}_{n}" for name in ("omit", "occ") for n in (1, 3, 7)]
    paper += ["decomp", "lrp", "deeplift", "limsse_bb", "limsse_ms_s", "limsse_ms_p", "random", "last"]
    assert METHODS.names()[: len(paper)] == paper
