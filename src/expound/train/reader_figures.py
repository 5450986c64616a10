"""Measure a reader: SQuAD 2.0's exact match and F1, and where to put the threshold for not answering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from expound import resources
from expound.models.reader import READER_FILE, READER_SHA256, SpanReader
from expound.resource_table import TOKENIZER
from expound.score.short_answers import best_token_f1, exact
from expound.train.data.squad_layout import SpanExample, read_squad
from expound.types import Span

# Fewer questions say little about a threshold.
_FEWEST = 20
# Null scores of trained readers are within a few logits of the best span's; a tenth of a logit moves no figure.
_OFFSETS = tuple(step / 10 for step in range(-80, 81))


@dataclass(frozen=True)
class JudgedSpan:
    """One question with what the reader says if it must: its value, and how much better not answering would score."""

    has_answer: bool
    exact: float
    f1: float
    null_lead: float


def judge_spans(examples: Sequence[SpanExample], spans: Sequence[Span]) -> list[JudgedSpan]:
    """Hold the best span of every question, given or not, against its right answers."""
    judged = []
    for example, span in zip(examples, spans, strict=True):
        texts = [gold.text for gold in example.answers]
        values = (float(exact(span.text, texts)), best_token_f1(span.text, texts))
        judged.append(JudgedSpan(bool(texts), *values, span.null_score - span.score))
    return judged


def squad_figures(judged: Sequence[JudgedSpan], *, offset: float = 0.0) -> dict[str, float]:
    """Exact match and F1 in percent: of all questions, of those with an answer, and of those without.

    `offset` is added to every null score: above 0 the reader answers less often.
    """
    figures = {}
    parts = {
        "": list(judged),
        "has_answer_": [item for item in judged if item.has_answer],
        "no_answer_": [item for item in judged if not item.has_answer],
    }
    for name, part in parts.items():
        for kind in ("exact", "f1") if part else ():
            figures[f"{name}{kind}"] = 100 * fmean(value(item, kind, offset) for item in part)
    return figures


def measure_reader(files: Sequence[Path], model: Path | None = None) -> dict[str, dict[str, float]]:
    """The figures of an exported reader, else of the shipped one, on each file in the SQuAD 2.0 layout."""
    reader = SpanReader(model or READER_FILE, resources.path(TOKENIZER), sha256="" if model else READER_SHA256)
    figures = {}
    for path in files:
        examples = read_squad(path)
        spans = reader.read([(example.question, example.context) for example in examples])
        figures[path.name] = squad_figures(judge_spans(examples, spans))
    return figures


def value(item: JudgedSpan, kind: str, offset: float) -> float:
    """What a question counts: an empty answer is right where there is none, and only there."""
    is_silent = item.null_lead + offset > 0
    # SQuAD's rule: silence is right where there is no answer, and wrong elsewhere.
    if is_silent or not item.has_answer:
        return float(is_silent and not item.has_answer)
    return float(getattr(item, kind))


def choose_offset(dev: Mapping[str, Sequence[JudgedSpan]]) -> float:
    """The offset whose worst part of the dev files has the best F1; of equals the best mean, then the nearest to 0.

    Each file has two parts, with and without an answer: a reader that is good at one of them alone is no use. A part of
    fewer than 20 questions counts only if there is no larger one.
    """
    parts = [
        [item for item in judged if item.has_answer == has_answer]
        for judged in dev.values()
        for has_answer in (True, False)
    ]
    counted = [part for part in parts if len(part) >= _FEWEST] or [part for part in parts if part]

    def worst_and_mean(offset: float) -> tuple[float, float]:
        found = [fmean(value(item, "f1", offset) for item in part) for part in counted]
        return min(found), fmean(found)

    # The nearest to 0 moves the reader's own judgment least.
    return max(_OFFSETS, key=lambda offset: (worst_and_mean(offset), -abs(offset)))
