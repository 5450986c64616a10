"""A BERT of two small random layers with a vocabulary of a few words, and groups to train it on."""

from __future__ import annotations

from pathlib import Path

from expound.train.groups import Group

_NAMES = ("mira", "olan", "petra", "quin", "rasa")
_THINGS = ("tower", "market", "bridge", "harbour", "wall")
_WORDS = (
    "who",
    "built",
    "the",
    "by",
    "was",
    "stands",
    "in",
    "town",
    "burnt",
    "near",
    "is",
    "old",
    ".",
    *_NAMES,
    *_THINGS,
)

# An answer says "built by"; the others share the thing or the name with it.
GROUPS = [
    *(
        Group(
            f"who built the {thing}",
            (f"the {thing} was built by {name} .", f"{name} built the {thing} ."),
            (f"the {thing} stands in the town .", f"{name} is in the old town .", f"the {thing} is near the wall ."),
            "toy",
        )
        for thing, name in zip(_THINGS, _NAMES, strict=True)
    ),
    Group("who burnt the tower", (), ("the tower stands in the town .", "the tower is old ."), "unanswerable"),
]


def write_base(folder: Path) -> Path:
    """Save the untrained encoder and its tokenizer as a base model; the same weights each time."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
    vocabulary = {word: number for number, word in enumerate((*special, *_WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), special, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(str(folder))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    BertModel(config).save_pretrained(str(folder))
    return folder
