"""Operations without a rule are refused by name, file and line; every other method answers."""

import re
import warnings

import numpy as np
import pytest
import torch
from foreign_modules import CLASSES, TEXTS, WORDS, shaken
from torch import Tensor, nn
from torch.nn import functional

import whichword

PLACE = r"operations/test_refusals.py:\d+"


class TanhOfOnesOwn(torch.autograd.Function):
    """Nobody can see into it."""

    @staticmethod
    def forward(ctx: object, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return gradient * (1.0 - x.tanh() ** 2)


def tanh(x: Tensor) -> Tensor:
    return torch.tanh(x)


def product(x: Tensor, w: Tensor) -> Tensor:
    return torch.matmul(x, w)


def doubled(x: Tensor) -> Tensor:
    return x.mul_(2.0)


with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    scripted, scripted_sum, scripted_in_place = (torch.jit.script(function) for function in (tanh, product, doubled))


def without_gradient(net: "Refused", h: Tensor) -> Tensor:
    with torch.no_grad():
        g = net.second(h)
    return g.mean(1)


def changed_by_script(net: "Refused", h: Tensor) -> Tensor:
    g = 1.0 * h
    scripted_in_place(g)
    return g.mean(1)


# what is done with W e [n, P, 6] to get [n, 6], and how the refusal names it
OPERATIONS = {
    "exp pooling": (lambda net, h: h.exp().mean(1), "exp"),
    "log_softmax inside": (lambda net, h: functional.log_softmax(h, -1).mean(1), "log_softmax"),
    "softmax at the end": (lambda net, h: torch.softmax(h.mean(1), -1), "softmax"),
    "std as a pool": (lambda net, h: h.std(1, correction=0), "std"),
    "a product of two sums": (lambda net, h: (h * net.second(h)).mean(1), "mul"),
    "a square": (lambda net, h: (h * h).mean(1), "mul"),
    "a power": (lambda net, h: h.pow(2).mean(1), "pow"),
    "a matrix product of two sums": (lambda net, h: (h.mT @ net.second(h)).mean(1), "matmul"),
    "a quotient of two sums": (lambda net, h: (h / (9.0 + net.second(h))).mean(1), "div"),
    "a rounded quotient": (lambda net, h: torch.div(h, 0.1, rounding_mode="floor").mean(1), "div"),
    "detach": (lambda net, h: h.detach().mean(1), "detach"),
    "data": (lambda net, h: h.data.mean(1), "data"),
    "no_grad": (without_gradient, "linear under no_grad"),
    "a scripted function": (lambda net, h: scripted(h).mean(1), "TanhBackward0, computed out of sight,"),
    "a scripted sum": (lambda net, h: scripted_sum(h, net.second.weight).mean(1), "UnsafeViewBackward0, computed out"),
    "a scripted change": (changed_by_script, "MulBackward1, computed out of sight,"),
    "a function of one's own": (lambda net, h: TanhOfOnesOwn.apply(h).mean(1), "TanhOfOnesOwnBackward, computed out"),
    "vmap": (lambda net, h: torch.vmap(torch.tanh)(h).mean(1), "TanhBackward0, computed out of sight,"),
    "vmap of a sum": (lambda net, h: torch.vmap(net.second)(h).mean(1), "computed out of sight,"),
    # a gate that nobody can see into is no weight: a lost role is refused, not guessed
    "a gate of one's own": (lambda net, h: (TanhOfOnesOwn.apply(h) * net.second(h)).mean(1), "mul"),
    "a lost role in a sum": (lambda net, h: (TanhOfOnesOwn.apply(h) + h).mean(1), "TanhOfOnesOwnBackward, computed"),
}


class Refused(nn.Module):
    def __init__(self, operation: object) -> None:
        super().__init__()
        self.words, self.first, self.second = nn.Embedding(20, 6), nn.Linear(6, 6), nn.Linear(6, 6)
        self.operation, self.out = operation, nn.Linear(6, 3)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.operation(self, self.first(self.words(ids))))


def model_of(operation: object) -> whichword.model.Model:
    return whichword.wrap(shaken(Refused(operation)), vocabulary=WORDS, classes=CLASSES)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("method", ["lrp", "deeplift"])
