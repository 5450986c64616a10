"""ELI5 questions with web pages: WebGPT's test questions and the documents found for them, joined into one file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from expound.datasets.fields import WRONG, fields, identifier, items, reason, text
from expound.datasets.imported import Imported
from expound.datasets.spec import import_dataset, split_spec
from expound.datasets.webgpt import WebGpt
from expound.errors import BadInput, UserError
from expound.files import user_path, write_whole
from expound.records import passage_record, read_json
from expound.types import Passage, Question

# A fourth set, `random`, holds documents of other questions.
SETS = ("webgpt", "bing", "human")


def import_with_evidence(spec: str, documents: Path, *, name: str = "") -> tuple[Imported, bool]:
    """Keep WebGPT's questions with their documents under a name, as questions of the layout `qa`."""
    layout, path = split_spec(spec)
    if layout != "webgpt":
        raise UserError(f"--evidence goes with questions of the layout webgpt, not {layout}")
    with TemporaryDirectory() as folder:
        joined = Path(folder) / "eli5_web_questions.jsonl"
        write_questions(user_path(path), documents, joined)
        return import_dataset(f"qa:{joined}", name=name)


def write_questions(answers: Path, documents: Path, out: Path) -> int:
    """Write the questions with all their documents as lines of the layout `qa`; returns how many."""
    found = _documents(documents)
    count = 0
    with write_whole(out) as file:
        for count, question in enumerate(WebGpt(answers), start=1):  # noqa: B007 (the count is the result)
            if question.id not in found:
                # Refused, not left out: a question without documents would be answered from nothing and lower every
                # row.
                raise BadInput(f"{documents} has no documents for the question {question.id!r} of {answers}")
            file.write(json.dumps(_record(question, found[question.id]), ensure_ascii=False) + "\n")
    return count


def _documents(path: Path) -> dict[str, list[Passage]]:
    """The documents of each question, those of all sets one after the other, each text once."""
    content = read_json(path)
    found: dict[str, dict[str, Passage]] = {}
    try:
        for name in SETS:
            for row in items(fields(content)[name]):
                kept = found.setdefault(identifier(row["question_id"]), {})
                for passage in _passages(row):
                    # By text: the sets found the same pages, each under numbers of its own.
                    kept.setdefault(passage.text, passage)
    except WRONG as error:
        raise BadInput(f"{path} does not hold WebGPT's documents ({reason(error)})") from error
    return {id: list(kept.values()) for id, kept in found.items()}


def _passages(row: Mapping[str, Any]) -> Iterator[Passage]:
    for document in items(row["docs"]):
        yield Passage(identifier(document["doc_id"]), text(document["text"]), text(document.get("title", "")))


def _record(question: Question, documents: list[Passage]) -> dict[str, Any]:
    return {
        "id": question.id,
        "question": question.text,
        "references": list(question.references),
        "evidence": [passage_record(passage) for passage in documents],
        "meta": dict(question.meta),
    }
