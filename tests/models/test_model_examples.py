"""The examples of wrapped models run as they stand and are short; where a library is missing, that is said."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

FOLDER = Path(__file__).parents[2] / "examples" / "models"
NEEDS = {
    "torch_lstm": None,
    "hf_classifier": "transformers",
    "causal_lm": "transformers",
    "scikit_learn": "sklearn",
    "http_api": None,
}


def run(name: str) -> str:
    library = NEEDS[name]
    if library is not None and find_spec(library) is None:
        pytest.skip(f"needs {library}")
    strict = [] if library == "transformers" else ["-W", "error"]  # it warns of its own future
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, *strict, FOLDER / f"{name}.py"], capture_output=True, text=True, timeout=300, env=paths
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_five_are_there_and_short() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(NEEDS)
    for path in FOLDER.glob("*.py"):
        assert len(path.read_text(encoding="utf8").splitlines()) < 36, path


def test_torch_lstm() -> None:
    printed = run("torch_lstm")
    assert printed.startswith("positive")
    assert "'lrp': 'good'" in printed
    assert "'decomp': 'good'" in printed
    assert "constants" in printed


def test_hf_classifier() -> None:
    printed = run("hf_classifier")
    assert "lrp[attention=attnlrp]" in printed
    assert "is the weight" in printed


def test_causal_lm() -> None:
    assert run("causal_lm").split()[0] in ("singular", "plural")


def test_scikit_learn() -> None:
    printed = run("scikit_learn")
    assert printed.startswith("good")
    assert "'limsse_ms_p': 'great'" in printed


def test_http_api() -> None:
    assert run("http_api").rstrip().endswith("texts")


GUIDE = Path(__file__).parents[2] / "docs" / "any-model.md"


def test_the_guides_models_are_short_and_run(tmp_path: Path) -> None:
    """Every block in under ten lines, one after the other, on small models made here."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf8"), re.DOTALL)
    assert len(blocks) == 5
    assert all(len(block.splitlines()) < 10 for block in blocks)
    space: dict[str, object] = {
        "words": [*["[unk]", "a", "film", "that", "is", "not", "bad", "at", "all"]],
        "folder": tmp_path,
    }
    space["module"] = torch.nn.Sequential(torch.nn.Embedding(9, 4), Mean(), torch.nn.Linear(4, 2))
    for block in [blocks[0], blocks[-1], *blocks[1:-1]]:  # the account is that of the first model's answer
        if "transformers" in block:
            if find_spec("transformers") is None:
                continue
            save_small(tmp_path, "CausalLM" in block)
        exec(compile(block, str(GUIDE), "exec"), space)


class Mean(torch.nn.Module):
    def forward(self, e: torch.Tensor) -> torch.Tensor:
        return e.mean(1)


def save_small(folder: Path, causal: bool) -> None:
    """A random model and its tokenizer, as from_pretrained wants them."""
    from tiny_tokenizers import byte_level
    from tiny_transformers import classifier, config_of
    from transformers import AutoModelForCausalLM

    tokenizer = byte_level()
    module = classifier("gpt2", vocab_size=len(tokenizer))
    if causal:
        module = AutoModelForCausalLM.from_config(config_of("gpt2", vocab_size=len(tokenizer)))
    module.float().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
