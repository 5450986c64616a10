"""A reader of two tiny random layers and a made-up town to train it on: shows in seconds that training works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from expound.train.answer_spans import find_answers
from expound.train.reader_run import ReaderFiles
from expound.train.squad import Reading, write_squad

_PEOPLE = ("mira", "olan", "petra", "quin", "rasa", "tove")
_THINGS = ("tower", "market", "bridge", "harbour", "wall", "mill")
_OTHERS = "who built burnt the by was stands in town near is old and . ?"
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def smoke_files(folder: Path) -> ReaderFiles:
    """Write the base model and the questions of the town into a folder."""
    readings = list(iter_readings())
    # Both questions on a context go to the same file.
    write_squad(folder / "train.json", [reading for place, reading in enumerate(readings) if place // 2 % 3])
    write_squad(folder / "dev.json", [reading for place, reading in enumerate(readings) if not place // 2 % 3])
    return ReaderFiles((folder / "train.json",), (folder / "dev.json",), write_tiny_base(folder / "base"))


def iter_readings() -> Iterator[Reading]:
    """Who built what, and who burnt it, which nobody says."""
    for thing in _THINGS:
        for person in _PEOPLE:
            context = f"the {thing} stands in the old town . the {thing} was built by {person} ."
            yield Reading(f"who built the {thing} ?", context, find_answers(context, [person]), "town")
            yield Reading(f"who burnt the {thing} ?", context, (), "town")


def write_tiny_base(folder: Path) -> Path:
    """Save an untrained BERT and its tokenizer; the same weights each time."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    words = (*_SPECIAL, *_OTHERS.split(), *_PEOPLE, *_THINGS)
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), _SPECIAL, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(str(folder))
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(
        BertConfig(vocab_size=len(words), max_position_embeddings=384, initializer_range=0.2, **sizes)
    ).save_pretrained(str(folder))
    return folder
