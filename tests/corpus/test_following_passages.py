"""What stands behind a passage: the rest of its section, and how the sections below begin."""

from __future__ import annotations

from pathlib import Path

from expound.corpus import library
from expound.corpus.following_passages import MOST_BELOW, passages_behind
from expound.types import Passage

PAGE = "# Handbook\n\n## Tests\n\nThere are quick tests.\n\n{}\n\n## Other\n\nNothing of the kind is said here.\n"


def behind(tmp_path: Path, sections: str, found: str = "There are quick tests.") -> list[str]:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "handbook.md").write_text(PAGE.format(sections), encoding="utf-8")
    corpus, _ = library.add([folder], name="docs")
    passage = next(item for _, item in corpus.store.iter_passages() if item.text.startswith(found))
    return [item.source.heading for item in passages_behind(passage, [corpus])]


def test_the_first_passage_of_every_section_below_is_found_and_no_other(tmp_path: Path) -> None:
    assert behind(tmp_path, "### Allow list\n\nFriends.\n\n#### Why\n\nSo.\n\n### Deny list\n\nEnemies.") == [
        "Tests > Allow list",
        "Tests > Deny list",
    ]


def test_the_rest_of_the_section_comes_first(tmp_path: Path) -> None:
    talk = "\n\n".join(f"Paragraph {n} goes on for a while about one thing and another." for n in range(12))
    assert behind(tmp_path, f"{talk}\n\n### Allow list\n\nFriends.") == ["Tests", "Tests > Allow list"]


def test_a_chapter_of_many_sections_enumerates_nothing(tmp_path: Path) -> None:
    sections = "\n\n".join(f"### Part {n}\n\nIt has the number {n}." for n in range(MOST_BELOW + 1))
    assert behind(tmp_path, sections) == []


def test_nothing_stands_behind_what_no_corpus_has(tmp_path: Path) -> None:
    assert passages_behind(Passage("1", "A text.", "A title"), []) == []
