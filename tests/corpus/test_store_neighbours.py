"""What stands before and after a passage in its document."""

from __future__ import annotations

from pathlib import Path

from expound.corpus import library
from expound.testing import write_jsonl

PARAGRAPH = "The {} part of the handbook speaks of {} and of nothing else, which takes it a few more words to say."


def write_handbook(folder: Path, *subjects: str) -> Path:
    folder.mkdir(exist_ok=True)
    sections = (f"## About {subject}\n\n{PARAGRAPH.format(subject, subject)}\n" for subject in subjects)
    (folder / "handbook.md").write_text("# Handbook\n\n" + "\n".join(sections), encoding="utf-8")
    return folder


def headings_beside(corpus: library.Corpus, identifier: str) -> list[str]:
    number = corpus.store.number_of(identifier)
    assert number is not None
    found = [corpus.store.neighbour(number, step) for step in (-1, 1)]
    return [passage.source.heading if passage else "" for passage in found]


def test_neighbours_stand_in_the_order_of_the_document(tmp_path: Path) -> None:
    corpus, _ = library.add([write_handbook(tmp_path / "docs", "tea", "coffee", "cocoa")], name="docs")
    assert headings_beside(corpus, "handbook.md#2") == ["About tea", "About cocoa"]
    assert headings_beside(corpus, "handbook.md#1") == ["", "About coffee"]
    assert headings_beside(corpus, "handbook.md#3") == ["About coffee", ""]


def test_a_changed_passage_keeps_its_place(tmp_path: Path) -> None:
    library.add([write_handbook(tmp_path / "docs", "tea", "coffee", "cocoa")], name="docs")
    corpus, _ = library.add([write_handbook(tmp_path / "docs", "milk", "coffee", "cocoa")], name="docs")
    assert headings_beside(corpus, "handbook.md#2") == ["About milk", "About cocoa"]


def test_another_document_in_the_same_file_is_no_neighbour(tmp_path: Path) -> None:
    rows = [
        {"id": "a1", "title": "Anna", "text": "The ship Anna left Bergen in May."},
        {"id": "a2", "title": "Anna", "text": "She carried timber and salt."},
        {"id": "b1", "title": "Berta", "text": "The ship Berta stayed at home."},
    ]
    corpus, _ = library.add([write_jsonl(tmp_path / "ships.jsonl", [dict(row) for row in rows])], name="ships")
    number = corpus.store.number_of("a2")
    assert number is not None
    before, after = corpus.store.neighbour(number, -1), corpus.store.neighbour(number, 1)
    assert before is not None
    assert before.id == "a1"
    assert after is None


def test_the_id_of_a_duplicate_leads_to_the_passage_that_stands_for_it(tmp_path: Path) -> None:
    write_handbook(tmp_path / "docs", "tea")
    (tmp_path / "docs" / "twin.md").write_text((tmp_path / "docs" / "handbook.md").read_text(encoding="utf-8"))
    corpus, summary = library.add([tmp_path / "docs"], name="docs")
    assert summary.aliases == 1
    assert corpus.store.number_of("twin.md#1") == corpus.store.number_of("handbook.md#1")
    assert corpus.store.number_of("nothing.md#1") is None


def test_a_passage_knows_its_file(tmp_path: Path) -> None:
    corpus, _ = library.add([write_handbook(tmp_path / "docs", "tea")], name="docs")
    number = corpus.store.number_of("handbook.md#1")
    assert number is not None
    assert corpus.store.path_of(number) == str(tmp_path / "docs" / "handbook.md")
    assert corpus.store.path_of(999) == ""
