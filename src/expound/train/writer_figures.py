"""Measure a writer on rows: perplexity over words, FILL-1, ROUGE-20% and ROUGE of what it writes (Fan et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.models.decoder import BEAMS, Decoding
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.word_guesses import guess_words
from expound.models.writer_attention import first_look
from expound.models.writer_inputs import writer_source
from expound.protocols import AnyMetric
from expound.score.eli5_metrics import Eli5Rouge, Fill1, Perplexity, Rouge20, completion_budget, split_for_completion
from expound.score.results import Scorer
from expound.stats.bootstrap import mean
from expound.stats.proportions import Figure, pooled_figure
from expound.text.parts_of_speech import PARTS, word_parts
from expound.text.spacy_pipeline import has_spacy
from expound.train.data.writer_files import WriterRow, read_writer_rows
from expound.train.description import Report
from expound.types import Answer, MetricResult, Prediction, Question

_KINDS = ("1", "2", "l")
# Room for words of several tokens; what is beyond the words is cut.
_TOKENS_A_WORD = 2
# From answers that may be of a word to ELI5's, whose mean is 130 words. Six of twelve pairs are tried: writing is slow.
LEAST_TOKENS, MOST_TOKENS = (0, 30, 60, 100), (100, 160, 240)


@dataclass(frozen=True)
class WriterMeasure:
    """How much is measured, and how words are chosen."""

    written: int = 0
    """Rows that are answered and completed: writing takes far longer than reading."""
    decoding: Decoding = BEAMS
    answer_words: int = 100
    """Longer answers are cut, as in training."""


def measure_writer(
    files: Sequence[Path], model: Path, measure: WriterMeasure | None = None, *, report: Report | None = None
) -> dict[str, MetricResult]:
    """The figures of a trained writer's folder on files of rows, by name."""
    rows = read_writer_rows(files)  # first: weights take seconds to load
    return writer_figures(open_writer(str(model)), rows, measure, report=report)


def choose_lengths(
    files: Sequence[Path], model: Path, measure: WriterMeasure, *, report: Report | None = None
) -> Decoding:
    """How the writer is to write: with the least and then the most tokens that do best by ROUGE-L on validation.

    Fan et al. 2019 chose both so, and Krishna et al. 2021 showed how much length alone is worth: they must not be
    chosen on what is measured.
    """
    rows = read_writer_rows(files)  # first: weights take seconds to load
    if not measure.written:
        raise UserError("lengths are chosen by what is written: say how many rows are answered with --written")
    return best_lengths(open_writer(str(model)), rows, measure, report=report)


def best_lengths(
    writer: TorchWriter, rows: Sequence[WriterRow], measure: WriterMeasure, *, report: Report | None = None
) -> Decoding:
    """The same for a writer that is open, on the first rows."""
    rows, best = _cut(rows, measure)[: measure.written], measure.decoding

    def score(decoding: Decoding) -> float:
        found = _scores([Eli5Rouge("l")], rows, _answers(writer, rows, replace(measure, decoding=decoding), report))
        return found["rouge_l"].value

    least = [replace(best, least_tokens=tokens) for tokens in LEAST_TOKENS if tokens <= best.most_tokens]
    best = max(least, key=score)
    most = [replace(best, most_tokens=tokens) for tokens in MOST_TOKENS if tokens >= best.least_tokens]
    return max(most, key=score)


def measure_attention(files: Sequence[Path], model: Path, *, report: Report | None = None) -> dict[str, Figure]:
    """Where a trained writer looks before its first word, over the rows that have documents."""
    rows = read_writer_rows(files)
    writer = open_writer(str(model))
    looks = []
    for number, row in enumerate(rows, start=1):
        look = first_look(writer, _source(writer, row), row.question)
        looks += [look] if look else []
        _tell(report, "looking", number, len(rows))
    if not looks:
        raise UserError(f"{model} reads no documents with these rows: there is nothing to look at but the question")
    return {
        "attention on the question, %": _mean([100 * look.question for look in looks]),
        "tokens of the question, %": _mean([100 * look.question_tokens for look in looks]),
        "attention over its share of tokens": _mean([look.over_its_share for look in looks]),
    }


