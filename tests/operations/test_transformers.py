"""Eleven families of transformers, unmodified: forward, account, eager against sdpa, batches; nothing is patched."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from foreign_modules import account_gap, batch_of, check_rules, forward_gap, partly_frozen, row_gap, state
from tiny_transformers import FAMILIES, ONLY_EAGER, ROUNDING, WORDS, classifier, tokenizer

import whichword
from whichword.models.module import ModuleModel

# transformers scripts some functions of its own when a family is first used
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")

TEXTS = [WORDS[3:12], WORDS[20:24], ["w7", "w7", "w2", "w19", "w5", "w7", "w11", "w40", "w1"], ["w4"]]
METHODS = ["lrp", "lrp[attention=attnlrp]", "deeplift"]


def wrapped(family: str, attention: str = "eager", unrounded: bool = False) -> ModuleModel:
    model = whichword.wrap(classifier(family, attention), tokenizer())
    assert isinstance(model, ModuleModel)
    model.unrounded = unrounded
    return model


@pytest.mark.parametrize("family", FAMILIES)
def test_forward_account_and_rows(family: str) -> None:
    model = wrapped(family, unrounded=family in ROUNDING)
    assert model.has_attention
    check_rules(model, TEXTS)


@pytest.mark.parametrize("family", ROUNDING)
def test_families_that_round_inside(family: str) -> None:
    """They go through single precision: what is left of the account is 1e-6, and nothing worse."""
    model = wrapped(family)
    for attention in ("weight", "attnlrp"):
        assert forward_gap(model, TEXTS, attention) <= 1e-6
        assert account_gap(model, TEXTS[0], f"lrp[attention={attention}]") <= 1e-6
    assert row_gap(model, TEXTS, METHODS) <= 1e-5
    model.unrounded = True
    unrounded = model.score(batch_of(model, TEXTS))
    model.unrounded = False
    assert 1e-12 < float((unrounded - model.score(batch_of(model, TEXTS))).abs().max()) <= 1e-5


@pytest.mark.parametrize("family", [family for family in FAMILIES if family not in ONLY_EAGER])
def test_eager_and_sdpa_agree(family: str) -> None:
    ways = [wrapped(family, attention, family in ROUNDING) for attention in ("eager", "sdpa")]
    methods = [*METHODS, "grad_1_s_dot", "grad_int_p_l2", "omit_1", "occ_1", "limsse_ms_s"]
    for eager, fused in zip(*(whichword.explain(model, TEXTS[:2], methods) for model in ways), strict=True):
        for method in methods:
            a, b = eager.relevance[method], fused.relevance[method]
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(a).max(), err_msg=method)


@pytest.mark.parametrize("family", FAMILIES)
def test_specials_are_no_words(family: str) -> None:
    """What falls on [CLS] and [SEP] is told apart, and is the account's."""
    model = wrapped(family, unrounded=family in ROUNDING)
    (answer,) = whichword.explain(model, TEXTS[:1], METHODS)
    assert len(answer.relevance["lrp"]) == len(TEXTS[0])
    for method in METHODS[:2]:
        account = answer.account(method)
        assert account.specials == pytest.approx(answer.rest[method], rel=1e-9)
        assert account.words == pytest.approx(float(answer.relevance[method].sum()), rel=1e-9, abs=1e-12)
        assert account.specials != 0.0
    assert answer.rest["deeplift"] == 0.0  # they are the same in the reference
    assert answer.account().decisions
    assert all(".py:" in place for place in answer.account().decisions)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_transformer_stays_as_it_is(family: str) -> None:
    """Its parameters, buffers, hooks, flags and classes; also after a refusal in the middle of a pass."""
    module = partly_frozen(lambda: classifier(family))
    before = state(module)
    model = whichword.wrap(module, tokenizer())
    whichword.explain(model, TEXTS[:2], [*METHODS, "grad_1_s_dot", "omit_1", "occ_1", "limsse_ms_s"])
    whichword.account(model, TEXTS[0])
    assert state(module) == before
    failing = module.register_forward_hook(refuse)
    during = state(module)
    for method in (*METHODS, "grad_1_s_dot", "omit_1"):
        with pytest.raises(whichword.InputError, match="failed on a text of 11 pieces: out of order"):
            whichword.explain(model, TEXTS[:1], method)
    assert state(module) == during
    failing.remove()


def refuse(*args: object) -> None:
    raise RuntimeError("out of order")
