"""Tagged words as JSON Lines: the words of a text, a tag for each, and perhaps a question that they are read with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput, BadRecord
from expound.files import write_whole
from expound.records import read_lines

NO_TAG = "O"
"""The tag of words that are of no kind; others begin with `B-` where a span begins and with `I-` where it goes on."""


@dataclass(frozen=True)
class TaggedText:
    """Words with their tags; the question, if there is one, is read before them and not tagged."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    question: str = ""


def read_tagged(paths: Sequence[Path]) -> list[TaggedText]:
    """The texts of files of `words`, `tags` and, if there is one, `question`."""
    return [text for path in paths for text in _texts_of(path)]


def write_tagged(path: Path, texts: Iterable[TaggedText]) -> None:
    """Write a file of tagged texts."""
    with write_whole(path) as file:
        for text in texts:
            file.write(json.dumps(asdict(text), ensure_ascii=False) + "\n")


def _texts_of(path: Path) -> list[TaggedText]:
    texts = [_read_tagged(record, path, number) for number, record in read_lines(path)]
    if not texts:
        raise BadInput(f"{path} has no tagged texts")
    return texts


def _read_tagged(record: Mapping[str, Any], path: Path, number: int) -> TaggedText:
    words, tags = record.get("words"), record.get("tags")
    is_listed = all(isinstance(part, list) and part and all(isinstance(p, str) for p in part) for part in (words, tags))
    # Told at once: one tag too few would shift all that follow to the wrong words.
    if not is_listed or len(words or ()) != len(tags or ()):
        raise BadRecord(f"{path}, line {number}: a tagged text has `words` and as many `tags`, at least one of each")
    return TaggedText(tuple(words or ()), tuple(tags or ()), str(record.get("question", "")))
