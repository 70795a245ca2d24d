"""How scores become probabilities: a softmax over all classes, or one sigmoid for two (paper, end of section 5.1).

One score z = v . h + c is read as s = (-z/2, z/2), so that softmax(s) = (1 - sigmoid(z), sigmoid(z)): a sigmoid is a
softmax with w_0 = -w_1 and b_0 = -b_1, and phi(t, 0, X) = -phi(t, 1, X) for every method that is linear in s. The
cross-entropy's gradient has opposite rows for two classes, so a two-way softmax only ever learns w_1 - w_0, too: what
it has besides, the half sum of both rows, stays as it was drawn. Adam moves w_1, so v = 2 w_1 is learnt at twice the
rate.
"""

from collections.abc import Callable, Mapping

import torch

from whichword.errors import InputError
from whichword.networks import Network

Tie = Callable[[Network], None]


def as_drawn(network: Network) -> None:
    """A softmax: every class has a row of its own."""


def opposite(network: Network) -> None:
    """w := ((w_0 - w_1) / 2, (w_1 - w_0) / 2) and b alike, opposite to the last bit; probabilities stay."""
    if len(network.classes) != 2:
        raise InputError(f"head sigmoid needs two classes, not {len(network.classes)}")
    with torch.no_grad():
        for rows in (network.w, network.readout_b):
            rows.copy_((rows - rows.flip(0)) / 2)


TIES: Mapping[str, Tie] = {"softmax": as_drawn, "sigmoid": opposite}
