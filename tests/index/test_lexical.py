"""Search by words: finds, follows changes, and never chokes on a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.errors import CorpusBusy, WrongVersion
from expound.index.lexical import LexicalIndex, write_format

TEXTS = [
    (1, "Danube", "The Danube flows through ten countries."),
    (2, "Nile", "The Nile flows through Egypt."),
    (3, "Café", "A café sells coffee."),
]


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    index = LexicalIndex(tmp_path / "lexical")
    index.update(TEXTS, [])
    return index


def numbers(index: LexicalIndex, question: str) -> list[int]:
    return [number for number, _ in index.search(question, k=10)]


def test_the_passage_with_the_words_comes_first(index: LexicalIndex) -> None:
    assert numbers(index, "Which countries does the Danube flow through?")[0] == 1


def test_accents_and_endings_do_not_matter(index: LexicalIndex) -> None:
    assert numbers(index, "cafes") == [3]


@pytest.mark.parametrize(
    "question",
    [
        "What's the capital?",
        "O'Brien",
        "who: what",
        '"',
        "(",
        "AND OR NOT",
        "https://x.y",
        "-boats",
        "the of",
        "",
        "1830-1840",
        "[a TO b]",
        "*",
        "title:Nile^5",
    ],
)
def test_no_question_is_an_error(index: LexicalIndex, question: str) -> None:
    assert isinstance(numbers(index, question), list)


def test_removed_passages_are_not_found(index: LexicalIndex) -> None:
    index.update([], [2])
    assert numbers(index, "Nile Egypt") == []
    assert len(index) == 2


def test_adding_again_replaces(index: LexicalIndex) -> None:
    index.update([(2, "Nile", "The Nile is long.")], [])
    assert len(index) == 3
    assert numbers(index, "Egypt") == []


def test_commits_are_reported_so_that_a_run_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.index.lexical._COMMIT_EVERY", 2)
    seen: list[tuple[int, int]] = []
    LexicalIndex(tmp_path / "x").update(TEXTS, [], committed=lambda count, number: seen.append((count, number)))
    assert seen == [(2, 2)]


def test_a_second_writer_is_told_so(index: LexicalIndex) -> None:
    other = LexicalIndex(index.folder)
    writer = other._index.writer(15_000_000, 1)
    with pytest.raises(CorpusBusy):
        index.update([], [1])
    del writer


def test_an_index_of_another_version_is_refused(index: LexicalIndex) -> None:
    write_format(index.folder)
    (index.folder / "expound.format").write_text("0\ntantivy v0.1, index_format v1\n", encoding="utf-8")
    with pytest.raises(WrongVersion, match="another version"):
        LexicalIndex(index.folder)


def test_no_passages_asked_for_gives_none(index: LexicalIndex) -> None:
    assert index.search("Danube", k=0) == []


def many(count: int) -> list[tuple[int, str, str]]:
    """Passages of one length with one word in common: all of them tie."""
    return [(number, "", f"river number{number} bends") for number in range(1, count + 1)]


@pytest.mark.parametrize("k", [3, 10, 40])
def test_ties_at_the_limit_keep_corpus_order(tmp_path: Path, k: int) -> None:
    index = LexicalIndex(tmp_path / "ties")
    index.update(reversed(many(300)), [])
    assert numbers_of(index, "river", k) == list(range(1, k + 1))


def test_one_update_or_several_rank_alike(tmp_path: Path) -> None:
    whole, pieces = LexicalIndex(tmp_path / "whole"), LexicalIndex(tmp_path / "pieces")
    whole.update(many(300), [])
    for start in range(0, 300, 60):
        pieces.update(many(300)[start : start + 60], [])
    assert whole.search("a river bends", k=7) == pieces.search("a river bends", k=7)


def numbers_of(index: LexicalIndex, question: str, k: int) -> list[int]:
    return [number for number, _ in index.search(question, k=k)]


def test_a_word_has_the_share_of_the_passages_that_say_it(tmp_path: Path) -> None:
    index = LexicalIndex(tmp_path / "index")
    index.update([(1, "Icinga", "Hosts."), (2, "Icinga", "Icinga services."), (3, "Notes", "Hosts, too.")], [])
    assert index.share_of("Icinga") == pytest.approx(2 / 3)
    assert index.share_of("Unheard") == index.share_of("?") == 0.0
