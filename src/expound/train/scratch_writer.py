"""Writers that start from nothing: a tokenizer learnt from the rows, and random layers of a preset's size."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from expound.errors import UnknownName, nearest
from expound.files import hold_lock
from expound.train.data.writer_files import WriterRow
from expound.train.data.writer_tasks import MASK, TASKS
from expound.train.description import hash_of
from expound.train.team import Team

_SPECIAL = ("<pad>", "</s>", "<unk>", MASK)
_MADE_OF = "made_of.json"


@dataclass(frozen=True)
class WriterSizes:
    """How large the layers are, of each side if there are two."""

    width: int
    layers: int
    heads: int
    vocabulary: int
    inner: int
    dropout: float = 0.1
    spread: float = 0.02
    """How wide the random weights lie; with the usual narrow ones thirty steps would learn nothing."""
    places: int = 1024
    """Tokens that can be told apart by where they stand: a longer text could not be read."""


SIZES: Mapping[str, WriterSizes] = {
    # Thirty steps of seconds, for the smoke test.
    "tiny": WriterSizes(width=32, layers=2, heads=2, vocabulary=400, inner=64, dropout=0.0, spread=0.1),
    # About 5 million weights: a few thousand answers are gone through in minutes on a core.
    "small": WriterSizes(width=256, layers=4, heads=4, vocabulary=8000, inner=1024),
    # Fan et al. 2019: the big Transformer of Vaswani et al. 2017, on 40,000 codes.
    "eli5": WriterSizes(width=1024, layers=6, heads=16, vocabulary=40_000, inner=4096, dropout=0.3),
}
"""By name; what each is for stands beside it."""


def sizes_of(name: str) -> WriterSizes:
    """The sizes of a preset."""
    if name not in SIZES:
        raise UnknownName(f"no sizes named {name!r} to start from nothing with; {nearest(name, SIZES)}")
    return SIZES[name]


def sizes_for(name: str, most_tokens: int) -> WriterSizes:
    """The sizes of a preset, with a place for every token that is to be read."""
    sizes = sizes_of(name)
    return replace(sizes, places=max(sizes.places, most_tokens))


def write_scratch_base(folder: Path, rows: Sequence[WriterRow], sizes: WriterSizes, *, shape: str, seed: int) -> Path:
    """A folder like any base's, made once: the same rows and the same seed give the same weights."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    team = Team()
    team.check_folder(folder.parent)
    # One makes it for all, and it has to be the first: the library writes no weights in the others.
    if team.is_first:
        _make_base(folder, rows, sizes, shape=shape, seed=seed)
    team.wait()
    return folder


def _make_base(folder: Path, rows: Sequence[WriterRow], sizes: WriterSizes, *, shape: str, seed: int) -> None:
    """Write the base unless it is there, made of the same."""
    mark, made_of = folder / _MADE_OF, json.dumps([asdict(sizes), shape, seed, hash_of(rows)])
    # Two runs may begin at once, and the second must not read half a base.
    with hold_lock(folder.with_name(f"{folder.name}.lock")):
        if not mark.is_file() or mark.read_text(encoding="utf-8") != made_of:
            _write_base(folder, rows, sizes, shape=shape, seed=seed)
            # Last: a folder without it is made anew.
            mark.write_text(made_of, encoding="utf-8")


def _write_base(folder: Path, rows: Sequence[WriterRow], sizes: WriterSizes, *, shape: str, seed: int) -> None:
    import torch

    tokenizer = _learn_tokenizer(rows, sizes.vocabulary)
    torch.manual_seed(seed)
    model = (_new_causal if shape == "causal" else _new_seq2seq)(len(tokenizer), sizes)
    model.save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))


def _learn_tokenizer(rows: Sequence[WriterRow], vocabulary: int) -> Any:
    """Byte-pair codes of the rows' own words."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    markers = [f"<{task}>" for task in TASKS]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[*_SPECIAL, *markers],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(rows), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", mask_token=MASK
    )


def _texts(rows: Sequence[WriterRow]) -> Iterator[str]:
    for row in rows:
        yield from (row.question, row.answer, *(document.text for document in row.documents))


def _new_causal(vocabulary: int, sizes: WriterSizes) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=sizes.width,
        intermediate_size=sizes.inner,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        # Turned by the place and not looked up in a table: texts may be longer than those it was trained on.
        max_position_embeddings=max(4096, sizes.places),
        tie_word_embeddings=True,
        attention_dropout=sizes.dropout,
        initializer_range=sizes.spread,
        **_MARKS,
    )
    return LlamaForCausalLM(config)


def _new_seq2seq(vocabulary: int, sizes: WriterSizes) -> Any:
    from transformers import BartConfig, BartForConditionalGeneration

    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (("layers", sizes.layers), ("attention_heads", sizes.heads), ("ffn_dim", sizes.inner))
    }
    config = BartConfig(
        vocab_size=vocabulary,
        d_model=sizes.width,
        dropout=sizes.dropout,
        init_std=sizes.spread,
        max_position_embeddings=sizes.places,
        decoder_start_token_id=1,
        forced_eos_token_id=None,
        **sides,
        **_MARKS,
    )
    return BartForConditionalGeneration(config)


# As the tokenizer numbers them; writing begins with the end mark of what was before.
_MARKS: Mapping[str, Any] = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 1}
