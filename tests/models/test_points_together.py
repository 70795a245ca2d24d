"""Points of an integral that go in one pass: the same as one after the other."""

import pytest
import torch
from foreign_modules import TEXTS, Recurrent, batch_of, shaken, wrapped

from whichword.methods import gradient
from whichword.model import GradientKind

KINDS = [
    GradientKind(integrated, output, kind) for integrated in (False, True) for output in "sp" for kind in ("l2", "dot")
]


@pytest.mark.parametrize("pieces", [1, 40, 10**6])
def test_any_number_of_points_at_once(monkeypatch: pytest.MonkeyPatch, pieces: int) -> None:
    model = wrapped(shaken(Recurrent("GRU", read_out="mean")))
    batch, k = batch_of(model, TEXTS), torch.tensor([0, 1, 2, 0])
    e = model.embed(batch)
    points = [gradient.gradients(model, e * (m / 7), batch, k) for m in range(1, 8)]
    monkeypatch.setattr(gradient, "TOGETHER", pieces)
    answers = gradient.integrate(model, batch, k, 7, KINDS)
    for kind in KINDS:
        vectors = sum(point[kind.output] for point in points) / 7 if kind.integrated else points[-1][kind.output]
        expected = vectors.norm(dim=-1) if kind.reduction == "l2" else (vectors * e).sum(-1)
        torch.testing.assert_close(
            torch.where(batch.mask, answers[kind].values, 0.0),
            torch.where(batch.mask, expected, 0.0),
            rtol=0,
            atol=1e-12,
        )
