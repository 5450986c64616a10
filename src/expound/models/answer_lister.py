"""A writer that was taught to list answers (AmbigQA's SpanSeqGen in small): one after another, with a mark between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from expound.models.decoder import Decoding
from expound.models.torch_writer import open_writer
from expound.models.writer_inputs import writer_source
from expound.text.normal import normalize_answer
from expound.types import Passage

# What parts the texts of a list, in the place of AmbigQA's [SEP].
_MARK = "|"
# Lists are short (6.7 tokens in AmbigNQ on the average). Two beams take SmolLM2 twice as long, and the rows of a batch
# wait for the longest: four CPU-seconds a question in place of under two.
_LISTING = Decoding(beams=1, no_repeat=0, most_tokens=32)


def join_list(texts: Iterable[str]) -> str:
    """A list as a writer learns and begins it.

    A text that has the mark itself gets a stroke in its place, or it would come back as two; answers are compared
    without either.
    """
    return f" {_MARK} ".join(text.replace(_MARK, "/") for text in texts)


def split_list(written: str) -> list[str]:
    """The texts of a list that a writer has written."""
    return [text.strip() for text in written.split(_MARK)]


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
        written = writer.write_all(sources, self.decoding, begun=[join_list(item.known) for item in asked])
        return [_parts(text, item.known) for text, item in zip(written, asked, strict=True)]


def _parts(written: str, known: Sequence[str]) -> list[str]:
    parts = split_list(written)
    # After a known answer comes its end, perhaps with words that make it another spelling: no answer of its own.
    return _drop_repeated(parts[1:] if known else parts)


def _drop_repeated(answers: Sequence[str]) -> list[str]:
    # Read backwards, so that the first spelling of an answer is kept by the dictionary.
    found = {normalize_answer(answer): answer for answer in reversed(answers)}
    return [answer for form, answer in reversed(found.items()) if form]
