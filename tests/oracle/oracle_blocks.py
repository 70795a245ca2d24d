"""A BERT-like block, a GPT-like block and a stack of convolutions: forward, LRP, AttnLRP and DeepLIFT, by loops.

E [..., P, dim] are the word vectors; positions and types are constants of the network. Complex numbers pass through.
"""

from dataclasses import dataclass

import numpy as np
from oracle_sums import Array, Pair, chord, layer_norm, layer_norm_back, linear_back, share, softmax
from scipy.special import erf

Values = dict[str, Array]


def gelu_weight(z: Array) -> Array:
    """gelu(z) = z * f(z)."""
    return 0.5 * (1.0 + erf(z / np.sqrt(2.0)))


def new_gelu_weight(z: Array) -> Array:
    return 0.5 * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (z + 0.044715 * z**3)))


def heads(x: Array, count: int) -> Array:
    """[..., P, dim] -> [..., count, P, dim / count]."""
    return np.stack(np.split(x, count, axis=-1), axis=-3)


def unheads(x: Array) -> Array:
    return np.concatenate([x[..., n, :, :] for n in range(x.shape[-3])], axis=-1)


@dataclass(frozen=True)
class Attention:
    """O = softmax(q k^T / sqrt(d)) v, heads side by side, causal or not; then a linear."""

    a: dict[str, Array]
    count: int
    causal: bool

    def forward(self, x: Array) -> Values:
        v: Values = {name: x @ self.a[f"W_{name}"].T + self.a[f"b_{name}"] for name in "qkv"}
        q, k, values = (heads(v[name], self.count) for name in "qkv")
        v["qk"] = q @ np.swapaxes(k, -1, -2)
        z = v["qk"] / np.sqrt(q.shape[-1])
        P = x.shape[-2]
        z = np.where(np.tril(np.ones((P, P))) == 0, -np.inf, z) if self.causal else z
        v["A"] = softmax(z)
        v["O"] = v["A"] @ values
        v["o"] = unheads(v["O"]) @ self.a["W_o"].T + self.a["b_o"]
        return v

    def back(self, G: Array, v: dict[str, Pair], attnlrp: bool) -> Array:
        """G of the input x, [P, dim]; under AttnLRP half of A V goes to A, and half of q k^T to each of q and k."""
        at_O = heads(linear_back(G, v["o"], self.a["W_o"]), self.count) * share(v["O"])
        A, part = v["A"].value, 0.5 if attnlrp else 1.0
        G_v = unheads(part * np.swapaxes(A, -1, -2) @ at_O)
        total = linear_back(G_v, v["v"], self.a["W_v"])
        if not attnlrp:
            return total
        q, k, values = (heads(v[name].value, self.count) for name in "qkv")
        G_A = part * at_O @ np.swapaxes(values, -1, -2)
        G_z = A * (G_A - (A * G_A).sum(-1, keepdims=True))
        at_qk = G_z / np.sqrt(q.shape[-1]) * share(v["qk"])
        G_q, G_k = unheads(part * at_qk @ k), unheads(part * np.swapaxes(at_qk, -1, -2) @ q)
        return total + linear_back(G_q, v["q"], self.a["W_q"]) + linear_back(G_k, v["k"], self.a["W_k"])


@dataclass(frozen=True)
class BertOracle:
    """Embeddings, norm; attention, residual, norm; gelu, residual, norm; tanh of the first piece; linear."""

    a: dict[str, Array]
    count: int
    eps: float

    @property
    def attention(self) -> Attention:
        return Attention(self.a, self.count, causal=False)

    def forward(self, E: Array) -> Values:
        a, v = self.a, {}
        v["e"] = E + a["positions"][: E.shape[-2]] + a["type"]
        v["x"] = layer_norm(v["e"], a["norm_e_w"], a["norm_e_b"], self.eps)
        v |= self.attention.forward(v["x"])
        v["r1"] = v["x"] + v["o"]
        v["y"] = layer_norm(v["r1"], a["norm_1_w"], a["norm_1_b"], self.eps)
        v["f"] = v["y"] @ a["W_f"].T + a["b_f"]
        v["g"] = (v["f"] * gelu_weight(v["f"])) @ a["W_g"].T + a["b_g"]
        v["r2"] = v["y"] + v["g"]
        v["p"] = layer_norm(v["r2"], a["norm_2_w"], a["norm_2_b"], self.eps)[..., 0, :] @ a["W_p"].T + a["b_p"]
        v["t"] = np.tanh(v["p"])
        v["s"] = v["t"] @ a["w"].T + a["b"]
        return v

    def scores(self, E: Array) -> Array:
        return self.forward(E)["s"]

    def back(self, v: dict[str, Pair], k: int, attnlrp: bool) -> Array:
        a = self.a
        G_t = share(v["s"])[k] * a["w"][k]
        first = linear_back(G_t * chord(v["p"], v["t"]), v["p"], a["W_p"])
        G = np.zeros(v["r2"].value.shape)
        G[0] = first
        G = layer_norm_back(G, v["r2"].value, a["norm_2_w"], self.eps)
        G_f = linear_back(G, v["g"], a["W_g"]) * gelu_weight(v["f"].value)
        G = G + linear_back(G_f, v["f"], a["W_f"])
        G = layer_norm_back(G, v["r1"].value, a["norm_1_w"], self.eps)
        G = G + self.attention.back(G, v, attnlrp)
        return layer_norm_back(G, v["e"].value, a["norm_e_w"], self.eps)


