"""A Hugging Face classifier: a random one, made here, so that nothing is downloaded. Your own: from_pretrained(FOLDER).

Run me: python examples/models/hf_classifier.py
"""

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

import whichword

pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "film", "was", "not", "good", "bad", "at", "all"]
raw = Tokenizer(models.WordLevel({piece: row for row, piece in enumerate(pieces)}, unk_token="[UNK]"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
raw.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="[UNK]", pad_token="[PAD]")
torch.manual_seed(0)
sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
config = BertConfig(vocab_size=len(pieces), id2label={0: "negative", 1: "positive"}, initializer_range=0.3, **sizes)

model = whichword.wrap(BertForSequenceClassification(config).eval(), tokenizer)
(answer,) = whichword.explain(model, ["the film was not bad at all"], ["lrp", "lrp[attention=attnlrp]", "occ_1"])
print(answer.predicted, {method: values.round(3).tolist() for method, values in answer.relevance.items()})
print(answer.account(), *answer.account().decisions.items(), sep="\n")
