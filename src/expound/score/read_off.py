"""Let a reader find the short answers in long ones: every reading's question is asked of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from expound.protocols import Reader
from expound.score.pairs import Pair
from expound.score.protocol import EACH_READ, Protocol, standard

# Pairs that are read together: a reader sorts windows by length, and some hundred are enough for little padding.
_AT_ONCE = 64


def read_off(pairs: Iterable[Pair], reader: Reader, protocol: Protocol = standard) -> Iterator[Pair]:
    """The pairs with `meta["short_answers"]`: what the reader finds, or nothing where it finds no answer.

    Answers that came with the prediction stay. Where the protocol makes several cases of a pair, each is read.
    Questions are read in batches; the answers do not depend on them.
    """
    waiting = iter(pairs)
    while batch := list(islice(waiting, _AT_ONCE)):
        yield from _read(batch, reader, protocol)


def _read(batch: Sequence[Pair], reader: Reader, protocol: Protocol) -> Iterator[Pair]:
    texts = [_texts(pair, protocol) for pair in batch]
    questions = [[reading.question for reading in pair.question.interpretations] for pair in batch]
    asked = [(question, text) for own, said in zip(questions, texts, strict=True) for text in said for question in own]
    spans = iter(reader.read(asked))
    for pair, own, said in zip(batch, questions, texts, strict=True):
        # In the order in which they were asked: cases first, then readings.
        found = [{index: (span.text,) for index, span in enumerate(islice(spans, len(own)))} for _ in said]
        yield _with_answers(pair, found) if own and found else pair


def _texts(pair: Pair, protocol: Protocol) -> list[str]:
    """The long answers to read: none, where the short ones are known."""
    if "short_answers" in pair.prediction.meta:
        return []
    return [prediction.answer.text for _, prediction in protocol(pair.question, pair.prediction)]


def _with_answers(pair: Pair, found: Sequence[Mapping[int, tuple[str, ...]]]) -> Pair:
    # The first case under the usual name, so that metrics need not know about protocols.
    meta = {**pair.prediction.meta, "short_answers": found[0], EACH_READ: found}
    return pair._replace(prediction=replace(pair.prediction, meta=meta))
