"""A writer that was taught to list answers (AmbigQA's SpanSeqGen in small): one after another, with a mark between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.models.decoder import Decoding
from expound.models.torch_writer import open_writer
from expound.models.writer_inputs import writer_source
from expound.text.normal import normalize_answer
from expound.types import Passage

# What parts the answers of a list, in the place of AmbigQA's [SEP]: no answer of its files has it.
SEPARATOR = " | "
# Lists are short (6.7 tokens in AmbigNQ on the average). Two beams take SmolLM2 twice as long, and the rows of a batch
# wait for the longest: four CPU-seconds a question in place of under two.
_LISTING = Decoding(beams=1, no_repeat=0, most_tokens=32)


@dataclass(frozen=True)
class ListRequest:
    """A question, what is read for it, and the answers that are known."""

    question: str
    passages: Sequence[Passage]
    known: Sequence[str] = ()


@dataclass(frozen=True)
class AnswerLister:
    """A writer's folder, asked for all answers to a question."""

    folder: str
    decoding: Decoding = _LISTING

    def list_answers(self, question: str, passages: Sequence[Passage], known: Sequence[str] = ()) -> list[str]:
        """The answers that it writes, each once; those that are known are the beginning, and are not said again."""
        return self.list_together([ListRequest(question, passages, known)])[0]

    def list_together(self, asked: Sequence[ListRequest]) -> list[list[str]]:
        """The same for a few questions at once."""
        writer = open_writer(self.folder)
        sources = [writer_source(writer.card, item.question, item.passages, writer.token_ends) for item in asked]
        written = writer.write_all(sources, self.decoding, begun=[SEPARATOR.join(item.known) for item in asked])
        return [_parts(text, item.known) for text, item in zip(written, asked, strict=True)]


def _parts(written: str, known: Sequence[str]) -> list[str]:
    parts = [part.strip() for part in written.split(SEPARATOR.strip())]
    # After a known answer comes its end, perhaps with words that make it another spelling: no answer of its own.
    return _drop_repeated(parts[1:] if known else parts)


def _drop_repeated(answers: Sequence[str]) -> list[str]:
    # Read backwards, so that the first spelling of an answer is kept by the dictionary.
    found = {normalize_answer(answer): answer for answer in reversed(answers)}
    return [answer for form, answer in reversed(found.items()) if form]
