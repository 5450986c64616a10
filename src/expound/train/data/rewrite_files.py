"""Questions and what people made of them for one answer, with the evidence of that answer, as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput, BadRecord
from expound.files import write_whole
from expound.models.telling_words import Evidenced
from expound.records import read_lines

_TEXTS = ("question", "rewritten", "answer", "title", "sentence")


@dataclass(frozen=True)
class RewrittenPair:
    """A vague question and a precise one; without evidence, title and sentence are empty."""

    question: str
    rewritten: str
    answer: str
    title: str = ""
    sentence: str = ""
    elsewhere: tuple[str, ...] = ()
    """The words that are said of the question's other answers."""

    @property
    def evidenced(self) -> Evidenced:
        """What a tagger reads of it."""
        return Evidenced(
            question=self.question,
            answer=self.answer,
            title=self.title,
            sentence=self.sentence,
            elsewhere=frozenset(self.elsewhere),
        )


def read_rewritten(paths: Sequence[Path]) -> list[RewrittenPair]:
    """The pairs of files of `question`, `rewritten`, `answer`, `title`, `sentence` and `elsewhere`."""
    return [pair for path in paths for pair in _pairs_of(path)]


def write_rewritten(path: Path, pairs: Iterable[RewrittenPair]) -> None:
    """Write a file of pairs."""
    with write_whole(path) as file:
        for pair in pairs:
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")


def _pairs_of(path: Path) -> list[RewrittenPair]:
    pairs = [_pair_of(record, path, number) for number, record in read_lines(path)]
    if not pairs:
        raise BadInput(f"{path} has no rewritten questions")
    return pairs


def _pair_of(record: Mapping[str, Any], path: Path, number: int) -> RewrittenPair:
    texts = {name: record.get(name, "") for name in _TEXTS}
    elsewhere = record.get("elsewhere", [])
    is_whole = all(isinstance(text, str) for text in texts.values()) and isinstance(elsewhere, list)
    if not is_whole or not (texts["question"] and texts["rewritten"] and texts["answer"]):
        raise BadRecord(
            f"{path}, line {number}: a rewritten question has the texts `question`, `rewritten` and `answer`"
        )
    return RewrittenPair(**texts, elsewhere=tuple(map(str, elsewhere)))
