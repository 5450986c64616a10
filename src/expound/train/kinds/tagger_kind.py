"""The tagger: a tag for every word of a text, perhaps read with a question."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from expound.errors import UserError
from expound.files import write_whole
from expound.models.ranker import QUESTION_TOKENS
from expound.models.row_encoder import TokenRow
from expound.train.bases import identity_of, load_base
from expound.train.data.tag_files import NO_TAG, TaggedText, read_tagged
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.onnx_export import Outputs, export_model
from expound.train.token_rows import Encoder
from expound.train.training_settings import TaggerSettings

EXPORTED, TAGS = "tagger.onnx", "tags.json"
# As wide as the reader's, whose logits are one for every token too.
TAG_LOGITS = Outputs(("logits",), lambda result: result.logits, has_tokens=True, tolerance=1.5)
_CHECKED = 100  # texts that are compared with the exported file: done in seconds
_MEASURED_TOGETHER = 32  # padded to the longest of them; memory stays small


@dataclass(frozen=True)
class TaggedRow:
    """What the model reads of a text, and where each of its words begins, as far as it was read."""

    text: TaggedText
    row: TokenRow
    places: tuple[tuple[int, int], ...]
    """Numbers of words and of the tokens that they begin with."""


@dataclass(frozen=True)
class TaggerKind:
    """A model with a logit a tag for every token, learnt from tagged texts."""

    texts: Sequence[TaggedText]
    dev: Sequence[TaggedText]
    base: Path
    settings: TaggerSettings = field(default_factory=TaggerSettings)

    name = "tagger"
    head = "classifier"
    best_by = "f1"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.texts, self.dev, [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Texts to learn from and to measure on, and the tags."""
        return {"train": len(self.texts), "dev": len(self.dev), "tags": len(self.tags)}

    def new_model(self) -> Any:
        """The base with a head of one logit a tag, which knows their names."""
        names = dict(enumerate(self.tags))
        numbers = {name: number for number, name in names.items()}
        return load_base(self.base, "TokenClassification", num_labels=len(names), id2label=names, label2id=numbers)

    def draw(self, rng: random.Random) -> list[TaggedRow]:
        """Every text once."""
        return list(self._rows)

    def length(self, item: TaggedRow) -> float:
        """Tokens."""
        return len(item.row.ids)

    def loss(self, model: Any, batch: Sequence[TaggedRow]) -> Loss:
        """Cross-entropy of the tag of every word, at its first token."""
        import torch
        from torch.nn import functional

        logits = model(**self._encoder.inputs(model, [item.row for item in batch])).logits
        places = [(number, place) for number, item in enumerate(batch) for _, place in item.places]
        tags = [self.tags.index(item.text.tags[word]) for item in batch for word, _ in item.places]
        rows, columns = torch.tensor(places).T
        return Loss(functional.cross_entropy(logits[rows, columns], torch.tensor(tags)), len(batch), counted=len(tags))

    def measure(self, model: Any) -> dict[str, float]:
        """Share of right tags, F1 of whole spans, and share of texts without a mistake."""
        return tag_figures(self.dev, self.tag(model, self.dev)) if self.dev else {}

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The model to go on from, and `tagger.onnx` with its tags and its tokenizer."""
        check = [self._read(text).row for text in (self.dev or self.texts)[:_CHECKED]]
        written = export_model(model, out / EXPORTED, TAG_LOGITS, encoder=self._encoder, check=check)
        with write_whole(out / TAGS) as file:
            json.dump(self.tags, file, ensure_ascii=False)
        return {**self.counts(), **figures, **written}

    def tag(self, model: Any, texts: Sequence[TaggedText]) -> list[list[str]]:
        """The likeliest tag of every word; none where a word was not read."""
        import torch

        model.eval()
        tagged = []
        for start in range(0, len(texts), _MEASURED_TOGETHER):
            rows = [self._read(text) for text in texts[start : start + _MEASURED_TOGETHER]]
            with torch.inference_mode():
                best = model(**self._encoder.inputs(model, [item.row for item in rows])).logits.argmax(2).tolist()
            tagged += [self._tags_of(item, numbers) for item, numbers in zip(rows, best, strict=True)]
        return tagged

    @cached_property
    def tags(self) -> list[str]:
        """Every tag of the training texts, `O` first."""
        # Sorted, so that a tag has the same number in every run.
        known = {tag for text in self.texts for tag in text.tags} - {NO_TAG}
        return [NO_TAG, *sorted(known)]

    def _tags_of(self, item: TaggedRow, numbers: Sequence[int]) -> list[str]:
        tags = [NO_TAG] * len(item.text.words)
        for word, place in item.places:
            tags[word] = self.tags[numbers[place]]
        return tags

    def _read(self, text: TaggedText) -> TaggedRow:
        ids, places = self._encoder.encode_words(text.words)
        asked = self._encoder.encode(text.question).ids[:QUESTION_TOKENS]
        row = self._encoder.join(asked, ids, most_tokens=self.settings.most_tokens)
        # Words beyond the room were not read, and get no tag.
        last = row.second_side + self._encoder.room_after(asked, most_tokens=self.settings.most_tokens)
        found = ((word, row.second_side + place) for word, place in sorted(places.items()))
        return TaggedRow(text, row, tuple((word, place) for word, place in found if place < last))

    @cached_property
    def _rows(self) -> list[TaggedRow]:
        rows = (self._read(text) for text in self.texts)
        # A text whose words were all cut off has nothing to learn from.
        return [item for item in rows if item.places]

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.base)


def describe_tagger(files: TrainingFiles, base: Path, settings: TaggerSettings) -> TaggerKind:
    """A tagger of files of tagged texts."""
    texts, dev = read_tagged(files.train), read_tagged(files.dev)
    if len({tag for text in texts for tag in text.tags}) < 2:
        raise UserError("a tagger needs texts with at least two different tags to learn from: --train FILE")
    return TaggerKind(texts, dev, base, settings)


def tag_figures(texts: Sequence[TaggedText], tagged: Sequence[Sequence[str]]) -> dict[str, float]:
    """Share of words with the right tag, F1 of spans, share of texts that are right as a whole. 0 to 1."""
    wanted = [text.tags for text in texts]
    words = [a == b for right, found in zip(wanted, tagged, strict=True) for a, b in zip(right, found, strict=True)]
    right, found = ({(n, s) for n, tags in enumerate(some) for s in iter_spans(tags)} for some in (wanted, tagged))
    # Nothing to find and nothing found is as good as can be.
    f1 = 2 * len(right & found) / (len(right) + len(found)) if right or found else 1.0
    whole = fmean(tuple(a) == tuple(b) for a, b in zip(wanted, tagged, strict=True))
    return {"accuracy": fmean(words), "f1": f1, "whole": whole}


def iter_spans(tags: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Kind, first and last word of each run of tags; `B-` begins a new one."""
    kind, start = "", 0
    # One more without a tag, so that a span at the end is closed as well.
    for place, tag in enumerate((*tags, NO_TAG)):
        found = "" if tag == NO_TAG else tag.removeprefix("B-").removeprefix("I-")
        if kind and (found != kind or tag.startswith("B-")):
            yield kind, start, place - 1
            kind = ""
        if found and not kind:
            kind, start = found, place
