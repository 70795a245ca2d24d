"""A model of your own, explained word by word: letters into an nn.LSTM. Run me: python examples/add_a_model.py"""

from torch import Tensor, nn

import whichword
from whichword.model import Batch, Differentiable, Reading
from whichword.types import About, Written


class Spelling(Differentiable):
    """It reads letters, after a piece that is no word's (-1). `embed` and `forward` are all that gradients need."""

    about = About("spelling", ("no", "yes"))
    embedding, lstm, readout = nn.Embedding(64, 8), nn.LSTM(8, 8, batch_first=True), nn.Linear(8, 2)

    def read(self, document: Written) -> Reading:
        ids, word = zip((0, -1), *((1 + ord(c) % 63, t) for t, w in enumerate(document.words) for c in w), strict=True)
        return Reading(document.words, document.text, ids, word, [False] * len(document.words), len(document.words))

    def embed(self, batch: Batch) -> Tensor:
        return self.embedding(batch.ids.data)

    def forward(self, e: Tensor, batch: Batch) -> Tensor:
        return self.readout(batch.ids.with_data(self.lstm(e)[0]).last())


model = Spelling()
print(whichword.explain(model, "a very good film", ["grad_1_s_dot", "omit_1", "limsse_ms_s"])[0].relevance)
print("lrp: n/a,", whichword.methods.plan("lrp", model).undefined["lrp"])
