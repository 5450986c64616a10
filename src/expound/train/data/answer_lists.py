"""Questions with all their answers, as JSON Lines: what models that list answers learn from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from expound.errors import BadInput, BadRecord
from expound.files import write_whole
from expound.models.answer_lister import join_list
from expound.records import read_lines
from expound.text.normal import normalize_answer
from expound.train.data.writer_files import WriterRow, read_document
from expound.types import Passage

_SHAPE = "a line has a `question`, `answers` (a list of texts) and perhaps `documents`"


@dataclass(frozen=True)
class AnswerList:
    """A question, all answers that are known, and documents that were found for it."""

    question: str
    answers: tuple[str, ...]
    documents: tuple[Passage, ...] = ()

    def as_row(self) -> WriterRow:
        """The row that a writer learns: the answers one after another."""
        # Parted by the mark at which `AnswerLister` parts what the model writes.
        return WriterRow(self.question, join_list(self.answers), self.documents)


def read_answer_lists(path: Path, *, are_single: bool = False) -> list[AnswerList]:
    """The questions of a file, one JSON object a line; of a partial file each has one answer."""
    rows = [_row_from(record, path, number, are_single=are_single) for number, record in read_lines(path)]
    if not rows:
        raise BadInput(f"{path} has no questions; {_SHAPE}")
    return rows


def write_answer_lists(path: Path, rows: Iterable[AnswerList]) -> None:
    """Write a file of questions with their answers."""
    with write_whole(path) as file:
        for row in rows:
            # All that a writer reads of a passage: the file has to do without the corpus that it was made with.
            documents = [{"title": document.title, "text": document.text} for document in row.documents]
            record = {"question": row.question, "answers": list(row.answers), "documents": documents}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _row_from(record: Mapping[str, Any], path: Path, number: int, *, are_single: bool) -> AnswerList:
    question, answers, documents = record.get("question"), record.get("answers"), record.get("documents", [])
    if (
        not isinstance(question, str)
        or not question.strip()
        or not _are_answers(answers)
        or not isinstance(documents, list)
    ):
        raise BadRecord(f"{path}, line {number}: {_SHAPE}")
    # The one answer is what models go on from; a list that somebody made belongs to the full file.
    if are_single and len(answers) != 1:
        raise BadRecord(f"{path}, line {number}: {len(answers)} answers; in a partial file each question has one")
    try:
        passages = tuple(read_document(document, place) for place, document in enumerate(documents, start=1))
    except (KeyError, TypeError):
        raise BadRecord(f"{path}, line {number}: {_SHAPE}") from None
    return AnswerList(str(question).strip(), tuple(map(str, answers)), passages)


def _are_answers(answers: Any) -> TypeGuard[Sequence[str]]:
    return (
        isinstance(answers, Sequence)
        # A text is a sequence too: each of its letters would become an answer.
        and not isinstance(answers, str)
        and bool(answers)
        # "The" and "?" are nothing once articles and marks are taken off, and no answer could be compared with them.
        and all(isinstance(answer, str) and normalize_answer(answer) for answer in answers)
    )
