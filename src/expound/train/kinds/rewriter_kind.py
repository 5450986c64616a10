"""The rewriter's tagger: a small head over the shipped reader's vectors that says which words people would add."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import UserError
from expound.files import sha256_of
from expound.models.embedder import open_session, open_tokenizer
from expound.models.exported_encoder import OPSET
from expound.models.reader import READER_SHA256
from expound.models.telling_words import SIGNS, PlacedWord, TellingWords, look_at
from expound.models.token_limits import TELLING_TOKENS
from expound.records import read_json
from expound.score.ambigqa import words_added
from expound.text.normal import normalize_answer
from expound.text.words import STOP_WORDS
from expound.train.bases import CONFIG, TOKENIZER, load_base
from expound.train.data.rewrite_files import RewrittenPair, read_rewritten
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.int8 import quantise_weights
from expound.train.onnx_export import LogitsDiffer
from expound.train.telling_head import new_head
from expound.train.training_settings import RewriterSettings

EXPORTED = "rewriter.onnx"
_CHECKED = 50  # pairs that are compared with the exported file
_TOLERANCE = 0.1  # of a logit: int8 weights of one matrix
_MEASURED_TOGETHER = 64  # padded to the longest of them; memory stays small

Look = Callable[[RewrittenPair], tuple[list[PlacedWord], Any, Any]]
"""Words, vectors and signs of a pair, as the product has them."""


@dataclass(frozen=True)
class SeenPair:
    """What the head reads of a pair, and which of its words people added."""

    vectors: Any
    signs: Any
    added: tuple[float, ...]
    counts: tuple[float, ...]
    """1 for words of the evidence that say something, which alone are tagged."""


@dataclass(frozen=True)
class RewriterKind:
    """A head with a logit for every word, learnt from rewritten questions."""

    pairs: Sequence[RewrittenPair]
    dev: Sequence[RewrittenPair]
    look: Look = field(repr=False)
    settings: RewriterSettings = field(default_factory=RewriterSettings)

    name = "rewriter"
    head = ""
    best_by = "average_precision"

    def identity(self) -> str:
        """A hash of data, reader and choices."""
        return hash_of(self.pairs, self.dev, [self.settings, READER_SHA256])

    def counts(self) -> dict[str, int]:
        """Pairs to learn from and to measure on, those without evidence, and those whose addition stands in theirs."""
        found = [pair for pair in self.pairs if pair.sentence]
        told = sum(not _words_of(pair).isdisjoint(words_added(pair.question, pair.rewritten)) for pair in found)
        empty = len(self.pairs) - len(found)
        return {"train": len(found), "without_evidence": empty, "told_by_evidence": told, "dev": len(self.dev)}

    def new_model(self) -> Any:
        """A head of random weights."""
        return new_head(self.settings)

    def draw(self, rng: random.Random) -> list[SeenPair]:
        """Every pair that has evidence, once."""
        return list(self._seen)

    def length(self, item: SeenPair) -> float:
        """Words."""
        return len(item.added)

    def loss(self, model: Any, batch: Sequence[SeenPair]) -> Loss:
        """Binary cross-entropy of every word of the evidence."""
        from torch.nn import functional

        vectors, signs, added, counted = pad_pairs(batch)
        each = functional.binary_cross_entropy_with_logits(
            model(vectors, signs, is_word=signs.sum(-1) > 0), added, reduction="none"
        )
        words = counted.sum()
        return Loss((each * counted).sum() / words.clamp(min=1.0), len(batch), counted=int(words))

    def measure(self, model: Any) -> dict[str, float]:
        """Average precision over all words of the dev pairs: are the added ones the likeliest? 0 to 1."""
        import torch

        if not self._seen_dev:
            return {}
        model.eval()
        logits: list[float] = []
        added: list[float] = []
        for start in range(0, len(self._seen_dev), _MEASURED_TOGETHER):
            vectors, signs, wanted, counted = pad_pairs(self._seen_dev[start : start + _MEASURED_TOGETHER])
            with torch.inference_mode():
                found = model(vectors, signs, is_word=signs.sum(-1) > 0)
            logits += found[counted > 0].tolist()
            added += wanted[counted > 0].tolist()
        return {"average_precision": average_precision(logits, added)}

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """`rewriter.onnx`, checked against the head."""
        check = (self._seen_dev or self._seen)[:_CHECKED]
        difference = export_head(model, out / EXPORTED, check)
        return {
            **self.counts(),
            **figures,
            "largest_logit_difference": difference,
            "sha256": sha256_of(out / EXPORTED),
        }

    @cached_property
    def _seen(self) -> list[SeenPair]:
        return [self._see(pair) for pair in self.pairs if pair.sentence]

    @cached_property
    def _seen_dev(self) -> list[SeenPair]:
        return [self._see(pair) for pair in self.dev if pair.sentence]

    def _see(self, pair: RewrittenPair) -> SeenPair:
        words, vectors, signs = self.look(pair)
        normals = [normalize_answer(word.text) for word in words]
        wanted = words_added(pair.question, pair.rewritten)
        counts = tuple(float(word.side == 1 and bool(normal)) for word, normal in zip(words, normals, strict=True))
        added = tuple(count * (normal in wanted) for count, normal in zip(counts, normals, strict=True))
        # Half as many bytes: all pairs are kept, and the reader's rounding is coarser than this.
        return SeenPair(vectors.astype("float16"), signs, added, counts)


def describe_rewriter(files: TrainingFiles, base: Path | None, settings: RewriterSettings) -> RewriterKind:
    """A rewriter of files of rewritten questions, on the shipped reader or on the folder of another encoder."""
    pairs, dev = read_rewritten(files.train), read_rewritten(files.dev)
    if not any(pair.sentence for pair in pairs):
        raise UserError("a rewriter needs pairs with evidence to learn from: expound train rewriter-data")
    if base is None:
        return RewriterKind(pairs, dev, _ShippedLook(), settings)
    width = int(read_json(base / CONFIG)["hidden_size"]) if (base / CONFIG).exists() else settings.width_in
    return RewriterKind(pairs, dev, _FolderLook(base), replace(settings, width_in=width))


class _ShippedLook:
    """By the reader that ships, with its int8 weights: as the product looks."""

    def __call__(self, pair: RewrittenPair) -> tuple[list[PlacedWord], Any, Any]:
        return self._telling.look(pair.evidenced)

    @cached_property
    def _telling(self) -> TellingWords:
        return TellingWords(Path(EXPORTED), resources.path("minilm-tokenizer"))


class _FolderLook:
    """By the last layer of any encoder of the transformers library."""

    def __init__(self, base: Path) -> None:
        self._base = base

    def __call__(self, pair: RewrittenPair) -> tuple[list[PlacedWord], Any, Any]:
        import torch

        encoding = self._tokenizer.encode(pair.evidenced.asked, pair.evidenced.text)
        with torch.inference_mode():
            tokens = self._model(torch.tensor([encoding.ids])).last_hidden_state[0].numpy()
        return look_at(pair.evidenced, encoding, tokens)

    @cached_property
    def _model(self) -> Any:
        return load_base(self._base, "").eval()

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._base / TOKENIZER, TELLING_TOKENS, pads=False, cut="only_second")


def _words_of(pair: RewrittenPair) -> set[str]:
    # An "in" that stands in the evidence as well tells nothing.
    return set(normalize_answer(f"{pair.title} {pair.sentence}").split()) - STOP_WORDS


def pad_pairs(pairs: Sequence[SeenPair]) -> tuple[Any, Any, Any, Any]:
    """Vectors, signs, what was added and what counts, padded to the longest pair."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    columns = (
        [torch.from_numpy(pair.vectors).float() for pair in pairs],
        [torch.from_numpy(pair.signs) for pair in pairs],
        [torch.tensor(pair.added) for pair in pairs],
        [torch.tensor(pair.counts) for pair in pairs],
    )
    vectors, signs, added, counts = (pad_sequence(column, batch_first=True) for column in columns)
    return vectors, signs, added, counts


