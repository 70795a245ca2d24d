"""A causal language model (a random one): is, or are? Run me: python examples/models/causal_lm.py"""

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

import whichword
from whichword.types import Document

pieces = ["[UNK]", "the", "a", "key", "keys", "to", "cabinet", "cabinets", "is", "are"]
raw = Tokenizer(models.WordLevel({piece: row for row, piece in enumerate(pieces)}, unk_token="[UNK]"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="[UNK]")
torch.manual_seed(0)
sizes = {"n_embd": 32, "n_layer": 2, "n_head": 4, "initializer_range": 0.3}
module = GPT2LMHeadModel(GPT2Config(vocab_size=len(pieces), bos_token_id=0, eos_token_id=0, **sizes)).eval()

model = whichword.wrap(module, tokenizer, task="agreement")
forms = {"singular": "is", "plural": "are"}
sentence = Document("keys", ("the", "keys", "to", "the", "cabinet"), "plural", facts=forms)
(answer,) = whichword.explain(model, [sentence], ["lrp[attention=attnlrp]", "lrp", "occ_1", "omit_1"])
print(answer.predicted, {method: answer.words[answer.rmax(method)] for method in answer.relevance})