@dataclass(frozen=True)
class GptOracle:
    """Positions; norm, causal attention, residual; norm, gelu, residual; norm; the last piece; linear without bias."""

    a: dict[str, Array]
    count: int
    eps: float

    @property
    def attention(self) -> Attention:
        return Attention(self.a, self.count, causal=True)

    def forward(self, E: Array) -> Values:
        a, v = self.a, {}
        v["e"] = E + a["positions"][: E.shape[-2]]
        v |= self.attention.forward(layer_norm(v["e"], a["norm_1_w"], a["norm_1_b"], self.eps))
        v["r1"] = v["e"] + v["o"]
        v["f"] = layer_norm(v["r1"], a["norm_2_w"], a["norm_2_b"], self.eps) @ a["W_f"].T + a["b_f"]
        v["g"] = (v["f"] * new_gelu_weight(v["f"])) @ a["W_g"].T + a["b_g"]
        v["r2"] = v["r1"] + v["g"]
        v["s_all"] = layer_norm(v["r2"], a["norm_f_w"], a["norm_f_b"], self.eps) @ a["w"].T
        v["s"] = v["s_all"][..., -1, :]
        return v

    def scores(self, E: Array) -> Array:
        return self.forward(E)["s"]

    def back(self, v: dict[str, Pair], k: int, attnlrp: bool) -> Array:
        a = self.a
        G = np.zeros(v["r2"].value.shape)
        G[-1] = share(v["s"])[k] * a["w"][k]
        G = layer_norm_back(G, v["r2"].value, a["norm_f_w"], self.eps)
        G_f = linear_back(G, v["g"], a["W_g"]) * new_gelu_weight(v["f"].value)
        G = G + layer_norm_back(linear_back(G_f, v["f"], a["W_f"]), v["r1"].value, a["norm_2_w"], self.eps)
        return G + layer_norm_back(self.attention.back(G, v, attnlrp), v["e"].value, a["norm_1_w"], self.eps)


@dataclass(frozen=True)
class ConvolutionOracle:
    """Two convolutions of width 3 ("same"), relu after the first, gelu after the second; the maximum; linear."""

    a: dict[str, Array]

    def forward(self, E: Array) -> Values:
        v = {"z1": convolved(E, self.a["K_1"], self.a["b_1"])}
        v["h1"] = np.where(v["z1"].real > 0, v["z1"], 0.0)
        v["z2"] = convolved(v["h1"], self.a["K_2"], self.a["b_2"])
        v["h2"] = v["z2"] * gelu_weight(v["z2"])
        first = np.argmax(v["h2"].real, axis=-2)[..., None, :]
        v["m"] = np.take_along_axis(v["h2"], first, axis=-2)[..., 0, :]
        v["s"] = v["m"] @ self.a["w"].T + self.a["b"]
        return v

    def scores(self, E: Array) -> Array:
        return self.forward(E)["s"]

    def back(self, v: dict[str, Pair], k: int, attnlrp: bool) -> Array:
        G_m, G = share(v["s"])[k] * self.a["w"][k], np.zeros(v["h2"].value.shape)
        for d in range(len(G_m)):
            G[int(np.argmax(v["h2"].value[:, d])), d] = G_m[d]
        G = convolved_back(G * gelu_weight(v["z2"].value), v["z2"], self.a["K_2"])
        return convolved_back(G * chord(v["z1"], v["h1"]), v["z1"], self.a["K_1"])


def convolved(x: Array, K: Array, b: Array) -> Array:
    """z_t = b + sum over j of K[:, :, j] x_(t + j - 1), zeros outside; K [out, in, 3]."""
    T = x.shape[-2]
    z = np.zeros((*x.shape[:-1], K.shape[0]), dtype=x.dtype) + b
    for t in range(T):
        for j in range(3):
            if 0 <= t + j - 1 < T:
                z[..., t, :] = z[..., t, :] + x[..., t + j - 1, :] @ K[:, :, j].T
    return z


def convolved_back(G: Array, z: Pair, K: Array) -> Array:
    at_z, back = G * share(z), np.zeros((len(G), K.shape[1]))
    for t in range(len(G)):
        for j in range(3):
            if 0 <= t + j - 1 < len(G):
                back[t + j - 1] += at_z[t] @ K[:, :, j]
    return back


Oracle = BertOracle | GptOracle | ConvolutionOracle


def relevance(oracle: Oracle, E: Array, word: list[int], k: int, attnlrp: bool = False) -> Array:
    """e . G(e) of every piece, [P]."""
    v = {name: Pair.of(value, None) for name, value in oracle.forward(E).items()}
    return (E * oracle.back(v, k, attnlrp)).sum(-1)


def deeplift(oracle: Oracle, E: Array, word: list[int], k: int) -> Array:
    """(e - e_ref) . G(e): in the reference words are 0, special pieces as they are."""
    E_ref = np.where((np.array(word) >= 0)[:, None], 0.0, E)
    values, base = oracle.forward(E), oracle.forward(E_ref)
    v = {name: Pair.of(values[name], base[name]) for name in values}
    return ((E - E_ref) * oracle.back(v, k, attnlrp=False)).sum(-1)
