"""A module that Captum has rules for."""

from torch import Tensor, nn


class Perceptron(nn.Module):
    """An embedding, its mean, two linear layers: what Captum's LRP has rules for."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.hidden, self.act, self.out = nn.Embedding(20, 6), nn.Linear(6, 7), nn.ReLU(), nn.Linear(7, 3)

    def behind(self, e: Tensor) -> Tensor:
        return self.out(self.act(self.hidden(e.mean(1))))

    def forward(self, ids: Tensor) -> Tensor:
        return self.behind(self.words(ids))
