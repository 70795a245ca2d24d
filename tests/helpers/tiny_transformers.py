"""Small random transformers of many families, and a tokenizer for them that is made here: nothing is downloaded."""

import warnings
from typing import Any

import torch
from tests.helpers.foreign_modules import shaken

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import AutoConfig, AutoModelForSequenceClassification, PreTrainedTokenizerFast

transformers.logging.set_verbosity_error()

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [f"w{i}" for i in range(45)]
SIZES: dict[str, Any] = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
}
FAMILIES: dict[str, dict[str, Any]] = {
    "bert": {},
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24},
    "roberta": {},
    "electra": {"embedding_size": 8},
    "albert": {"embedding_size": 8},
    "modernbert": {"global_attn_every_n_layers": 2, "local_attention": 8},
    "deberta-v2": {
        "relative_attention": True,
        "pos_att_type": ["p2c", "c2p"],
        "position_buckets": 8,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
    },
    "mpnet": {},
    "gpt2": {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64},
    "llama": {"num_key_value_heads": 1},
    "qwen3": {"num_key_value_heads": 1, "head_dim": 8},
}
ROUNDING = ("llama", "qwen3", "modernbert")  # families that go through single precision, whatever they are given
ONLY_EAGER = ("deberta-v2", "mpnet")


def config_of(family: str, **settings: Any) -> Any:
    return AutoConfig.for_model(family, **SIZES | FAMILIES[family] | settings)


def classifier(family: str, attention: str = "eager", labels: int = 3, **settings: Any) -> Any:
    """A classifier in double precision and eval mode."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = AutoModelForSequenceClassification.from_config(
            config_of(family, num_labels=labels, **settings), attn_implementation=attention
        )
    return shaken(module)


def tokenizer(template: bool = True) -> PreTrainedTokenizerFast:
    """A piece per word; [CLS] and [SEP] around the text where there is a template."""
    pieces = Tokenizer(models.WordLevel({piece: i for i, piece in enumerate([*SPECIALS, *WORDS])}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if template:
        pieces.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    names = dict(zip(["pad_token", "unk_token", "cls_token", "sep_token", "mask_token"], SPECIALS, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=pieces, **names)
