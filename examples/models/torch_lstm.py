"""A torch LSTM of your own, explained as it is. Run me: python examples/models/torch_lstm.py"""

import torch
from torch import Tensor, nn

import whichword

WORDS = ["[unk]", "a", "the", "film", "story", "was", "very", "good", "great", "bad", "awful"]
TEXTS = ["a good film", "the story was great", "very good story", "a bad film", "the film was awful", "very bad story"]


class Sentiment(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.lstm, self.out = nn.Embedding(11, 8), nn.LSTM(8, 8, batch_first=True), nn.Linear(8, 2)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.lstm(self.words(ids))[0][:, -1])


torch.manual_seed(0)
module = Sentiment()
optimizer = torch.optim.Adam(module.parameters(), 0.05)
for step in range(120):
    ids = torch.tensor([[WORDS.index(word) for word in TEXTS[step % 6].split()]])
    optimizer.zero_grad()
    nn.functional.cross_entropy(module(ids), torch.tensor([int(step % 6 < 3)])).backward()
    optimizer.step()

model = whichword.wrap(module.eval(), vocabulary=WORDS, classes=["negative", "positive"], unknown="[unk]")
(answer,) = whichword.explain(model, ["the story was very good"], ["lrp", "deeplift", "decomp", "occ_1"])
print(answer.predicted, {method: answer.words[answer.rmax(method)] for method in answer.relevance})
print(answer.account())