def average_precision(scores: Sequence[float], wanted: Sequence[float]) -> float:
    """The mean, over what is wanted, of the share of wanted things among those that score as high. 0 to 1."""
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    shares, found = [], 0
    for rank, place in enumerate(order, start=1):
        if wanted[place]:
            found += 1
            shares.append(found / rank)
    return sum(shares) / len(shares) if shares else 0.0


def export_head(model: Any, path: Path, check: Sequence[SeenPair]) -> float:
    """Write the head as ONNX with int8 weights; the file appears only if it agrees with the head on `check`."""
    import torch

    model.eval()
    partial = path.with_name(f"{path.name}.part")
    free = {0: "batch", 1: "words"}
    example = (torch.zeros(1, 3, model.width_in), torch.zeros(1, 3, SIGNS))
    try:
        with warnings.catch_warnings():
            # The tracer doubts whether the graph holds for other lengths; that is compared below.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                model,
                example,
                str(partial),
                input_names=["vectors", "signs"],
                output_names=["logits"],
                dynamic_axes={"vectors": free, "signs": free, "logits": free},
                opset_version=OPSET,
                dynamo=False,
            )
        quantise_weights(partial)
        largest = max(_difference(model, partial, pair) for pair in check)
        # Written the other way round, a NaN would pass.
        if not largest <= _TOLERANCE:
            raise LogitsDiffer(f"logits move by up to {largest:.3f} (allowed: {_TOLERANCE}); {path} not written")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return largest


def _difference(model: Any, path: Path, pair: SeenPair) -> float:
    import torch

    vectors, signs, _, _ = pad_pairs([pair])
    with torch.inference_mode():
        ours = model(vectors, signs).numpy()
    theirs = open_session(path, threads=1).run(None, {"vectors": vectors.numpy(), "signs": signs.numpy()})[0]
    return float(abs(ours - theirs).max())
