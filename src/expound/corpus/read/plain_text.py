"""Read plain text: the first short line as the title, wrapped lines joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from expound.corpus.read.document import Document, Section, join_paragraphs
from expound.corpus.read.raw import read_text, stem_of
from expound.corpus.read.unwrap import unwrap
from expound.text.plain import plain

_LONGEST_TITLE = 100
_MOST_TITLE_WORDS = 15
_UNDERLINE = re.compile(r"[=\-~*_]{3,}")


def read(path: Path) -> Iterator[Document]:
    """One document per text file."""
    lines = plain(read_text(path)).strip().split("\n")
    title, lines = _split_title(lines)
    yield Document(title or stem_of(path), (Section(join_paragraphs(unwrap(lines))),))


def _split_title(lines: list[str]) -> tuple[str, list[str]]:
    """The title line, if there is one, and the lines below it."""
    if len(lines) < 3 or not _looks_like_title(lines[0].strip()):
        return "", lines
    underlined = _UNDERLINE.fullmatch(lines[1].strip()[:_LONGEST_TITLE])
    if lines[1].strip() and not underlined:
        return "", lines
    return lines[0].strip(), lines[2:]


def _looks_like_title(line: str) -> bool:
    """Whether a line is short, starts like a name and does not end like a sentence."""
    if not 0 < len(line) <= _LONGEST_TITLE or len(line.split()) > _MOST_TITLE_WORDS:
        return False
    return (line[0].isupper() or line[0].isdigit()) and line[-1] not in ".,;:!" and not line.startswith("==")
