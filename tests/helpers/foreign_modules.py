"""Torch modules as people write them, and what has to hold for all of them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import whichword
from whichword.model import Batch, Ruled
from whichword.rules import Relevance
from whichword.types import Text

WORDS = [f"w{i}" for i in range(20)]
CLASSES = ["x", "y", "z"]
TEXTS = [WORDS[3:10], WORDS[1:4], ["w7", "w7", "w2", "w19", "w5", "w7", "w11"], ["w4"]]


def shaken(module: nn.Module, seed: int = 0) -> nn.Module:
    """Random weights that are not small, and norms that are not trivial; double precision, eval mode."""
    chance = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in [*module.named_parameters(), *module.named_buffers()]:
            if isinstance(value, nn.Parameter) or "running" in name:
                noise = torch.randn(value.shape, generator=chance)
                centre = 1.0 if ("norm" in name.lower() and name.endswith("weight")) or name.endswith("var") else 0.0
                value.copy_(centre + noise.clamp(-2, 2) * (0.2 if centre else 0.6 / max(1, value.dim() - 1)))
    return module.double().eval()


class Recurrent(nn.Module):
    """An embedding, nn.LSTM, nn.GRU or nn.RNN, and a read-out: last, first, h_n, mean, max or attention."""

    def __init__(self, kind: str, layers: int = 1, both: bool = False, read_out: str = "last", **more: object) -> None:
        super().__init__()
        self.words = nn.Embedding(20, 6)
        self.rnn = getattr(nn, kind)(6, 5, layers, bidirectional=both, batch_first=True, **more)
        size = int(more.get("proj_size") or 5) * (1 + both)
        self.read_out, self.query, self.out = read_out, nn.Linear(size, 1), nn.Linear(size, 3)

    def forward(self, ids: Tensor) -> Tensor:
        states, last = self.rnn(self.words(ids))
        h_n = last[0] if isinstance(last, tuple) else last
        return self.out(READ_OUTS[self.read_out](self, states, h_n))


def attended(module: Recurrent, states: Tensor, h_n: Tensor) -> Tensor:
    return (torch.softmax(module.query(torch.tanh(states)), 1) * states).sum(1)


READ_OUTS: dict[str, Callable[[Recurrent, Tensor, Tensor], Tensor]] = {
    "last": lambda module, states, h_n: states[:, -1],
    "h_n": lambda module, states, h_n: torch.cat(list(h_n[-(2 if module.rnn.bidirectional else 1) :]), -1),
    "mean": lambda module, states, h_n: states.mean(1),
    "max": lambda module, states, h_n: states.max(1).values,
    "attention": attended,
}


class Packed(Recurrent):
    """The same with packed sequences, for texts of any lengths in one call."""

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        packed = pack_padded_sequence(self.words(ids), lengths, batch_first=True, enforce_sorted=False)
        output, last = self.rnn(packed)
        states, _ = pad_packed_sequence(output, batch_first=True)
        h_n = last[0] if isinstance(last, tuple) else last
        return self.out(READ_OUTS[self.read_out](self, states, h_n))


class Cells(nn.Module):
    """nn.LSTMCell, nn.GRUCell or nn.RNNCell, word by word."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.words, self.cell, self.out = nn.Embedding(20, 6), getattr(nn, kind)(6, 5), nn.Linear(5, 3)

    def forward(self, ids: Tensor) -> Tensor:
        state = None
        for e in self.words(ids).unbind(1):
            state = self.cell(e, state)
        return self.out(state[0] if isinstance(state, tuple) else state)


class Convolutions(nn.Module):
    """Two convolutions, an activation in place, a norm, and the maximum over the words."""

    def __init__(self, activation: nn.Module, norm: bool = True) -> None:
        super().__init__()
        self.words = nn.Embedding(20, 6)
        self.stack = nn.Sequential(nn.Conv1d(6, 8, 3, padding=1), activation, nn.Conv1d(8, 8, 3, padding=2))
        self.norm, self.out = nn.LayerNorm(8) if norm else nn.Identity(), nn.Linear(8, 3)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.norm(self.stack(self.words(ids).transpose(1, 2)).amax(-1)))


