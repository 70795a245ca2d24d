"""GRU and LSTM without autograd: forward passes at many points and the way back, under any rules (`Projecting`)."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.networks import kernels
from whichword.networks.encoder import Opened
from whichword.networks.points import open_points
from whichword.networks.recurrent_kernels import Inputs
from whichword.rules import Plain, Relevance, Rules
from whichword.sequences import Sequences

Walk = Callable[[Rules, Sequences], Tensor]  # pre-activations of the words [B, T, G], bias included -> h [B, H]


@dataclass(frozen=True)
class RecurrentWords:
    """``words`` [B, T, G] = V e_t. Pulled gradients are [.., B, T, G], or [.., B, T, H] of the candidate."""

    cell: str
    words: Sequences
    V: Tensor  # [G, E]
    given: Inputs
    walk: Walk

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        """Forward passes at alpha_m X."""
        return OPENERS.get(type(rules), Stepped.of)(self, scales, rules)

    def lift(self, pulled: Tensor) -> Tensor:
        """V^T d, [.., B, T, E]."""
        rows = pulled.reshape(-1, pulled.shape[-1])  # one product, not one for each document
        return (rows @ self.V[-pulled.shape[-1] :]).view(*pulled.shape[:-1], -1)

    def dot(self, pulled: Tensor) -> Tensor:
        """e_t . V^T d_t = (V e_t) . d_t, [.., B, T]."""
        return (self.words.data[..., -pulled.shape[-1] :] * pulled).sum(-1)


@dataclass(frozen=True)
class RelevancePasses:
    """LRP and DeepLIFT by the kernels: ``factors`` [M, B, T, 4H] are what each step multiplies the gradient with."""

    of_words: RecurrentWords
    hidden: Tensor
    reference: Tensor | None
    factors: Tensor

    @staticmethod
    def of(words: RecurrentWords, scales: Tensor, rules: Relevance) -> "RelevancePasses":
        z, given = words.words.data.contiguous(), words.given
        M, B, T = len(scales), *z.shape[:2]
        assert given.U is not None
        H = given.U.shape[1]
        hidden, factors = z.new_empty(M, B, H), z.new_empty(M, B, T, 4 * H)
        reference = z.new_empty(B, H) if rules.paired else None
        constants = torch.tensor([rules.eps], dtype=torch.float64)
        mode = MODES[rules.paired, rules.readout]
        arrays = (z, scales.to(z.dtype), given.bias, given.U, given.lengths, constants, factors, hidden, reference)
        kernels.call(f"{words.cell}_relevance_forward", z, M, B, T, H, mode, *arrays)
        return RelevancePasses(words, hidden, reference, factors)

    def pull(self, seeds: Tensor) -> Tensor:
        M, S, B, H = seeds.shape
        T, given = self.factors.shape[2], self.of_words.given
        found = seeds.new_empty(1 + (M > 1), S, B, T, H)
        arrays = (given.U, given.lengths, self.factors, seeds.contiguous(), found[0], found[1] if M > 1 else None)
        kernels.call(f"{self.of_words.cell}_relevance_backward", seeds, M, S, B, T, H, *arrays)
        return _both(found)


MODES = {(False, "literal"): 0, (False, "rescale"): 0, (True, "literal"): 1, (True, "rescale"): 2}


@dataclass(frozen=True)
class Stepped:
    """Any rules, step by step under autograd: the plain way, from the words' side on."""

    hidden: Tensor
    reference: Tensor | None
    leaf: Tensor  # [M, B, T, G]
    scored: Tensor  # h with its graph, [M, B, H]

    @staticmethod
    def of(words: RecurrentWords, scales: Tensor, rules: Rules) -> "Stepped":
        paired = isinstance(rules, Relevance) and rules.paired
        with torch.enable_grad():
            leaf = (scales[:, None, None, None] * words.words.data).requires_grad_()
            passes = torch.stack([leaf, torch.zeros_like(leaf)] if paired else [leaf])
            lengths = words.given.ends.repeat(passes.shape[0] * passes.shape[1])
            h = words.walk(rules, Sequences(passes.flatten(0, 2) + words.given.bias, lengths))
            h = h.view(*passes.shape[:3], -1)
            return Stepped(h[0].detach(), h[1, 0].detach() if paired else None, leaf, h[0])

    def pull(self, seeds: Tensor) -> Tensor:
        asked = (torch.autograd.grad(self.scored, self.leaf, seed, retain_graph=True)[0] for seed in seeds.unbind(1))
        each = torch.stack(list(asked), 1)  # [M, S, B, T, G]
        return torch.stack([each.sum(0), each[-1]])


def _both(found: Tensor) -> Tensor:
    """[2, ...]; of one point, the sum is the point itself."""
    return found.expand(2, *found.shape[1:])


def _plain(words: RecurrentWords, scales: Tensor, rules: Rules) -> Opened:
    return open_points(words.cell, words.words.data, scales, words.given)


def _relevance(words: RecurrentWords, scales: Tensor, rules: Relevance) -> Opened:
    return (RelevancePasses if kernels.usable(words.words.data) else Stepped).of(words, scales, rules)


OPENERS: dict[type, Callable[..., Opened]] = {Plain: _plain, Relevance: _relevance}
