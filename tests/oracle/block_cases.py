"""A BERT-like block, a GPT-like block and a stack of convolutions as torch modules, with the oracles that hold the same
numbers; and how the arrays of Hugging Face's BERT and GPT-2 are called.
"""

from collections.abc import Mapping

import numpy as np
import torch
from foreign_cases import array
from oracle_blocks import BertOracle, ConvolutionOracle, GptOracle
from torch import Tensor, nn
from torch.nn import functional


class SelfAttention(nn.Module):
    def __init__(self, size: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(size, size) for _ in "qkvo")
        self.heads, self.causal = heads, causal

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (self._split(layer(x)) for layer in (self.q, self.k, self.v))
        z = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        if self.causal:
            z = z.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -torch.inf)
        return self.o((z.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def arrays(self) -> dict[str, np.ndarray]:
        layers = {"q": self.q, "k": self.k, "v": self.v, "o": self.o}
        return {f"W_{n}": array(m.weight) for n, m in layers.items()} | {
            f"b_{n}": array(m.bias) for n, m in layers.items()
        }


class BertLike(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.positions, self.segment = (
            nn.Embedding(12, 8),
            nn.Embedding(30, 8),
            nn.Parameter(torch.zeros(8)),
        )
        self.norm_e, self.norm_1, self.norm_2 = (nn.LayerNorm(8, eps=1e-12) for _ in range(3))
        self.attention = SelfAttention(8, 2, causal=False)
        self.f, self.g, self.p, self.out = nn.Linear(8, 10), nn.Linear(10, 8), nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, ids: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1])
        x = self.norm_e(self.words(ids) + self.positions(places) + self.segment)
        y = self.norm_1(x + self.attention(x))
        z = self.norm_2(y + self.g(functional.gelu(self.f(y))))
        return self.out(torch.tanh(self.p(z[:, 0])))

    def oracle(self) -> BertOracle:
        arrays = layers(self, "f", "g", "p", norms=("norm_e", "norm_1", "norm_2")) | self.attention.arrays()
        arrays |= {"type": array(self.segment), "w": array(self.out.weight), "b": array(self.out.bias)}
        return BertOracle(arrays | {"positions": array(self.positions.weight)}, 2, 1e-12)


class GptLike(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(12, 8), nn.Embedding(30, 8)
        self.norm_1, self.norm_2, self.norm_f = (nn.LayerNorm(8) for _ in range(3))
        self.attention = SelfAttention(8, 2, causal=True)
        self.f, self.g, self.out = nn.Linear(8, 10), nn.Linear(10, 8), nn.Linear(8, 3, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.words(ids) + self.positions(torch.arange(ids.shape[1]))
        x = x + self.attention(self.norm_1(x))
        f = self.f(self.norm_2(x))
        x = x + self.g(0.5 * f * (1.0 + torch.tanh((2.0 / torch.pi) ** 0.5 * (f + 0.044715 * f**3))))
        return self.out(self.norm_f(x))[:, -1]

    def oracle(self) -> GptOracle:
        arrays = layers(self, "f", "g", norms=("norm_1", "norm_2", "norm_f")) | self.attention.arrays()
        return GptOracle(
            arrays | {"positions": array(self.positions.weight), "w": array(self.out.weight)}, 2, self.norm_1.eps
        )


class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding(12, 8), nn.Linear(6, 3)
        self.first, self.second = nn.Conv1d(8, 7, 3, padding=1), nn.Conv1d(7, 6, 3, padding=1)

    def forward(self, ids: Tensor) -> Tensor:
        h = functional.relu(self.first(self.words(ids).transpose(1, 2)), inplace=True)
        return self.out(functional.gelu(self.second(h)).max(-1).values)

    def oracle(self) -> ConvolutionOracle:
        arrays = {"K_1": self.first.weight, "b_1": self.first.bias, "K_2": self.second.weight, "b_2": self.second.bias}
        arrays |= {"w": self.out.weight, "b": self.out.bias}
        return ConvolutionOracle({name: array(value) for name, value in arrays.items()})


def layers(module: nn.Module, *linear: str, norms: tuple[str, ...]) -> dict[str, np.ndarray]:
    numbers = dict(module.named_parameters())
    arrays = {f"W_{name}": array(numbers[f"{name}.weight"]) for name in linear}
    arrays |= {f"b_{name}": array(numbers[f"{name}.bias"]) for name in linear}
    arrays |= {f"{name}_w": array(numbers[f"{name}.weight"]) for name in norms}
    return arrays | {f"{name}_b": array(numbers[f"{name}.bias"]) for name in norms}


# ------------------------------------------------------------------------------------------------------- Hugging Face's

LAYER = "bert.encoder.layer.0."
BERT = {
    "positions": "bert.embeddings.position_embeddings.weight",
    "type": "bert.embeddings.token_type_embeddings.weight",
    "norm_e": "bert.embeddings.LayerNorm",
    "q": LAYER + "attention.self.query",
    "k": LAYER + "attention.self.key",
    "v": LAYER + "attention.self.value",
    "o": LAYER + "attention.output.dense",
    "norm_1": LAYER + "attention.output.LayerNorm",
    "f": LAYER + "intermediate.dense",
    "g": LAYER + "output.dense",
    "norm_2": LAYER + "output.LayerNorm",
    "p": "bert.pooler.dense",
    "": "classifier",
}
GPT = {
    "positions": "transformer.wpe.weight",
    "norm_1": "transformer.h.0.ln_1",
    "norm_2": "transformer.h.0.ln_2",
    "norm_f": "transformer.ln_f",
    "o": "transformer.h.0.attn.c_proj",
    "f": "transformer.h.0.mlp.c_fc",
    "g": "transformer.h.0.mlp.c_proj",
}


def named(numbers: Mapping[str, Tensor], names: Mapping[str, str], turned: bool) -> dict[str, np.ndarray]:
    """Arrays by the oracle's names; ``turned``: matrices are kept the other way round."""
    arrays: dict[str, np.ndarray] = {}
    for short, long in names.items():
        if long in numbers:
            arrays[short] = array(numbers[long])
        elif short.startswith("norm"):
            arrays |= {f"{short}_{x[0]}": array(numbers[f"{long}.{x}"]) for x in ("weight", "bias")}
        else:
            W, b = array(numbers[f"{long}.weight"]), array(numbers[f"{long}.bias"])
            arrays |= {"w": W, "b": b} if not short else {f"W_{short}": W.T if turned else W, f"b_{short}": b}
    return arrays


def bert_oracle(module: nn.Module, heads: int) -> BertOracle:
    arrays = named(dict(module.named_parameters()), BERT, turned=False)
    return BertOracle(arrays | {"type": arrays["type"][0]}, heads, module.config.layer_norm_eps)


def gpt_oracle(module: nn.Module, heads: int) -> GptOracle:
    numbers = dict(module.named_parameters())
    arrays = named(numbers, GPT, turned=True) | {"w": array(numbers["score.weight"])}
    weights = np.split(array(numbers["transformer.h.0.attn.c_attn.weight"]).T, 3)
    biases = np.split(array(numbers["transformer.h.0.attn.c_attn.bias"]), 3)
    for name, W, b in zip("qkv", weights, biases, strict=True):
        arrays |= {f"W_{name}": W, f"b_{name}": b}
    return GptOracle(arrays, heads, module.config.layer_norm_epsilon)
