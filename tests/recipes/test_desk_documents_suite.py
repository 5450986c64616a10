"""The suite of questions to desk documents: it is whole, its keys stand in them, and its tool makes office files."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import docx
import pytest

from recipes.suite_tools import ROOT, check_keys, load_tool

SUITE = ROOT / "src/expound/recipes/desk_documents"
KINDS = {"value", "list", "how-to", "why", "definition", "comparison", "yes-no"}
FIELDS = {"id", "collection", "question", "kind", "answerable", "keys", "place"}
HALVES = {
    name: about["half"]
    for name, about in tomllib.loads((SUITE / "collections.toml").read_text(encoding="utf-8")).items()
}
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (SUITE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
ANSWERABLE = [question for question in QUESTIONS if question["answerable"]]
KITCHEN = """# Tea

Boil it
well, **never** twice.

1. fill
2. wait

- cup

| Tea | Min |
|---|---|
| green | 2 |
"""


maker = load_tool("make_desk_documents")


def files_of(collection: str) -> list[Path]:
    return sorted((SUITE / collection).iterdir())


def words_of(collection: str) -> int:
    return sum(len(file.read_text(encoding="utf-8").split()) for file in files_of(collection))


def test_five_collections_choose_and_five_decide() -> None:
    assert Counter(HALVES.values()) == {"choose": 5, "decide": 5}
    assert {path.name for path in SUITE.iterdir() if path.is_dir()} == set(HALVES)


@pytest.mark.parametrize("collection", HALVES)
def test_a_collection_is_small_and_of_several_formats(collection: str) -> None:
    assert 3 <= len(files_of(collection)) <= 6
    assert len({file.suffixes[0] for file in files_of(collection)}) >= 3
    assert 400 <= words_of(collection) <= 1500


def test_both_halves_have_letters_slides_mails_tables_and_notes() -> None:
    for half in ("choose", "decide"):
        formats = {file.suffixes[0] for name in HALVES if HALVES[name] == half for file in files_of(name)}
        assert formats >= {".docx", ".pptx", ".eml", ".csv", ".md", ".txt", ".html", ".rst", ".tex"}


@pytest.mark.parametrize("collection", HALVES)
def test_a_collection_has_twelve_answerable_questions_and_four_near_misses(collection: str) -> None:
    asked = [question for question in QUESTIONS if question["collection"] == collection]
    assert Counter(question["answerable"] for question in asked) == {True: 12, False: 4}
    assert all(question["place"].startswith("near: ") for question in asked if not question["answerable"])


def test_every_question_has_its_fields_and_its_own_id() -> None:
    assert all(set(question) == FIELDS for question in QUESTIONS)
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)


def test_kinds_are_known_and_each_occurs_in_each_half() -> None:
    for half in ("choose", "decide"):
        kinds = Counter(question["kind"] for question in QUESTIONS if HALVES[question["collection"]] == half)
        assert set(kinds) == KINDS
        assert min(kinds.values()) >= 8


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_keys_are_patterns_and_only_answerable_questions_have_them(question: dict[str, Any]) -> None:
    check_keys(question)


@pytest.mark.parametrize("question", ANSWERABLE, ids=lambda question: question["id"])
def test_every_key_is_found_in_a_file_of_its_collection_and_none_in_the_question(question: dict[str, Any]) -> None:
    texts = [" ".join(file.read_text(encoding="utf-8").split()) for file in files_of(question["collection"])]
    for key in question["keys"]:
        assert any(re.search(key, text, re.IGNORECASE) for text in texts)
        assert re.search(key, question["question"], re.IGNORECASE) is None


@pytest.mark.parametrize("question", ANSWERABLE, ids=lambda question: question["id"])
def test_the_place_of_an_answer_names_a_file_of_the_collection(question: dict[str, Any]) -> None:
    names = tuple(file.name.removesuffix(".md") for file in files_of(question["collection"]))
    assert question["place"].startswith(names)


def test_markdown_becomes_a_text_document_with_heading_lists_and_table(tmp_path: Path) -> None:
    maker.write_docx(maker.read_blocks(KITCHEN), tmp_path / "tea.docx")
    document = docx.Document(str(tmp_path / "tea.docx"))
    assert [(paragraph.style and paragraph.style.name, paragraph.text) for paragraph in document.paragraphs] == [
        ("Heading 1", "Tea"),
        ("Normal", "Boil it well, never twice."),
        ("List Number", "fill"),
        ("List Number", "wait"),
        ("List Bullet", "cup"),
    ]
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [["Tea", "Min"], ["green", "2"]]
    assert [run.text for run in document.paragraphs[1].runs if run.bold] == ["never"]


def test_markdown_becomes_slides_one_for_each_heading(tmp_path: Path) -> None:
    pptx = pytest.importorskip("pptx")
    maker.write_pptx(maker.read_blocks(f"# Talk\n\nin May\n\n{KITCHEN}"), tmp_path / "tea.pptx")
    first, second = pptx.Presentation(str(tmp_path / "tea.pptx")).slides
    assert [shape.text_frame.text for shape in first.placeholders] == ["Talk", "in May"]
    assert second.placeholders[1].text_frame.text.splitlines()[1:] == ["fill", "wait", "cup"]
    (table,) = [shape.table for shape in second.shapes if shape.has_table]
    assert [cell.text for cell in table.rows[1].cells] == ["green", "2"]


def test_without_its_library_a_slide_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pptx", None)
    with pytest.raises(maker.NotMade, match=r"talk\.pptx needs python-pptx: pip install python-pptx"):
        maker.write_pptx([], tmp_path / "talk.pptx")


def test_a_collection_is_made_with_office_files_in_place_of_their_sources(tmp_path: Path) -> None:
    assert maker.make_collection(SUITE / "travel", tmp_path / "travel") == 5
    made = {path.name for path in (tmp_path / "travel").iterdir()}
    assert "travel-policy.docx" in made
    assert made == {file.name.replace(".docx.md", ".docx") for file in files_of("travel")}
