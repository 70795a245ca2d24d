"""A user's module, torch and transformers are as they were before, also after an exception; threads do not meet."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from foreign_modules import TEXTS, Convolutions, Encoder, Recurrent, partly_frozen, shaken, state, wrapped
from torch import Tensor, nn

import whichword

MODULES = {
    "lstm": lambda: Recurrent("LSTM", 2, True, "attention"),
    "gru": lambda: Recurrent("GRU", 1, False, "h_n"),
    "convolutions": lambda: Convolutions(nn.ReLU(inplace=True)),
    "encoder": lambda: Encoder(activation="gelu"),
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_stays_as_it_is(name: str) -> None:
    module = partly_frozen(MODULES[name])
    before = state(module)
    whichword.explain(wrapped(module), TEXTS)
    whichword.account(wrapped(module), TEXTS[0])
    assert state(module) == before


class Failing(nn.Module):
    """Fails in the middle, at the chosen call."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.first, self.out = nn.Embedding(20, 6), nn.Linear(6, 6), nn.Linear(6, 3)
        self.calls_left = 10**9

    def forward(self, ids: Tensor) -> Tensor:
        h = torch.tanh(self.first(self.words(ids)))
        object.__setattr__(self, "calls_left", self.calls_left - 1)
        if self.calls_left < 0:
            raise RuntimeError("out of order\nand more lines")
        return self.out(h.mean(1))


@pytest.mark.parametrize("method", ["lrp", "deeplift", "grad_1_s_dot", "omit_1"])
def test_an_exception_leaves_nothing_behind(method: str) -> None:
    module = partly_frozen(Failing)
    model = wrapped(module)
    whichword.explain(model, TEXTS, method)
    object.__setattr__(module, "calls_left", 1 if method == "lrp" else 4)  # lrp's own pass is the prediction's too
    before, modes = state(module), torch._C._len_torch_function_stack()
    with pytest.raises(whichword.InputError, match=r"^Failing failed on a text of \d pieces: out of order$"):
        whichword.explain(model, TEXTS, method)
    assert state(module) == before
    assert torch._C._len_torch_function_stack() == modes == 0
    assert torch.is_grad_enabled()


class Exponential(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding(20, 6), nn.Linear(6, 3)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.words(ids).exp().mean(1))


def test_a_refusal_leaves_nothing_behind() -> None:
    module = partly_frozen(Exponential)
    model = wrapped(module)
    before = state(module)
    for method in ("lrp", "deeplift"):
        with pytest.raises(whichword.InputError, match="no relevance rule for exp"):
            whichword.explain(model, TEXTS, method)
    assert state(module) == before


def test_threads_do_not_meet() -> None:
    """Modes are a thread's own: two models at once, many times, answer as they do alone."""
    models = [wrapped(shaken(make(), seed)) for seed, make in enumerate(MODULES.values())]
    methods = ["lrp", "deeplift", "grad_1_s_dot"]
    alone = [whichword.explain(model, TEXTS, methods) for model in models]

    def asked(number: int) -> tuple[int, list[whichword.Explanation]]:
        return number % len(models), whichword.explain(models[number % len(models)], TEXTS, methods)

    with ThreadPoolExecutor(4) as threads:
        for number, answers in threads.map(asked, range(24)):
            for answer, expected in zip(answers, alone[number], strict=True):
                for method in methods:
                    np.testing.assert_array_equal(answer.relevance[method], expected.relevance[method])


def test_no_class_of_another_library_is_patched() -> None:
    """Not a name of torch's or transformers' modules and classes is another one after all methods have answered."""
    script = Path(__file__).with_name("nothing_patched.py")
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=600, env=paths)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) > 1000
