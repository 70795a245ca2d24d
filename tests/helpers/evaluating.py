"""A process that evaluates: JSON with a run's spec in, JSON with what came of it out.

{"models": {label: spelling}, "game": ..., "methods": [...], "out": ..., "mixed": false, "stop": 0, "workers": 1}
``stop`` ends the process after so many shards, as a kill would.
"""

import json
import os
import sys
from pathlib import Path

import planted_corpus  # registers the corpus

from whichword.errors import InputError
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Silent
from whichword.runs.shards import Receipt
from whichword.scoring.run import judge


class Stop(Silent):
    """Ends the process after some shards."""

    def __init__(self, after: int) -> None:
        self.left = after

    def made(self, receipt: Receipt) -> None:
        self.left -= 1
        if self.left == 0:
            print(json.dumps({"stopped": True}), flush=True)
            os._exit(0)


def main() -> None:
    assert planted_corpus.CLASSES
    body = json.loads(sys.argv[1])
    play = Play(tuple(body["models"]), ("planted",), (body["game"],), tuple(body["methods"]), limit=20)
    spec, out = Spec(body["models"], (play,), shard_words=body.get("shard_words", 2000)), Path(body["out"])
    watch = Stop(body.get("stop", 0))
    try:
        done = evaluate(spec, out, body.get("workers", 1), watch, mixed=body.get("mixed", False))
    except InputError as error:
        print(json.dumps({"error": str(error)}))
        return
    judged = judge(done.run, "p00")
    hits = {part: float(values.sum()) for part, values in judged.hits.items()}
    print(json.dumps({"computed": done.computed, "hits": hits, "identity": dict(done.run.plan.identity)}))


if __name__ == "__main__":
    main()
