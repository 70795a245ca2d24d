"""Small tokenizers, trained here: WordPiece as BERT's, byte-level BPE as GPT-2's, with offsets trimmed or not."""

import warnings
from functools import cache
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

TEXTS = [
    "the film was not very good , and the acting was worse",
    "an unbelievable story with wonderful people in it",
    "it was the worst thing that I have ever seen !",
    "the key to the cabinets is on the table , the keys are not",
    *["it is , they are ; it was , they were ; it has , they have"] * 9,  # often enough to be pieces as they are
]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
END = "<|end|>"


@cache
def _trained_wordpiece() -> str:
    """Trained once per process: equally frequent pairs are merged in another order every time."""
    pieces = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    pieces.normalizer, pieces.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    pieces.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(vocab_size=110, special_tokens=SPECIALS, show_progress=False)
    )
    return str(pieces.to_str())


def wordpiece() -> Any:
    pieces = Tokenizer.from_str(_trained_wordpiece())
    pieces.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    names = dict(zip(["pad_token", "unk_token", "cls_token", "sep_token", "mask_token"], SPECIALS, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=pieces, **names)


@cache
def _trained_bytes() -> str:
    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=340, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    pieces.train_from_iterator(TEXTS, trainer)
    return str(pieces.to_str())


def byte_level(trimmed: bool = True, begins: bool = False) -> Any:
    """``begins``: with a special piece in front."""
    pieces = Tokenizer.from_str(_trained_bytes())
    pieces.post_processor = processors.ByteLevel(trim_offsets=trimmed)
    if begins:
        pieces.post_processor = processors.TemplateProcessing(f"{END} $A", None, [(END, 0)])
    return PreTrainedTokenizerFast(tokenizer_object=pieces, bos_token=END, eos_token=END, pad_token=END)
