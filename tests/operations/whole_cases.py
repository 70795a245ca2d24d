"""Uses of operations that are taken apart, of what is nothing to relevance, and of what has to be refused."""

import numpy as np
import torch
from moving_cases import C
from ruled_cases import W, b
from torch import Tensor
from torch.nn import functional

WIDE = torch.linspace(-1.0, 2.0, 24 * 6, dtype=torch.float64).view(24, 6).sin()
TALL = torch.linspace(-2.0, 1.0, 24, dtype=torch.float64).cos() * 0.5
WEIGHTS = {"lstm": 24, "gru": 18, "rnn_tanh": 6, "rnn_relu": 6}


def flat(kind: str) -> list[Tensor]:
    """W, U, b_ih, b_hh of one layer."""
    rows = WEIGHTS[kind]
    return [WIDE[:rows], WIDE[:rows].flip(0), TALL[:rows], TALL[:rows].flip(0)]


def sequence(kind: str) -> object:
    function, zeros = getattr(torch, kind), torch.zeros(1, 1, 6, dtype=torch.float64)
    hx = (zeros, zeros) if kind == "lstm" else zeros
    return lambda x: function(x, hx, flat(kind), True, 1, 0.0, False, False, True)[0]


def cell(kind: str) -> object:
    def steps(x: Tensor) -> Tensor:
        h = c = torch.zeros(1, 6, dtype=torch.float64)
        for word in x.unbind(1):
            after = getattr(torch, f"{kind}_cell")(word, (h, c) if kind == "lstm" else h, *flat(kind))
            h, c = after if kind == "lstm" else (after, after)
        return h

    return steps


def attention(x: Tensor) -> Tensor:
    weights, bias = torch.cat([W, W.T, W.flip(0)]), torch.cat([b, -b, b.flip(0)])
    words_first = x.transpose(0, 1)
    given = (words_first, words_first, words_first, 6, 2, weights, bias, None, None, False, 0.0, W, b)
    return functional.multi_head_attention_forward(*given, training=False)[0].transpose(0, 1)


def hooked(x: Tensor) -> Tensor:
    y = 2.0 * x
    if y.requires_grad:
        y.register_hook(lambda gradient: None)
    return y


def retained(x: Tensor) -> Tensor:
    y = 2.0 * x
    if y.requires_grad:
        y.retain_grad()
    return y


def exchanged(x: Tensor) -> Tensor:
    y = 2.0 * x
    y.data = C
    return x + y


TAKEN_APART = {
    **{kind: sequence(kind) for kind in WEIGHTS},
    **{f"{kind}_cell": cell(kind) for kind in WEIGHTS},
    "multi_head_attention_forward": attention,
}
HARMLESS = {
    "dropout": lambda x: functional.dropout(x, 0.5, False),
    "alpha_dropout": lambda x: functional.alpha_dropout(x, 0.5, False),
    "feature_dropout": lambda x: torch.feature_dropout(x, 0.5, False),
    "feature_alpha_dropout": lambda x: functional.feature_alpha_dropout(x, 0.5, False),
    "dropout1d": lambda x: functional.dropout1d(x, 0.5, False),
    "dropout2d": lambda x: functional.dropout2d(x[:, None], 0.5, False),
    "dropout3d": lambda x: functional.dropout3d(x[:, None, None], 0.5, False),
    "new_zeros": lambda x: x + x.new_zeros(4, 6),
    "new_ones": lambda x: x + x.new_ones(4, 6),
    "new_empty": lambda x: x + x.new_empty(4, 6).zero_(),
    "new_full": lambda x: x + x.new_full((4, 6), 0.3),
    "new_tensor": lambda x: x + x.new_tensor(0.3),
    "zeros_like": lambda x: x + torch.zeros_like(x),
    "ones_like": lambda x: x + torch.ones_like(x),
    "empty_like": lambda x: x + torch.empty_like(x).zero_(),
    "full_like": lambda x: x + torch.full_like(x, 0.3),
    "rand_like": lambda x: x + 0.0 * torch.rand_like(x),
    "randn_like": lambda x: x + 0.0 * torch.randn_like(x),
    "register_hook": hooked,
    "retain_grad": retained,
    "requires_grad_": lambda x: (2.0 * x).requires_grad_(),
}
REFUSED = {
    "item": lambda x: x + 2.0 * x.sum().item(),
    "tolist": lambda x: x + torch.tensor(x.tolist()),
    "numpy": lambda x: x + torch.from_numpy(x.detach().numpy()),
    "py:array": lambda x: x + torch.from_numpy(np.asarray(x.detach())),
    "py:float": lambda x: x + float(x.sum().detach()),
    "py:int": lambda x: x + int(10.0 * x.sum().detach()),
    "py:complex": lambda x: x + complex(x.sum().detach()).real,
    "set:data": exchanged,
    "get:data": lambda x: x + x.data,
}
