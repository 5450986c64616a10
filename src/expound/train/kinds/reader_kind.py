"""The span reader: where in a context the answer to a question stands, or that it does not."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from expound.errors import UserError
from expound.models.reader_windows import MOST_TOKENS, OVERLAP, Window
from expound.models.row_encoder import TokenRow
from expound.models.span_search import read_spans
from expound.train.bases import identity_of, load_base
from expound.train.data.squad_layout import SpanExample, read_squad
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.onnx_export import Outputs, export_model
from expound.train.reader_figures import JudgedSpan, choose_offset, judge_spans, squad_figures
from expound.train.token_rows import Encoder, EncoderCutter
from expound.train.training_settings import ReaderSettings
from expound.types import Span

EXPORTED = "reader.onnx"
NO_ANSWER = (0, 0)
"""Both positions of a window without an answer point to [CLS]."""

# In place of minus infinity, whose differences are not numbers; far below any logit.
_NEVER = -1e4
# Every token of so many windows is compared with the exported file: enough to meet an odd one, and done in seconds.
_CHECKED_PAIRS = 100
# Held against the worst of two logits for every token, most of which no answer uses: the shipped file moves by .57.
_TOLERANCE = 1.5


@dataclass(frozen=True)
class LabelledWindow:
    """A window with the places of the right answers in it, as first and last token."""

    window: Window
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ReaderKind:
    """A model with two logits a token, learnt from questions on contexts."""

    examples: Sequence[SpanExample]
    dev: Mapping[str, Sequence[SpanExample]]
    base: Path
    settings: ReaderSettings = field(default_factory=ReaderSettings)

    name = "reader"
    head = "qa_outputs"
    best_by = "mean_f1"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.examples, self.dev.items(), [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Questions to learn from and to measure on."""
        return {"train": len(self.examples), "dev": sum(map(len, self.dev.values()))}

    def new_model(self) -> Any:
        """The base with a span head."""
        return load_base(self.base, "QuestionAnswering")

    def draw(self, rng: random.Random) -> list[LabelledWindow]:
        """Every window once."""
        return list(self._windows)

    def length(self, item: LabelledWindow) -> float:
        """Tokens."""
        return len(item.window.ids)

    def loss(self, model: Any, batch: Sequence[LabelledWindow]) -> Loss:
        """How little of the probability goes to right spans."""
        starts, ends = self._logits(model, [item.window for item in batch])
        return Loss(span_loss(starts, ends, [item.spans for item in batch]), len(batch))

    def measure(self, model: Any) -> dict[str, float]:
        """SQuAD's figures of every dev file, with the offset that suits them best."""
        if not self.dev:
            return {}
        judged = {name: judge_spans(examples, self.read(model, examples)) for name, examples in self.dev.items()}
        return dev_figures(judged)

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The model to go on from, and `reader.onnx` with the threshold for not answering built in."""
        check = [row_of(window) for windows in self._pick_checked_windows() for window in windows]
        outputs = span_outputs(figures.get("offset", 0.0))
        written = export_model(model, out / EXPORTED, outputs, encoder=self._encoder, check=check)
        return {**self.counts(), **figures, **written}

    def read(self, model: Any, examples: Sequence[SpanExample]) -> list[Span]:
        """The best span that the model reads off each context, however high the null score is."""
        import torch

        def run(windows: Sequence[Window]) -> tuple[Any, Any]:
            with torch.no_grad():
                starts, ends = self._logits(model, windows)
            return starts.numpy(), ends.numpy()

        model.eval()
        # Never silent: where the threshold lies is chosen afterwards from these.
        return read_spans(pairs_of(examples), self._long_cutter, run, threshold=math.inf)

    def _logits(self, model: Any, windows: Sequence[Window]) -> tuple[Any, Any]:
        """Start and end logits of a few windows; padding can never be chosen."""
        inputs = self._encoder.inputs(model, [row_of(window) for window in windows])
        # Padding beside short windows has logits like any other token.
        result = model(**inputs)
        is_padding = inputs["attention_mask"] == 0
        return result.start_logits.masked_fill(is_padding, _NEVER), result.end_logits.masked_fill(is_padding, _NEVER)

    def _pick_checked_windows(self) -> list[list[Window]]:
        known = [example for examples in self.dev.values() for example in examples] or self.examples
        return self._long_cutter.windows(pairs_of(known[:_CHECKED_PAIRS]))

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.base)

    @cached_property
    def _long_cutter(self) -> EncoderCutter:
        return EncoderCutter(self._encoder, most_tokens=MOST_TOKENS, overlap=OVERLAP)

    @cached_property
    def _windows(self) -> list[LabelledWindow]:
        settings = self.settings
        cutter = EncoderCutter(self._encoder, most_tokens=settings.most_tokens, overlap=settings.overlap)
        return label_windows(self.examples, cutter, seed=settings.seed)


def describe_reader(files: TrainingFiles, base: Path, settings: ReaderSettings) -> ReaderKind:
    """A reader of files in the SQuAD 2.0 layout."""
    if not (files.train and files.dev):
        raise UserError("a reader needs files to train on and to choose its threshold by: --train FILE --dev FILE")
    read = {path: read_squad(path) for path in (*files.train, *files.dev)}
    if empty := [path for path, examples in read.items() if not examples]:
        raise UserError(f"{empty[0]} has no questions; a reader needs some to learn from and to measure on")
    examples = [example for path in files.train for example in read[path]]
    dev = {path.name.split(".")[0]: read[path] for path in files.dev}
    return ReaderKind(examples, dev, base, settings)


def span_loss(starts: Any, ends: Any, spans: Sequence[Sequence[tuple[int, int]]]) -> Any:
    """Minus the log of the probability that goes to right spans together: an answer may stand in several places."""
    import torch

    log_starts, log_ends = starts.log_softmax(1), ends.log_softmax(1)
    losses = []
    for row, places in enumerate(spans):
        first, last = torch.tensor(places).T
        losses.append(-torch.logsumexp(log_starts[row, first] + log_ends[row, last], 0))
    return torch.stack(losses).mean()


def span_outputs(offset: float) -> Outputs:
    """Start and end logits, the offset added to the start at [CLS], so that the threshold of the file is 0."""

    def pick(result: Any) -> tuple[Any, Any]:
        import torch

        starts = result.start_logits
        # In the file, so that the product need not know the offset of a reader.
        return torch.cat([starts[:, :1] + offset, starts[:, 1:]], 1), result.end_logits

    return Outputs(("start_logits", "end_logits"), pick, has_tokens=True, tolerance=_TOLERANCE)


def dev_figures(judged: Mapping[str, Sequence[JudgedSpan]]) -> dict[str, float]:
    """The chosen offset, the figures of every dev file with it, and the mean F1 of the files."""
    offset = choose_offset(judged)
    by_file = {name: squad_figures(part, offset=offset) for name, part in judged.items()}
    named = {f"{name}_{key}": value for name, part in by_file.items() for key, value in part.items()}
    # Files count alike, however many questions each has.
    return {"offset": offset, **named, "mean_f1": fmean(part["f1"] for part in by_file.values())}


def label_windows(examples: Sequence[SpanExample], cutter: EncoderCutter, *, seed: int) -> list[LabelledWindow]:
    """One random window of each example, among those with an answer if there is one, with the answer's places."""
    rng = random.Random(seed)
    labelled = []
    for example, windows in zip(examples, cutter.windows(pairs_of(examples)), strict=True):
        choices = [LabelledWindow(window, answer_places(example, window)) for window in windows]
        answered = [choice for choice in choices if choice.spans != (NO_ANSWER,)]
        # An answer that no window holds whole: neither right nor wrong.
        if answered or not example.answers:
            labelled.append(rng.choice(answered or choices))
    return labelled


def answer_places(example: SpanExample, window: Window) -> tuple[tuple[int, int], ...]:
    """First and last token of each answer that lies in the window as a whole; [CLS] if none does."""
    # The first token that begins there and the last that ends there: word pieces share no character.
    first = {start: place for place, (start, _) in reversed(list(enumerate(window.offsets, window.context_start)))}
    last = {end: place for place, (_, end) in enumerate(window.offsets, window.context_start)}
    spans = [(first.get(gold.start), last.get(gold.start + len(gold.text))) for gold in example.answers]
    found = [(start, end) for start, end in spans if start is not None and end is not None and start <= end]
    return tuple(dict.fromkeys(found)) or (NO_ANSWER,)


def pairs_of(examples: Sequence[SpanExample]) -> list[tuple[str, str]]:
    """Questions and contexts."""
    return [(example.question, example.context) for example in examples]


def row_of(window: Window) -> TokenRow:
    """What a model reads of a window."""
    return TokenRow(window.ids, window.context_start)
