"""Tiny models of random weights in folders of the transformers library: a causal one, one that reads and writes, an
encoder and a classifier, over one small vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

WORDS = "<pad> <s> </s> <unk> the harbour is deep why boats are white paint cheap cool who what . ?".split()
_SIZES = {"vocab_size": len(WORDS), "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
_ENCODER = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    # Wide random weights: with the usual small ones all texts look the same.
    "initializer_range": 0.4,
}


def make_folder(folder: Path, kind: str) -> Path:
    """A model of a kind and its tokenizer; the same weights each time."""
    torch: Any = pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")
    folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(folder, marks=kind != "causal")
    torch.manual_seed(7)
    _made(transformers, kind).save_pretrained(folder)
    return folder


def _made(transformers: Any, kind: str) -> Any:
    if kind == "causal":
        sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32, "initializer_range": 0.6}
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(**_SIZES, **sizes))
    if kind == "writer":
        layers = {"encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
        sizes = {"d_model": 16, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "max_position_embeddings": 32}
        start = {"decoder_start_token_id": 2, "forced_eos_token_id": 2, "init_std": 0.6}
        config = transformers.BartConfig(**_SIZES, **layers, **sizes, **start)
        return transformers.BartForConditionalGeneration(config)
    if kind == "t5":
        sizes = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 1, "num_heads": 2}
        return transformers.T5ForConditionalGeneration(
            transformers.T5Config(**_SIZES, **sizes, decoder_start_token_id=0, initializer_factor=2.0)
        )
    config = transformers.BertConfig(**_SIZES, **_ENCODER, num_labels={"scorer": 1, "reader": 2}.get(kind, 3))
    makers = {
        "encoder": "BertModel",
        "reader": "BertForQuestionAnswering",
        "scorer": "BertForSequenceClassification",
        "nli": "BertForSequenceClassification",
    }
    return getattr(transformers, makers[kind])(config)


def save_tokenizer(folder: Path, *, marks: bool) -> None:
    """Words of the vocabulary, between marks or without."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    transformers: Any = pytest.importorskip("transformers")
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if marks:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=[("<s>", 1), ("</s>", 2)]
        )
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    marked = {"cls_token": "<s>", "sep_token": "</s>"} if marks else {}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names, **marked).save_pretrained(folder)
