"""Split documents into passages that end at sentence boundaries."""

from __future__ import annotations

from collections.abc import Iterator

from expound.corpus.clean import WIKI_HEADING, clean
from expound.corpus.read.document import Document, Section
from expound.text.sentences import sentence_spans
from expound.types import Passage, Source

MOST_WORDS = 100


def split(document: Document, *, file: str) -> Iterator[Passage]:
    """The passages of a document, in order; offsets count characters of its cleaned text."""
    offset = 0
    number = 0
    for section in _sections(document):
        text = clean(section.text)
        for start, end in _chunks(text):
            number += 1
            source = Source(file, section.page, section.heading, document.url, offset + start, offset + end)
            yield Passage(f"{file}#{number}", text[start:end], document.title, source, document.meta)
        offset += len(text) + 1


def _sections(document: Document) -> Iterator[Section]:
    """The document's sections, divided further at `== Heading ==` lines."""
    for section in document.sections:
        heading, start = section.heading, 0
        for match in WIKI_HEADING.finditer(section.text):
            yield Section(section.text[start : match.start()], heading, section.page)
            heading, start = match.group(2).strip(), match.end()
        yield Section(section.text[start:], heading, section.page)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of up to 100 words made of whole sentences."""
    begin: int | None = None
    last = count = 0
    for start, end in _short_spans(text):
        words = len(text[start:end].split())
        if begin is not None and count + words > MOST_WORDS:
            yield begin, last
            begin, count = None, 0
        begin = start if begin is None else begin
        last, count = end, count + words
    if begin is not None:
        yield begin, last


def _short_spans(text: str) -> Iterator[tuple[int, int]]:
    """Sentence spans; one that is longer than a passage may be is cut between words."""
    for start, end in sentence_spans(text):
        if text.count(" ", start, end) < MOST_WORDS:
            yield start, end
            continue
        words = 0
        for position in range(start, end):
            if text[position] == " ":
                words += 1
                if words % MOST_WORDS == 0:
                    yield start, position
                    start = position + 1
        if start < end:
            yield start, end
