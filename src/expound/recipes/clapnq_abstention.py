"""CLAPNQ dev: does the answerer know when the evidence does not hold the answer?

Every question is asked over the passages of all questions. Two rates: answered among the answerable ones, left open
among the unanswerable ones. The unanswerable ones are hard: each has a passage on its very topic that lacks the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from expound.recipes.corpora import recipe_corpus
from expound.records import question_id, read_lines
from expound.system import open_system

Report = Callable[[str, int, int], None]


def run(answerable: Path, unanswerable: Path, out: Path, *, report: Report | None = None) -> dict[str, Any]:
    """The two rates; passages and the table go to `out`."""
    out.mkdir(parents=True, exist_ok=True)
    rows = {name: [row for _, row in read_lines(path)] for name, path in _named(answerable, unanswerable)}
    file = out / "clapnq-passages.jsonl"
    file.write_text("".join(_passage_lines([row for part in rows.values() for row in part])), encoding="utf-8")
    system = open_system([recipe_corpus("clapnq", file, report=report)])
    total, done = sum(map(len, rows.values())), 0
    answered = dict.fromkeys(rows, 0)
    for name, part in rows.items():
        for row in part:
            answered[name] += not system.ask(row["input"]).abstained
            done += 1
            if report:
                report("asking", done, total)
    result = {
        "answerable": len(rows["answerable"]),
        "answered, of the answerable (%)": 100 * answered["answerable"] / len(rows["answerable"]),
        "unanswerable": len(rows["unanswerable"]),
        "left open, of the unanswerable (%)": 100 - 100 * answered["unanswerable"] / len(rows["unanswerable"]),
    }
    (out / "clapnq.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def _named(answerable: Path, unanswerable: Path) -> Iterator[tuple[str, Path]]:
    yield "answerable", answerable
    yield "unanswerable", unanswerable


def _passage_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    passages = {question_id(passage["text"]): passage for row in rows for passage in row["passages"]}
    for identifier, passage in passages.items():
        yield json.dumps({"id": identifier, "title": passage["title"], "text": passage["text"]}) + "\n"
