"""ASQA (Stelmakh et al. 2022): ambiguous questions with two long answers and the readings they should cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import WRONG, fields, items, reason, text, texts
from expound.errors import BadInput
from expound.records import read_json
from expound.types import Interpretation, Passage, Question

# What the official file says instead of leaving the context out.
_NO_CONTEXT = "No context provided"


@dataclass(frozen=True)
class Asqa:
    """The official file, `{split: {id: question}}`, gzip or not; without a split its only one, or `dev`.

    A list of questions that carry their `id` is read too. `meta["contexts"]` has the passage behind each reading, empty
    where there is none, and `meta["context_wikipages"]` its page; `meta["knowledge"]` has what each annotator noted,
    `{"content", "wikipage"}`, in the order of the references.
    """

    profile = "asqa"
    path: Path
    split: str = ""

    def __iter__(self) -> Iterator[Question]:
        for id, row in self._rows().items():
            try:
                yield _question(id, fields(row))
            except WRONG as error:
                raise BadInput(f"{self.path}: question {id} is not in ASQA's layout ({reason(error)})") from error

    def _rows(self) -> Mapping[str, Any]:
        splits = read_json(self.path)
        if isinstance(splits, list):
            return self._by_id(splits)
        if not isinstance(splits, dict) or not splits or not all(isinstance(rows, dict) for rows in splits.values()):
            raise BadInput(f"{self.path} is not an ASQA file: expected {{split: {{id: question}}}}")
        # The official file has a train and a dev split; papers score the latter.
        split = self.split or (next(iter(splits)) if len(splits) == 1 else "dev")
        if split not in splits:
            raise BadInput(f"{self.path} has no split {split!r}; it has: {', '.join(splits)}")
        rows: Mapping[str, Any] = splits[split]
        if not rows:
            raise BadInput(f"{self.path} has no questions in its split {split!r}")
        return rows

    def _by_id(self, rows: list[Any]) -> Mapping[str, Any]:
        found = {str(row["id"]): row for row in rows if isinstance(row, dict) and "id" in row}
        # Two rows of one id would be one question in the dictionary.
        if not rows or len(found) < len(rows):
            raise BadInput(
                f"{self.path} is not an ASQA file: expected {{split: {{id: question}}}}, or a list of questions, each "
                "with an id of its own"
            )
        return found


def _question(id: str, row: Mapping[str, Any]) -> Question:
    asked = text(row["ambiguous_question"])
    annotations, pairs = items(row["annotations"]), items(row["qa_pairs"])
    return Question(
        id=id,
        text=asked,
        references=tuple(text(annotation["long_answer"]) for annotation in annotations),
        interpretations=tuple(Interpretation(text(pair["question"]), texts(pair["short_answers"])) for pair in pairs),
        evidence=tuple(
            Passage(f"{id}-{number}", text(passage["text"]), text(passage.get("title", "")))
            for number, passage in enumerate(items(row.get("passages", [])), start=1)
        ),
        meta=_meta(row, annotations, pairs),
    )


def _meta(row: Mapping[str, Any], annotations: list[Any], pairs: list[Any]) -> dict[str, Any]:
    meta: dict[str, Any] = {"wikipages": row["wikipages"]} if "wikipages" in row else {}
    if any("context" in pair for pair in pairs):
        meta["contexts"] = [_context(pair) for pair in pairs]
        meta["context_wikipages"] = [text(pair.get("wikipage") or "") for pair in pairs]
    if any("knowledge" in annotation for annotation in annotations):
        meta["knowledge"] = [
            [fields(note) for note in items(annotation.get("knowledge") or [])] for annotation in annotations
        ]
    return meta


def _context(pair: Mapping[str, Any]) -> str:
    context = text(pair.get("context") or "")
    return "" if context == _NO_CONTEXT else context
