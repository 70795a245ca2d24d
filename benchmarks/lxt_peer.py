"""LXT (AttnLRP by exchanged functions) on the classifier of MiniLM's size, in a process of its own.

It exchanges functions of transformers' classes for the whole process, in which ours and the other peers would then
run too, and LXT 2.1 cannot be imported beside transformers 5. So the row is there where LXT names a folder of packages
for that process, which comes first on its path:

    pip install --no-deps --target lxt-folder lxt==2.1 tabulate transformers==4.52.4 tokenizers==0.21.4 \
        huggingface-hub==0.36.0
    LXT=lxt-folder make bench ONLY="transformers lrp"

``python -m benchmarks.lxt_peer WEIGHTS LENGTH ...`` is that process.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from unittest.mock import MagicMock

import torch
from torch import Tensor

from benchmarks.pretrained import PretrainedWorkload, minilm
from benchmarks.timing import Elsewhere
from whichword.model import Batch, by_word

FOLDER = os.environ.get("LXT", "")


class LxtPeer(Elsewhere):
    """The process, which has the same texts: they are made of their lengths."""

    def __init__(self, workload: PretrainedWorkload) -> None:
        lengths = [str(len(text.words)) for text in workload.texts]
        self._folder = tempfile.TemporaryDirectory()  # a head is random, and not the same in both versions
        weights = os.path.join(self._folder.name, "weights.pt")
        torch.save(workload.model.module.state_dict(), weights)
        path = os.pathsep.join([os.path.abspath(FOLDER), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.lxt_peer", weights, *lengths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
        )

    def _ask(self) -> tuple[float, list[list[float]]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print("explain", file=self._process.stdin, flush=True)
        seconds, relevances = json.loads(self._process.stdout.readline())
        return seconds, relevances

    def seconds(self) -> float:
        return self._ask()[0]

    def __call__(self) -> list[Tensor]:
        """Relevances per word, [T] each."""
        return [torch.tensor(row) for row in self._ask()[1]]


def exchange_functions() -> None:
    """What LXT does to transformers' BERT. To be imported it wants torchvision, for models that nobody asks about."""
    from transformers.models.bert import modeling_bert

    missing = [] if find_spec("torchvision") else ["torchvision", "torchvision.models"]
    sys.modules |= {name: MagicMock() for name in missing}
    from lxt.efficient import monkey_patch

    for name in missing:
        del sys.modules[name]
    monkey_patch(modeling_bert)


def explained(workload: PretrainedWorkload) -> Iterator[list[float]]:
    """As ours it begins with texts: read, predicted by the same pass, explained."""
    module = workload.model.module
    for text in workload.texts:
        batch = Batch.of([workload.model.read(text)])
        e = module.get_input_embeddings()(batch.ids.data).detach().requires_grad_(True)
        module(inputs_embeds=e, attention_mask=batch.ids.mask.long()).logits.max().backward()
        yield by_word((e.detach() * e.grad).sum(-1), batch)[0][0].tolist()


def main(weights: str, lengths: Sequence[str]) -> None:
    exchange_functions()  # a module that was made before keeps some of its own, and gives other relevances in silence
    workload = minilm().of([int(length) for length in lengths])
    workload.model.module.requires_grad_(False).load_state_dict(torch.load(weights, weights_only=True))
    for _ in sys.stdin:
        start = time.process_time()
        relevances = list(explained(workload))
        print(json.dumps([time.process_time() - start, relevances]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
