"""A passage as what an answer can quote of it: sentences, steps, code and rows, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from expound.text.inline import render_inline
from expound.text.sentences import split_sentences
from expound.types import Part, Passage, Sentence

_VERSION_MARKS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
_VERSIONED = re.compile(r"(?P<version>v?\d[\w.-]*):?(?:\s+(?P<text>.+))?$", re.DOTALL)
_KIND = {"item": "steps", "code": "code", "table": "rows"}
_INDENT = "   "
_MOST_SPANNED = 4
"""Sentences that a bracket may span; one that is open for longer was never closed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One quotable piece: what is shown, what stands in the source, and whether it opens a paragraph or the like."""

    kind: str
    text: str
    source_text: str
    opens: bool = True
    is_set_in: bool = False
    """Whether it belongs to the list item or the term before it."""

    @property
    def words(self) -> int:
        return len(self.text.split())

    def cited(self, number: int) -> Sentence:
        """The entry as part of an answer, proved by the passage of that number."""
        return Sentence(self.text, self.source_text, (number,), self.kind)


def entries_of(passage: Passage) -> list[Entry]:
    """All of a passage: every sentence by itself, every run of list items, code block and table as one."""
    if not passage.parts:
        return list(_sentences(passage.text, passage.source.file))
    found: list[Entry] = []
    owner: Part | None = None
    # Items are quoted together: single steps of a list answer nothing.
    for is_item, run in groupby(passage.parts, key=lambda part: part.kind == "item"):
        parts = list(run)
        if is_item:
            found.append(_steps(passage, parts))
            owner = parts[-1]
            continue
        for part in parts:
            is_set_in = owner is not None and part.level > owner.level
            entries = list(_part_entries(passage, part))
            # All that follows the opening of a meaning belongs to its term.
            of_term = part.kind == "definition"
            found += (
                replace(entry, is_set_in=is_set_in or (of_term and place > 0)) for place, entry in enumerate(entries)
            )
            # What is not set in ends the item or the term; a term begins another.
            owner = owner if is_set_in else part if part.kind == "definition" else None
    return found


def _part_entries(passage: Passage, part: Part) -> Iterator[Entry]:
    text = passage.text[part.start : part.end]
    file = passage.source.file
    if part.kind in ("code", "table"):
        # Line by line: rendering joins lines, and a table without its rows cannot be read.
        shown = text if part.kind == "code" else "\n".join(render_inline(line, file) for line in text.split("\n"))
        yield Entry(_KIND[part.kind], shown, text)
    elif part.kind == "definition":
        yield from _definition(text, file)
    else:
        yield from _told_as_of_version(part.mark, _sentences(text, file))


def _told_as_of_version(mark: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """What a version brought, told as such: of `versionchanged` there is "1.4 Now faster." in the source."""
    for entry in entries:
        match = _VERSIONED.match(entry.text) if mark in _VERSION_MARKS and entry.opens else None
        if not match:
            yield entry
        # A version alone tells what nobody asks for.
        elif match["text"]:
            yield replace(entry, text=f"{_VERSION_MARKS[mark]} {match['version']}: {match['text']}")


def _sentences(text: str, file: str) -> Iterator[Entry]:
    for paragraph in text.split("\n"):
        for place, sentence in enumerate(_with_whole_brackets(paragraph)):
            shown = render_inline(sentence, file)
            if shown and not _is_stray_number(shown, file):
                yield Entry("sentence", shown, sentence, opens=place == 0)


def _with_whole_brackets(paragraph: str) -> Iterator[str]:
    """The sentences of a paragraph; those that a bracket spans stay together: "Some games (e.g. this one) differ."."""
    sentences = split_sentences(paragraph)
    while sentences:
        count = _count_to_bracket(sentences)
        start = paragraph.find(sentences[0])
        end = paragraph.find(sentences[count - 1], start) + len(sentences[count - 1])
        # Cut out of the paragraph, not joined: what is quoted must be found in the source, with its own spaces.
        yield paragraph[start:end] if 0 <= start < end else " ".join(sentences[:count])
        paragraph, sentences = paragraph[max(end, 0) :], sentences[count:]


def _count_to_bracket(sentences: Sequence[str]) -> int:
    """How many sentences it takes to close the bracket that the first one opens; 1 if it opens none or none closes."""
    depth = 0
    for count, sentence in enumerate(sentences[:_MOST_SPANNED], start=1):
        depth += sentence.count("(") - sentence.count(")")
        if depth <= 0:
            return count
    return 1


def _is_stray_number(text: str, file: str) -> bool:
    """Whether a number stands alone in a PDF: the page of an entry in a summary, or what is left of a figure."""
    return text.isdigit() and file.lower().endswith(".pdf")


def _definition(text: str, file: str) -> Iterator[Entry]:
    """A term with the first sentence of its meaning, then the rest of it."""
    term, _, meaning = text.partition("\n")
    opening, *paragraphs = meaning.split("\n")
    sentences = list(_with_whole_brackets(opening))
    # A term alone is a label; it is only understood with the beginning of its meaning.
    first = sentences[0] if sentences else ""
    shown = ": ".join(filter(None, (render_inline(term, file).rstrip(":"), render_inline(first, file))))
    yield Entry("sentence", shown, "\n".join(filter(None, (term, first))))
    for sentence in sentences[1:]:
        yield Entry("sentence", render_inline(sentence, file), sentence, opens=False)
    # "Default: empty" has no stop: what follows it must not run on.
    yield from _sentences("\n".join(paragraphs), file)


def _steps(passage: Passage, parts: Sequence[Part]) -> Entry:
    """List items with their marks, deeper ones set in."""
    shown, source = [], []
    for part in parts:
        text = passage.text[part.start : part.end]
        flat = " ".join(render_inline(text, passage.source.file).split())
        # Three levels: what is set in further leaves no room for words on a narrow screen.
        shown.append(f"{_INDENT * min(part.level, 3)}{part.mark} {flat}".rstrip())
        source.append(text)
    return Entry("steps", "\n".join(shown), "\n".join(source))


def join_entries(entries: Sequence[Entry]) -> str:
    """The text of an answer: the sentences of a paragraph run on, everything else begins a line of its own."""
    text = ""
    last = "sentence"
    for entry in entries:
        runs_on = entry.kind == last == "sentence" and not entry.opens
        text += ("" if not text else " " if runs_on else "\n") + entry.text
        last = entry.kind
    return text
