"""Is `evaluate --dry-run` right? python -m benchmarks.estimates: estimated and measured seconds of a core, five specs.

Networks have random weights, corpora are generated; the transformer is a small BERT under WHICHWORD_MODELS
(docs/scale.md), and left out where there is none.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.million import Sentences
from whichword.corpora.grammar import NUMBERS

SPECS = {
    "LSTM, grammar, three methods": ("lstm", "grammar[sentences=60000]", ["lrp", "limsse_ms_s", "omit_1"], None),
    "GRU, grammar, all methods": ("gru", "grammar", ["all"], 600),
    "CNN, docstrings, all methods": ("cnn", "docstrings", ["all"], 150),
    "LSTM, docstrings, omission": ("lstm", "docstrings", ["omit_1", "omit_7", "occ_1"], 150),
}
TRANSFORMER = ("docstrings", ["grad_1_s_l2", "grad_int_s_dot", "lrp", "omit_1"], 24)


def network(folder: Path, kind: str, corpus: str) -> str:
    import torch

    from whichword.corpora import read_corpus
    from whichword.networks import Config, Network
    from whichword.text import Vocabulary

    classes = NUMBERS if corpus.startswith("grammar") else read_corpus(corpus).classes
    words = sorted({word for document in Sentences(2000) for word in document.words})
    torch.manual_seed(0)
    Network(Config(kind, classes, 50, 50), Vocabulary(tuple(words))).requires_grad_(False).save(folder)
    return str(folder)


def specs(base: Path) -> Iterator[tuple[str, Path]]:
    for number, (title, (kind, corpus, methods, limit)) in enumerate(SPECS.items()):
        model = network(base / f"{kind}{number}", kind, corpus)
        yield title, _written(base / f"{number}.toml", model, corpus, methods, limit)
    bert = Path(os.environ.get("WHICHWORD_MODELS", "nowhere")) / "question"
    if bert.exists():
        corpus, methods, limit = TRANSFORMER
        title = "BERT of 2 layers, docstrings, four methods"
        yield title, _written(base / "bert.toml", f"hf:{bert}", corpus, methods, limit)


def _written(path: Path, model: str, corpus: str, methods: list[str], limit: int | None) -> Path:
    lines = [f"methods = {methods}", f"limit = {limit}" if limit else "", "[models]", f'm = "{model}"', "[[play]]"]
    mapping = f"classes = {{{_mapping(corpus)}}}" if model.startswith("hf:") else ""
    path.write_text("\n".join([*lines, f'corpora = ["{corpus}"]', mapping]).replace("'", '"') + "\n")
    return path


def _mapping(corpus: str) -> str:
    """Every label of the corpus to one of the two classes of the BERT."""
    from whichword.corpora import read_corpus

    labels = read_corpus(corpus).classes
    return ", ".join(f'{label} = "{("generic", "directed")[number % 2]}"' for number, label in enumerate(labels))


def estimated(spec: Path) -> float:
    """Ask in a process of its own, as a person does."""
    code = "from whichword.cli import main; main()"
    words = [sys.executable, "-c", code, "evaluate", "--spec", str(spec), "--dry-run"]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return 3600 * float(re.search(r"\(([0-9.e-]+) core-hours\)", told)[1])


def measured(spec: Path, out: Path) -> float:
    """Seconds of a core that `evaluate` takes, with everything."""
    code = "from whichword.cli import main; main()"
    words = ["evaluate", "--spec", str(spec), "--workers", "1", "--out", str(out)]
    before = os.times()
    subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    words = sys.argv[1:]
    with tempfile.TemporaryDirectory() as place:
        for title, spec in specs(Path(place)):
            if words and not any(word in title for word in words):
                continue
            before, seconds = estimated(spec), measured(spec, Path(place) / spec.stem)
            print(f"{title}: estimated {before:.1f} s, measured {seconds:.1f} s, {before / seconds:.2f}", flush=True)


if __name__ == "__main__":
    main()