class Encoder(nn.Module):
    """Torch's own transformer encoder."""

    def __init__(self, **settings: object) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding(20, 8), nn.Linear(8, 3)
        self.positions = nn.Parameter(torch.zeros(20, 8))
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, **settings)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.encoder(self.words(ids) + self.positions[: ids.shape[1]]).mean(1))


def wrapped(module: nn.Module, call: Callable[..., Tensor] | None = None) -> Ruled:
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, call=call, embedding="words")
    assert isinstance(model, Ruled)
    return model


def batch_of(model: Ruled, texts: Sequence[Sequence[str]]) -> Batch:
    return Batch.of([model.read(Text(tuple(words), " ".join(words))) for words in texts])


def forward_gap(model: Ruled, texts: Sequence[Sequence[str]], attention: str = "weight") -> float:
    """What a pass under the rules differs by from the module's own."""
    batch = batch_of(model, texts)
    s = model.forward(model.embed(batch).requires_grad_(True), batch, Relevance(attention=attention))
    return float((s.detach() - model.score(batch)).abs().max())


def account_gap(model: Ruled, text: Sequence[str], method: str) -> float:
    """What the account misses, as a share of its largest term."""
    account = whichword.account(model, text, method)
    return abs(account.gap) / max(map(abs, [account.score, *account.shares.values()]))


def score_gap(model: Ruled, texts: Sequence[Sequence[str]]) -> float:
    """What scores in a batch of all lengths differ by from scores alone."""
    alone = torch.cat([model.score(batch_of(model, [text])) for text in texts])
    return float((model.score(batch_of(model, texts)) - alone).abs().max())


def row_gap(model: Ruled, texts: Sequence[Sequence[str]], methods: Sequence[str]) -> float:
    """What answers in a batch differ by from answers alone, as a share of a text's largest relevance."""
    together = whichword.explain(model, texts, methods, target=model.about.classes[0])
    alone = [whichword.explain(model, [text], methods, target=model.about.classes[0])[0] for text in texts]
    pairs = [(a.relevance[m], b.relevance[m]) for a, b in zip(together, alone, strict=True) for m in methods]
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


def check_rules(model: Ruled, texts: Sequence[Sequence[str]] = TEXTS) -> None:
    """Forward as it is; the account closes; a batch is its rows."""
    settings = ["weight", "attnlrp"] if model.has_attention else ["weight"]
    for attention in settings:
        assert forward_gap(model, texts, attention) <= 1e-12
        for text in texts[:2]:
            assert account_gap(model, text, f"lrp[attention={attention}]") <= 1e-9
    assert score_gap(model, texts) <= 1e-12
    methods = ["deeplift", *(f"lrp[attention={attention}]" for attention in settings)]
    assert row_gap(model, texts, methods) <= 1e-9


def state(module: nn.Module) -> dict[str, Any]:
    """Everything that a module is made of."""
    parts: dict[str, Any] = {}
    for name, part in module.named_modules():
        parts[name] = (part.training, sorted(part.__dict__), type(part), type(part).forward, dict(vars(type(part))))
        hooks = {key: dict(value) for key, value in part.__dict__.items() if "hooks" in key and isinstance(value, dict)}
        parts[f"{name} hooks"] = hooks
    for name, value in [*module.named_parameters(), *module.named_buffers()]:
        parts[f"{name} tensor"] = (value.data_ptr(), value.requires_grad, value.is_leaf, value.grad, value._version)
        parts[f"{name} bytes"] = value.detach().numpy().tobytes()
    return parts


def partly_frozen(make: Callable[[], nn.Module]) -> nn.Module:
    """With hooks of the user's own, and every other parameter frozen."""
    module = shaken(make())
    for number, parameter in enumerate(module.parameters()):
        parameter.requires_grad_(number % 2 == 0)
    module.register_forward_hook(lambda module, inputs, output: None)
    return module
