"""Models of the judged corpus: two networks of ours, and a small transformer that is fine-tuned from nothing.

Without dropout: its noise leaves weight on words that say nothing.
"""

import warnings
from pathlib import Path

import torch
from judged_corpus import DECISIVE, FILLER

from whichword.corpora import read_corpus
from whichword.training import Training, train


def network(name: str, corpus: str, folder: Path) -> str:
    sizes = {"embedding": 8, "hidden": 12, "batch": 8}
    settings = Training(network=name, **sizes, learning_rate=0.02, dropout=0.0, epochs=8, patience=3)
    train(read_corpus(corpus), settings, folder)
    return str(folder)


def transformer(corpus: str, folder: Path) -> str:
    """Two layers, drawn at random, and a tokenizer that knows whole words; then our own fine-tuning."""
    from whichword.extras.shortcuts.finetuning import FineTuning, fine_tune

    _untrained(folder / "start")
    settings = FineTuning(epochs=8, batch=24, learning_rate=3e-3)
    fine_tune(folder / "start", read_corpus(corpus), settings, folder / "model")
    return f"hf:{folder / 'model'}"


def _untrained(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tokenizers import Tokenizer, models, pre_tokenizers, processors
        from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = [*specials, *FILLER, *(word for group in DECISIVE.values() for word in group)]
    pieces = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()
    pieces.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(words), max_position_embeddings=32, hidden_dropout_prob=0.0, **sizes)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BertForSequenceClassification(config).save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=pieces, **names).save_pretrained(folder)
