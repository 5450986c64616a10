"""Rows for writers: answers of a fitting length, documents found or swapped, nothing of what is kept out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expound.errors import UserError
from expound.train.data.writer_data import WriterSources, write_writer_data
from expound.train.data.writer_files import WriterRow, read_writer_rows
from expound.train.kinds.writer_kind import swap_answers

NAMES = ("mira", "olan", "petra", "quin")


@pytest.fixture
def sources(tmp_path: Path) -> WriterSources:
    """Four questions with a long and a short answer, and a passage of their own each."""
    records = [
        {
            "id": name,
            "question": f"Who is {name}?",
            "references": [f"{name} is\n\na baker of the old town, I think", f"{name}, a baker"],
            "evidence": [{"id": name, "title": "Town", "text": f"{name} bakes bread. It rains in May."}],
        }
        for name in NAMES
    ]
    path = tmp_path / "qa.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return WriterSources((f"qa:{path}",), held_out=1)


def rows_of(sources: WriterSources, out: Path) -> list[WriterRow]:
    counts = write_writer_data(sources, out, seed=1)
    assert counts == {"dev.jsonl": sources.held_out, "train.jsonl": len(NAMES) - sources.held_out}
    return read_writer_rows([out / name for name in counts])


def name_in(text: str) -> str:
    return next(name for name in NAMES if name in text)


def test_a_row_has_a_question_its_passages_and_an_answer_on_one_line(sources: WriterSources, tmp_path: Path) -> None:
    rows = rows_of(sources, tmp_path / "out")
    assert sorted(row.answer for row in rows) == [f"{name} is a baker of the old town, I think" for name in NAMES]
    assert all(name_in(row.question) == name_in(row.documents[0].text) for row in rows)
    assert rows == rows_of(sources, tmp_path / "again")


def test_the_first_answer_of_a_fitting_length_is_taken(sources: WriterSources, tmp_path: Path) -> None:
    rows = rows_of(replace(sources, words=(1, 4)), tmp_path / "out")
    assert sorted(row.answer for row in rows) == [f"{name}, a baker" for name in NAMES]
    with pytest.raises(UserError, match="0 rows could be made, and 1 are to be held out"):
        write_writer_data(replace(sources, words=(50, 60)), tmp_path / "none", seed=1)


def test_random_documents_are_those_of_another_question(sources: WriterSources, tmp_path: Path) -> None:
    rows = rows_of(replace(sources, documents="random"), tmp_path / "out")
    assert all(name_in(row.question) == name_in(row.answer) != name_in(row.documents[0].text) for row in rows)


def test_a_support_document_is_made_of_the_passages(sources: WriterSources, tmp_path: Path) -> None:
    rows = rows_of(replace(sources, documents="support"), tmp_path / "out")
    assert all(row.documents[0].text.startswith(name_in(row.question)) for row in rows)
    with pytest.raises(UserError, match="no documents 'all'; there are: passages, support, random"):
        write_writer_data(replace(sources, documents="all"), tmp_path / "none", seed=1)


def test_no_question_that_is_kept_out_is_taken(sources: WriterSources, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="0 rows"):
        write_writer_data(replace(sources, keep_out=sources.train), tmp_path / "none", seed=1)


def test_shuffled_answers_all_belong_elsewhere(sources: WriterSources, tmp_path: Path) -> None:
    rows = rows_of(sources, tmp_path / "out")
    swapped = swap_answers(rows)
    assert all(name_in(row.question) != name_in(row.answer) for row in swapped)
    assert sorted(row.answer for row in swapped) == sorted(row.answer for row in rows)
