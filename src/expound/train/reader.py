"""Train the span reader: where in a context the answer to a question stands, or that it does not."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound.models.reader import padded
from expound.models.reader_windows import Window, WindowCutter
from expound.models.spans import read_spans
from expound.train.optimizer import new_optimizer
from expound.train.runs import Log, load_checkpoint, save_checkpoint
from expound.train.squad import Reading
from expound.types import Span

Measure = Callable[[Any, int], dict[str, float]]
NO_ANSWER = (0, 0)
"""Both positions of a window without an answer point to [CLS]."""

_NEVER = -1e4


@dataclass(frozen=True)
class Settings:
    """Every choice that changes the trained weights."""

    steps: int
    learning_rate: float = 1e-4
    head_learning_rate: float = 1e-3
    warmup_share: float = 0.06
    weight_decay: float = 0.01
    batch: int = 12
    dropout: float = 0.0
    most_tokens: int = 144
    """Longer contexts are cut; one piece of each is trained on, with the answer if there is one."""
    overlap: int = 64
    seed: int = 13
    threads: int = 2
    checkpoint_every: int = 100
    measure_every: int = 500


@dataclass(frozen=True)
class Labelled:
    """A window with the places of the right answers in it, as first and last token."""

    window: Window
    spans: tuple[tuple[int, int], ...]


def train(
    readings: Sequence[Reading],
    settings: Settings,
    *,
    base: Path,
    out: Path,
    measure: Measure | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Any:
    """Train from the last checkpoint in `out`, or from the base model, and return the model."""
    import torch

    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    out.mkdir(parents=True, exist_ok=True)
    model = new_model(base, settings)
    optimizer, schedule = new_optimizer(model, settings, head="qa_outputs")
    first_step = load_checkpoint(out, model, optimizer, schedule)
    log = Log(out / "log.jsonl", asdict(settings))
    cutter = WindowCutter(base / "tokenizer.json", most_tokens=settings.most_tokens, overlap=settings.overlap)
    labelled = label_windows(readings, cutter, seed=settings.seed)
    for step, batch in enumerate(iter_batches(labelled, settings)):
        if step < first_step:
            continue
        # Seeded at every step: a resumed run then drops out the same cells as one that was never stopped.
        torch.manual_seed(settings.seed * 1_000_003 + step)
        log.count(train_step(model, optimizer, schedule, batch), step=step)
        done = step + 1
        if done % settings.checkpoint_every == 0 or done == settings.steps:
            save_checkpoint(out, model, optimizer, schedule, done)
        if measure and (done % settings.measure_every == 0 or done == settings.steps):
            log.write({"step": done, **measure(model, done)})
        progress(done, settings.steps)
    return model


def new_model(base: Path, settings: Settings) -> Any:
    """The base encoder with a span head; its word vectors stay as they are."""
    from transformers import BertForQuestionAnswering

    # Dropout of attention weights would rule out the fused attention, which is a third faster.
    model = BertForQuestionAnswering.from_pretrained(
        str(base), hidden_dropout_prob=settings.dropout, attention_probs_dropout_prob=0.0, use_safetensors=True
    )
    model.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def train_step(model: Any, optimizer: Any, schedule: Any, batch: Sequence[Labelled]) -> tuple[float, int]:
    """One update; returns the loss and the number of windows."""
    import torch

    model.train()
    starts, ends = span_logits(model, [item.window for item in batch])
    loss = span_loss(starts, ends, [item.spans for item in batch])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    return loss.item(), len(batch)


def span_loss(starts: Any, ends: Any, spans: Sequence[Sequence[tuple[int, int]]]) -> Any:
    """Minus the log of the probability that goes to right spans together: an answer may stand in several places."""
    import torch

    log_starts, log_ends = starts.log_softmax(1), ends.log_softmax(1)
    losses = []
    for row, places in enumerate(spans):
        first, last = torch.tensor(places).T
        losses.append(-torch.logsumexp(log_starts[row, first] + log_ends[row, last], 0))
    return torch.stack(losses).mean()


def span_logits(model: Any, windows: Sequence[Window]) -> tuple[Any, Any]:
    """Start and end logits of a few windows, padded to the longest; padding can never be chosen."""
    import torch

    inputs = {name: torch.from_numpy(values) for name, values in padded(windows).items()}
    result = model(**inputs)
    is_padding = inputs["attention_mask"] == 0
    return result.start_logits.masked_fill(is_padding, _NEVER), result.end_logits.masked_fill(is_padding, _NEVER)


def read_with(model: Any, pairs: Sequence[tuple[str, str]], cutter: WindowCutter) -> list[Span]:
    """The best span that a torch model reads off each context, however high the null score is."""
    import torch

    def run(windows: Sequence[Window]) -> tuple[Any, Any]:
        with torch.no_grad():
            starts, ends = span_logits(model, windows)
        return starts.numpy(), ends.numpy()

    model.eval()
    return read_spans(pairs, cutter, run, threshold=math.inf)


# --- windows and batches --------------------------------------------------------------------------


def label_windows(readings: Sequence[Reading], cutter: WindowCutter, *, seed: int) -> list[Labelled]:
    """One random window of each reading, among those with an answer if there is one, with the answer's places."""
    rng = random.Random(seed)
    cut = cutter.windows([(reading.question, reading.context) for reading in readings])
    labelled = []
    for reading, windows in zip(readings, cut, strict=True):
        choices = [Labelled(window, answer_places(reading, window)) for window in windows]
        answered = [choice for choice in choices if choice.spans != (NO_ANSWER,)]
        # An answer that no window holds whole: neither right nor wrong.
        if answered or not reading.answers:
            labelled.append(rng.choice(answered or choices))
    return labelled


def answer_places(reading: Reading, window: Window) -> tuple[tuple[int, int], ...]:
    """First and last token of each answer that lies in the window as a whole; [CLS] if none does."""
    first = {start: place for place, (start, _) in reversed(list(enumerate(window.offsets, window.context_start)))}
    last = {end: place for place, (_, end) in enumerate(window.offsets, window.context_start)}
    spans = [(first.get(gold.start), last.get(gold.start + len(gold.text))) for gold in reading.answers]
    found = [(start, end) for start, end in spans if start is not None and end is not None and start <= end]
    return tuple(dict.fromkeys(found)) or (NO_ANSWER,)


def iter_batches(labelled: Sequence[Labelled], settings: Settings) -> Iterator[list[Labelled]]:
    """Batches of windows of similar length, reshuffled with the seed on every pass."""
    rng = random.Random(settings.seed)
    left = settings.steps
    while left > 0:
        batches = one_pass(list(labelled), settings.batch, rng)
        yield from batches[:left]
        left -= len(batches)


def one_pass(labelled: list[Labelled], size: int, rng: random.Random) -> list[list[Labelled]]:
    """Shuffle, sort by length inside large parts, cut into batches and shuffle those."""
    rng.shuffle(labelled)
    batches = []
    part_size = 40 * size
    for start in range(0, len(labelled), part_size):
        part = sorted(labelled[start : start + part_size], key=lambda item: len(item.window.ids))
        batches += [part[i : i + size] for i in range(0, len(part), size)]
    rng.shuffle(batches)
    return batches