def test_relevance_is_refused(name: str, method: str) -> None:
    operation, named = OPERATIONS[name]
    with pytest.raises(whichword.InputError) as refusal:
        whichword.explain(model_of(operation), TEXTS, method)
    line = str(refusal.value)
    assert line.startswith(f"{method} is not defined for Refused: no relevance rule for ")
    assert named in line
    assert "\n" not in line
    assert re.search(PLACE, line)


@pytest.mark.parametrize("name", OPERATIONS)
def test_all_other_methods_answer(name: str) -> None:
    methods = set(whichword.METHODS.names()) - {"lrp", "deeplift", "decomp"}
    operation, _ = OPERATIONS[name]
    for answer in whichword.explain(model_of(operation), [WORDS[1:10], WORDS[5:14]]):
        assert set(answer.relevance) >= methods
        assert not {"lrp", "deeplift"} & set(answer.relevance)
        assert all(np.isfinite(values).all() for values in answer.relevance.values())


SMOOTH = [name for name in OPERATIONS if name not in ("a rounded quotient", "a scripted change")]


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_are_those_of_the_function(name: str) -> None:
    """Against central differences: a model's own detach or no_grad does not make its derivative 0."""
    operation, _ = OPERATIONS[name]
    model = model_of(operation)
    (answer,) = whichword.explain(model, [TEXTS[0]], "grad_1_s_dot", target="x")
    numbers = [difference(model, t) for t in range(len(TEXTS[0]))]
    np.testing.assert_allclose(answer.relevance["grad_1_s_dot"], numbers, rtol=0, atol=1e-7)


def difference(model: whichword.model.Differentiable, t: int, step: float = 1e-5) -> float:
    """d s / d (scale of word t): e_t . grad."""
    from foreign_modules import batch_of

    batch = batch_of(model, [TEXTS[0]])
    e = model.embed(batch)
    ends = []
    for sign in (1.0, -1.0):
        scale = torch.ones(e.shape[1], 1, dtype=e.dtype)
        scale[t] += sign * step
        with torch.no_grad():
            ends.append(float(model.forward(e * scale, batch)[0, 0]))
    return (ends[0] - ends[1]) / (2.0 * step)


SWITCHED_ON = {
    "dropout is on": lambda net, h: functional.dropout(h, 0.5).mean(1),
    "batch norm is in training mode": lambda net, h: functional.batch_norm(h.mT, None, None, training=True).mean(2),
}


@pytest.mark.parametrize("message", SWITCHED_ON)
@pytest.mark.parametrize("method", ["lrp", "deeplift", "grad_1_s_dot", "occ_1"])
def test_randomness_that_is_switched_on_is_refused(message: str, method: str) -> None:
    with pytest.raises(whichword.InputError, match=f"{message}: call model.eval"):
        whichword.explain(model_of(SWITCHED_ON[message]), TEXTS[:3], method)


def test_a_part_in_training_mode_is_named() -> None:
    module = shaken(Refused(lambda net, h: h.mean(1)))
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES)
    module.second.train()
    with pytest.raises(whichword.InputError, match=r"in training mode \(second\): call model.eval\(\) first"):
        whichword.explain(model, TEXTS)


class CutOff(nn.Module):
    """Scores that do not depend on the vectors of the words, as far as torch can see."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.words, self.out, self.how = nn.Embedding(20, 3), nn.Linear(3, 3), how

    def forward(self, ids: Tensor) -> Tensor:
        if self.how == "indexed":
            return self.out(self.words.weight[ids].mean(1))
        if self.how == "shifted":
            return self.out(self.words((ids + 1) % 20).mean(1))
        return self.out((self.words(ids) > 0).double().mean(1))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("indexed", "never looked a word up in the table"),
        ("shifted", "looked up with other ids than the text's"),
        ("rounded", "have no gradient: they do not depend on its word vectors"),
    ],
)
def test_word_vectors_that_are_not_used(how: str, message: str) -> None:
    model = whichword.wrap(shaken(CutOff(how)), vocabulary=WORDS, classes=CLASSES)
    with pytest.raises(whichword.InputError, match=message):
        whichword.explain(model, TEXTS, "grad_1_s_dot")
