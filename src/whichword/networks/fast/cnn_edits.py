"""The CNN on edited copies: only windows around an edit change, and the rest is a maximum over a prefix and a suffix.

With W = F - 1 windows that reach over each seam, n edits cost O(n W) whatever the length of the documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import product

import torch
from torch import Tensor

from whichword.networks.fast.folding import WordTable
from whichword.networks.fast.windows import Parts, windows
from whichword.reading import Edits
from whichword.sequences import Sequences

COPIES = 2048  # edits at a time


def encode_edits(
    x: Sequences, edits: Sequence[Edits], kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None
) -> Tensor:
    """h of every copy, [n, H]; what the kinds of edits leave unchanged is computed once for all of them."""
    if x.width == 0:
        return x.data.new_zeros(sum(map(len, edits)), len(b))
    seams = cache(lambda: _Seams.of(x, kernel, b, ahead, table))
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
        g = x.with_data((parts.whole + b).relu()).filled().data
        before, after = g.new_zeros(2, len(x), x.width + 1, len(b))
        for t in range(x.width):
            torch.maximum(before[:, t], g[:, t], out=before[:, t + 1])
        for t in range(x.width - 1, -1, -1):
            torch.maximum(after[:, t + 1], g[:, t], out=after[:, t])
        return _Seams(parts, b, x.lengths, before, after)

    def encode(self, edits: Edits) -> Tensor:
        """h of every copy, some at a time."""
        encode = {"cut": self.cut, "blank": self.blank}[edits.kind]
        numbers = torch.arange(len(edits), device=self.lengths.device)
        return torch.cat([encode(edits.pick(index)) for index in torch.split(numbers, COPIES)])

    def cut(self, edits: Edits) -> Tensor:
        """The windows that see both sides of the seam are new."""
        gap = edits.stop - edits.start
        return self._seam(self._rest(edits), edits, edits.start, gap)

    def blank(self, edits: Edits) -> Tensor:
        """The windows at both edges of the gap have lost words; those wholly inside it see nothing but the bias."""
        none = torch.zeros_like(edits.start)
        empty = edits.stop - edits.start >= self.parts.size
        inside = torch.where(empty[:, None], self.b.relu(), self.b.new_zeros(()))
        h = torch.maximum(self._rest(edits), inside)
        return self._seam(self._seam(h, edits, edits.start, none), edits, edits.stop, none)

    def _rest(self, edits: Edits) -> Tensor:
        """The maximum over the windows that do not reach the edit, [n, H]; over all of them where no word is edited."""
        ahead, behind, last = self.parts.ahead, self.parts.size - 1 - self.parts.ahead, self.after.shape[1] - 1
        before = torch.where(edits.stop > edits.start, edits.start - ahead, last).clamp(min=0)
        after = (edits.stop + behind).clamp(max=last)
        return torch.maximum(self.before[edits.rows, before], self.after[edits.rows, after])

    def _seam(self, h: Tensor, edits: Edits, seam: Tensor, gap: Tensor) -> Tensor:
        """The maximum of h and the F - 1 windows that reach over ``seam``."""
        end = torch.where(edits.stop > edits.start, self.lengths[edits.rows] - gap, 0)
        for t in range(-self.parts.ahead, self.parts.size - 1 - self.parts.ahead):
            place = seam + t
            valid = (place >= 0) & (place < end)
            z = self.parts.without(edits.rows, place, edits.start, edits.stop, gap, valid)
            h = torch.maximum(h, z.add_(self.b))
        return h


def _crops(x: Sequences, edits: Edits, kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None) -> Tensor:
    """All crops of one size at once, as a maximum over the places in the crop."""
    seen = _limited(x, kernel, b, ahead, table)
    far = max(left for left, _ in seen)
    h = x.data.new_zeros(len(edits), len(b))
    sizes = edits.stop - edits.start
    for size in torch.unique(sizes[sizes > 0]).tolist():
        fits = x.width - size + 1
        places = [seen[min(i, far), min(size - 1 - i, ahead)][:, i : i + fits] for i in range(size)]
        highest = reduce(torch.maximum, places).relu()
        chosen = (sizes == size).nonzero()[:, 0]
        h[chosen] = highest[edits.rows[chosen], edits.start[chosen]]
    return h


def _limited(
    x: Sequences, kernel: Tensor, b: Tensor, ahead: int, table: WordTable | None
) -> dict[tuple[int, int], Tensor]:
    """Windows that see no more than (left, right) words beside their own: one sum, whatever crop they belong to."""
    behind = len(kernel) - 1 - ahead
    words = windows(x, kernel, ahead, table).unbind(2)
    return {
        (left, right): sum(words[behind - left : behind + right + 1], b)
        for left, right in product(range(behind + 1), range(ahead + 1))
    }
