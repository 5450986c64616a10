"""Let a reader find the short answers in long ones: every reading's question is asked of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from expound.protocols import Reader
from expound.score.pairs import Pair

_AT_ONCE = 64


def read_off(pairs: Iterable[Pair], reader: Reader) -> Iterator[Pair]:
    """The pairs with `meta["short_answers"]`: what the reader finds, or nothing where it finds no answer.

    Answers that came with the prediction stay. Questions are read in batches; the answers do not depend on them.
    """
    waiting = iter(pairs)
    while batch := list(islice(waiting, _AT_ONCE)):
        yield from _read(batch, reader)


def _read(batch: Sequence[Pair], reader: Reader) -> Iterator[Pair]:
    asked = [_questions(pair) for pair in batch]
    spans = iter(reader.read([(question, text) for questions, text in asked for question in questions]))
    for pair, (questions, _) in zip(batch, asked, strict=True):
        found = {index: (span.text,) for index, span in enumerate(islice(spans, len(questions)))}
        yield _with_answers(pair, found) if questions else pair


def _questions(pair: Pair) -> tuple[list[str], str]:
    """What to ask of an answer: nothing, where the short answers are known."""
    if "short_answers" in pair.prediction.meta:
        return [], ""
    return [reading.question for reading in pair.question.interpretations], pair.prediction.answer.text


def _with_answers(pair: Pair, found: Mapping[int, tuple[str, ...]]) -> Pair:
    meta = {**pair.prediction.meta, "short_answers": found}
    return pair._replace(prediction=replace(pair.prediction, meta=meta))