def _mean(values: Sequence[float]) -> Figure:
    import numpy as np

    return pooled_figure(np.array([[value] for value in values]), mean, seed=0)


def writer_figures(
    writer: TorchWriter,
    rows: Sequence[WriterRow],
    measure: WriterMeasure | None = None,
    *,
    report: Report | None = None,
) -> dict[str, MetricResult]:
    """Perplexity and FILL-1 on all rows; ROUGE-20% and ROUGE on the first ones."""
    measure = measure or WriterMeasure()
    cut = _cut(rows, measure)
    some = cut[: measure.written]
    fills = [Fill1(part) for part in PARTS.values()] if has_spacy() else []
    found = _scores([Perplexity(), *fills], cut, _guesses(writer, cut, report))
    if some:
        # Of all rows: it must not change with how many of them are written to.
        words = completion_budget(row.answer for row in cut)
        lengths = replace(measure.decoding, least_tokens=words, most_tokens=words * _TOKENS_A_WORD)
        found |= _scores([Rouge20(kind) for kind in _KINDS], some, _endings(writer, some, lengths, report))
        found |= _scores([Eli5Rouge(kind) for kind in _KINDS], some, _answers(writer, some, measure, report))
    return found


def _cut(rows: Sequence[WriterRow], measure: WriterMeasure) -> list[WriterRow]:
    return [replace(row, answer=" ".join(row.answer.split()[: measure.answer_words])) for row in rows]


def _scores(
    metrics: Sequence[AnyMetric], rows: Sequence[WriterRow], predictions: Iterator[Prediction]
) -> dict[str, MetricResult]:
    questions = [Question(str(n), row.question, references=(row.answer,)) for n, row in enumerate(rows)]
    return {result.metric: result for result in Scorer(metrics).score(list(predictions), questions).results}


def _guesses(writer: TorchWriter, rows: Sequence[WriterRow], report: Report | None) -> Iterator[Prediction]:
    """What it makes of every word of the right answers."""
    for number, row in enumerate(rows):
        guessed = guess_words(writer, _source(writer, row), row.answer)
        meta: dict[str, Any] = {"log_probabilities": list(guessed.log_probabilities)}
        if has_spacy():
            # A word that was not guessed is some other word; which one is not counted.
            words = zip(guessed.words, guessed.is_guessed, word_parts(row.answer), strict=True)
            meta["fills"] = [
                {"gold": word, "predicted": word if right else "", "part": part} for word, right, part in words if part
            ]
        yield _prediction(number, row, row.answer, meta)
        _tell(report, "reading answers", number + 1, len(rows))


def _endings(
    writer: TorchWriter, rows: Sequence[WriterRow], lengths: Decoding, report: Report | None
) -> Iterator[Prediction]:
    """The last fifth of every answer, given the rest, in as many words as it has tokens at least."""
    for number, row in enumerate(rows):
        begun, _ = split_for_completion(row.answer)
        ending = writer.write(_source(writer, row), lengths, begun=begun)
        yield _prediction(number, row, " ".join(ending.split()[: lengths.least_tokens]))
        _tell(report, "ending answers", number + 1, len(rows))


def _answers(
    writer: TorchWriter, rows: Sequence[WriterRow], measure: WriterMeasure, report: Report | None
) -> Iterator[Prediction]:
    for number, row in enumerate(rows):
        yield _prediction(number, row, writer.write(_source(writer, row), measure.decoding))
        _tell(report, "writing answers", number + 1, len(rows))


def _source(writer: TorchWriter, row: WriterRow) -> str:
    return writer_source(writer.card, row.question, row.documents, writer.token_ends)


def _prediction(number: int, row: WriterRow, text: str, meta: dict[str, Any] | None = None) -> Prediction:
    return Prediction(id=str(number), question=row.question, system="writer", answer=Answer(text), meta=meta or {})


def _tell(report: Report | None, doing: str, done: int, total: int) -> None:
    if report:
        report(doing, done, total)
