"""A writer that was taught to tell answers apart: the question, every answer and its evidence in, a question each out.

All questions of a row are written together, one after another, so that the later ones differ from the earlier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from expound.models.answer_lister import split_list
from expound.models.decoder import Decoding
from expound.models.gguf_writer import ADAPTED, GgufWriter, open_gguf_writer
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.writer_inputs import writer_source
from expound.types import Passage

TOGETHER = 5
"""Answers of a row: nine in ten of AmbigNQ's questions with several answers have no more than four."""
# Questions of a row share most of their words: a run of words must be free to come again.
_REWRITING = Decoding(beams=1, no_repeat=0, most_tokens=160)


@dataclass(frozen=True)
class GivenAnswer:
    """An answer with the sentence that gives it and the title of its page; both are empty where none was found."""

    answer: str
    title: str = ""
    sentence: str = ""

    def as_document(self, place: int) -> Passage:
        """What a writer reads of it, a line."""
        # The answer first: evidence is cut from behind where there is no room for all of it.
        source = f"{self.title}: {self.sentence}" if self.sentence else ""
        return Passage(str(place), f"{self.answer} ({source})" if source else self.answer)


@dataclass(frozen=True)
class QuestionRewriter:
    """A writer that was trained on rows of `expound train rewriter-data --rows`.

    A folder of `expound train writer`, which needs torch, or a text model with its adapter: `NAME+RUN/adapter.gguf`.
    """

    folder: str
    decoding: Decoding = _REWRITING

    def rewrite(self, question: str, given: Sequence[GivenAnswer]) -> list[str]:
        """A question for every answer; one that was not written is the question as it was asked."""
        writer = _open(self.folder)
        found = []
        for part in parts_of(given):
            documents = documents_of(part)
            source = writer_source(writer.card, question, documents, writer.token_ends)
            written = split_list(writer.write(source, self.decoding))
            found += [text or question for text in [*written, *[""] * len(part)][: len(part)]]
        return found


def _open(spec: str) -> TorchWriter | GgufWriter:
    is_adapted = ADAPTED in spec and spec.lower().endswith(".gguf")
    return open_gguf_writer(spec) if is_adapted else open_writer(spec)


def parts_of(given: Sequence[GivenAnswer]) -> list[Sequence[GivenAnswer]]:
    """The answers in rows of no more than can be told apart together, none of them alone if that can be helped."""
    rows = -(-len(given) // TOGETHER)
    bounds = [round(number * len(given) / rows) for number in range(rows + 1)] if rows else [0]
    return [given[start:end] for start, end in pairwise(bounds)]


def documents_of(given: Sequence[GivenAnswer]) -> tuple[Passage, ...]:
    """The answers of a row as what a writer reads."""
    return tuple(one.as_document(place) for place, one in enumerate(given, start=1))
