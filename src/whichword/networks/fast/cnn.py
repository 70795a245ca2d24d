"""The CNN's backward pass in closed form, and the CNN on edited copies.

Max pooling over relu(alpha V * e + b) takes, for every alpha > 0, the place where V * e is largest: only whether the
feature is on (above 0) depends on alpha. So all points share one place per feature, and a gradient is one number per
feature: its words are the F around that place.

Of an edited copy only the windows around the edit change, and the rest is a maximum over a prefix and a suffix. With
W = F - 1 windows that reach over each seam, n edits cost O(n W) whatever the length of the documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import product
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from whichword.networks.encoders import Dropout
from whichword.networks.fast.way import Embedded, WordTable, read_out
from whichword.networks.fast.windows import Parts, unrolled, windows, windows_of
from whichword.networks.plain import AHEAD, CNN
from whichword.reading import Edits
from whichword.rules import PLAIN, Relevance, Rules, chord
from whichword.sequences import Sequences, first_maximum

COPIES = 2048  # edits at a time


def encode_edits(
    x: Sequences, edits: Sequence[Edits], kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None
) -> Tensor:
    """Compute h of every copy, [n, H]; what the kinds of edits leave unchanged is computed once for all of them."""
    if x.width == 0:
        return x.data.new_zeros(sum(map(len, edits)), len(b))
    seams = cache(lambda: _Seams.of(x, kernel, b, ahead, table))  # crops do not need them
    return torch.cat(
        [_crops(x, edit, kernel, b, ahead, table) if edit.kind == "crop" else seams().encode(edit) for edit in edits]
    )


@dataclass(frozen=True)
class _Seams:
    """``before`` [B, T + 1, H]: the maximum over the first t windows; ``after``: over those from t on; both of relu."""

    parts: Parts
    b: Tensor
    lengths: Tensor
    before: Tensor
    after: Tensor

    @staticmethod
    def of(x: Sequences, kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None) -> "_Seams":
        parts = Parts.of(x, kernel, ahead, table)
        g = x.with_data((parts.whole + b).relu()).filled().data  # no relu is below 0: padding never wins
        before, after = g.new_zeros(2, len(x), x.width + 1, len(b))
        for t in range(x.width):
            torch.maximum(before[:, t], g[:, t], out=before[:, t + 1])
        for t in range(x.width - 1, -1, -1):
            torch.maximum(after[:, t + 1], g[:, t], out=after[:, t])
        return _Seams(parts, b, x.lengths, before, after)

    def encode(self, edits: Edits) -> Tensor:
        """Compute h of every copy, some at a time."""
        encode = {"cut": self.cut, "blank": self.blank}[edits.kind]
        numbers = torch.arange(len(edits), device=self.lengths.device)
        return torch.cat([encode(edits.pick(index)) for index in torch.split(numbers, COPIES)])

    def cut(self, edits: Edits) -> Tensor:
        """Compute anew the windows that see both sides of the seam."""
        gap = edits.stop - edits.start
        return self._seam(self._rest(edits), edits, edits.start, gap)

    def blank(self, edits: Edits) -> Tensor:
        """Compute anew the windows at both edges of the gap; those wholly inside it see nothing but the bias."""
        none = torch.zeros_like(edits.start)
        empty = edits.stop - edits.start >= self.parts.size
        inside = torch.where(empty[:, None], self.b.relu(), self.b.new_zeros(()))
        h = torch.maximum(self._rest(edits), inside)
        return self._seam(self._seam(h, edits, edits.start, none), edits, edits.stop, none)

    def _rest(self, edits: Edits) -> Tensor:
        """Return the maximum over windows that do not reach the edit, [n, H]; over all where no word is edited."""
        ahead, behind, last = self.parts.ahead, self.parts.size - 1 - self.parts.ahead, self.after.shape[1] - 1
        before = torch.where(edits.stop > edits.start, edits.start - ahead, last).clamp(min=0)  # no edit: all windows
        after = (edits.stop + behind).clamp(max=last)
        return torch.maximum(self.before[edits.rows, before], self.after[edits.rows, after])

    def _seam(self, h: Tensor, edits: Edits, seam: Tensor, gap: Tensor) -> Tensor:
        """Return the maximum of h and the F - 1 windows that reach over ``seam``."""
        end = torch.where(edits.stop > edits.start, self.lengths[edits.rows] - gap, 0)  # no edit, no seam
        for t in range(-self.parts.ahead, self.parts.size - 1 - self.parts.ahead):
            place = seam + t
            valid = (place >= 0) & (place < end)
            z = self.parts.without(edits.rows, place, edits.start, edits.stop, gap, valid)
            h = torch.maximum(h, z.add_(self.b))
        return h


def _crops(x: Sequences, edits: Edits, kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None) -> Tensor:
    """Encode all crops of one size at once, as a maximum over the places in the crop."""
    seen = _limited(x, kernel, b, ahead, table)
    far = max(left for left, _ in seen)
    h = x.data.new_zeros(len(edits), len(b))
    sizes = edits.stop - edits.start
    for size in torch.unique(sizes[sizes > 0]).tolist():
        fits = x.width - size + 1
        places = [seen[min(i, far), min(size - 1 - i, ahead)][:, i : i + fits] for i in range(size)]
        highest = reduce(torch.maximum, places).relu()  # relu is monotone: once, after the maximum
        chosen = (sizes == size).nonzero()[:, 0]
        h[chosen] = highest[edits.rows[chosen], edits.start[chosen]]
    return h


def _limited(
    x: Sequences, kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None
) -> dict[tuple[int, int], Tensor]:
    """Sum windows that see no more than (left, right) words beside their own, whatever crop they belong to."""
    behind = len(kernel) - 1 - ahead
    words = windows(x, kernel, ahead, table).unbind(2)
    return {
        (left, right): sum(words[behind - left : behind + right + 1], b)
        for left, right in product(range(behind + 1), range(ahead + 1))
    }


@dataclass(frozen=True)
class PooledWay:
    """The way through the CNN."""

    encoder: CNN
    table: WordTable | None = None
    local: ClassVar[bool] = True
    steady: ClassVar[bool] = True
    batch: ClassVar[int] = 2048
    capacity: ClassVar[int] = 1 << 20  # a point costs next to nothing

    def word_matrix(self) -> Tensor:
        return unrolled(self.encoder.V)

    def project(self, x: Embedded) -> "PooledWords":
        """Find the winning windows."""
        V, b = self.encoder.V, self.encoder.b
        return x.once((self.encoder, "project"), lambda: PooledWords.of(x.bare(), V, b, AHEAD, self.table))  # type: ignore[no-any-return]

    def opened(self, x: Embedded, rules: Rules) -> "Pooled":
        return x.once((self.encoder, rules), lambda: self.project(x).open(x.data.new_ones(1), rules))  # type: ignore[no-any-return]

    def hidden(self, x: Embedded, expected: Sequence[Any] = ()) -> Tensor:
        """Take h from the winning windows, which serve all methods."""
        return self.opened(x, PLAIN).hidden[0] if x.width else x.data.new_zeros(len(x), self.encoder.hidden)

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        return self.encoder(x, dropout=dropout)  # type: ignore[no-any-return]

    def read_edits(self, x: Embedded, w: Tensor, *edits: Edits) -> Tensor:
        return read_out(encode_edits(x, edits, self.encoder.V, self.encoder.b, AHEAD, self.table), w)


@dataclass(frozen=True)
class PooledWords:
    """Of each feature the winning window, which is the highest, and the first one, where a feature that is off points.

    ``parts`` [B, 2, H, F] is what each word of the two windows adds, ``places`` [B, 2, H, F] the word's number in the
    batch, B * T where the window hangs over an edge of the document. A pulled gradient has the form [.., B, N, H] for N
    of the two windows: the first one counts in DeepLIFT alone, since elsewhere a feature that is off has no slope.
    """

    x: Sequences
    parts: Tensor
    places: Tensor
    W: Tensor  # [F * H, E]
    b: Tensor

    @staticmethod
    def of(x: Sequences, kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None = None) -> "PooledWords":
        windows = windows_of(x, kernel, ahead, table)
        z = x.with_data(windows.sums()).filled(-torch.inf).data
        winner = first_maximum(z)
        t = torch.stack([winner, torch.zeros_like(winner)], 1)
        u = t[..., None] + torch.arange(kernel.shape[0], device=t.device) - (kernel.shape[0] - 1 - ahead)
        inside = (u >= 0) & (u < x.lengths[:, None, None, None])
        rows = torch.arange(len(x), device=t.device)[:, None, None, None]
        places = torch.where(inside, rows * x.width + u, len(x) * x.width)
        return PooledWords(x, windows.parts(t), places, unrolled(kernel) if table is None else table.W, b)

    def open(self, scales: Tensor, rules: Rules) -> "Pooled":
        """Compute the features at the winning windows."""
        words = (self.x.lengths > 0)[:, None]  # a document without words has no feature
        z = self.parts.sum(-1)
        g = scales[:, None, None] * z[:, 0] + self.b
        if not isinstance(rules, Relevance):
            return Pooled(words * g.relu(), None, (words * (g > 0))[:, :, None].to(g))
        if not rules.paired:
            return Pooled(words * g.relu(), None, (words * (g > 0) * rules.share(g))[:, :, None])
        return Pooled(words * g.relu(), words * self.b.relu(), self._difference_slope(z, rules) * words[:, None])

    def _difference_slope(self, z: Tensor, rules: Relevance) -> Tensor:
        """Return chord of relu times share of the sum, at the one window of the two that pooling takes (DeepLIFT)."""
        slope = chord(z, (z + self.b).relu() - self.b.relu()) * rules.share(z)
        on = z[:, :1] + self.b > 0  # of features that are off, the first place wins
        return (slope * torch.cat([on, ~on], 1))[None]

    def lift(self, pulled: Tensor) -> Tensor:
        """Multiply gradients [..., B, N, H] with the rows of W and add them up at the words; [..., B, T, E]."""
        places = self._places(pulled)
        order = places.argsort(stable=True)  # a word's features become one bag
        total = len(self.x) * self.x.width  # the place of words outside the document
        offsets = torch.searchsorted(places[order], torch.arange(total + 1, device=order.device))
        width, hidden = self.parts.shape[-1], self.parts.shape[-2]
        rows = (torch.arange(width * hidden, device=order.device)).view(width, hidden).T.flatten()
        features = rows.repeat(len(order) // len(rows))[order]
        weights = pulled[..., None].expand(*pulled.shape, width).reshape(-1, len(order))[:, order]
        lifted = [
            functional.embedding_bag(features, self.W, offsets, mode="sum", per_sample_weights=weight)[:total]
            for weight in weights
        ]
        return torch.stack(lifted).view(*pulled.shape[:-3], *self.x.data.shape)

    def dot(self, pulled: Tensor) -> Tensor:
        """Add up each word's part of z times the gradient of z, at the words; [..., B, T]."""
        values = (pulled[..., None] * self.parts[:, : pulled.shape[-2]]).flatten(-4).flatten(0, -2)
        total = len(self.x) * self.x.width
        sums = values.new_zeros(len(values), total + 1).index_add_(1, self._places(pulled), values)
        return sums[:, :total].view(*pulled.shape[:-3], *self.x.data.shape[:2])

    def _places(self, pulled: Tensor) -> Tensor:
        return self.places[:, : pulled.shape[-2]].flatten()


@dataclass(frozen=True)
class Pooled:
    """h at every point, and its slope in z at each of N windows, [M, B, N, H]."""

    hidden: Tensor
    reference: Tensor | None
    slope: Tensor

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        gradients = seeds[:, :, :, None] * self.slope[:, None]
        return torch.stack([gradients.sum(0), gradients[-1]])
