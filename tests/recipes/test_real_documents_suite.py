"""The suite of questions to real documents: its files are whole, and its fetcher reads them as meant."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from expound.recipes.real_documents_recipe import HALVES as PARTS
from recipes.suite_tools import ROOT, check_keys, load_tool

SUITE = ROOT / "src/expound/recipes/real_documents"
KINDS = {"value", "list", "how-to", "why", "definition", "comparison"}
FIELDS = {"id", "collection", "question", "kind", "answerable", "keys", "place"}
SOURCES = {"debian", "pypi", "npm"}


fetcher = load_tool("fetch_documents")
COLLECTIONS = fetcher.read_collections((SUITE / "collections.toml").read_text(encoding="utf-8"))
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (SUITE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
HALVES = {collection.name: collection.half for collection in COLLECTIONS}


def test_there_are_enough_questions_to_enough_collections() -> None:
    assert len(QUESTIONS) >= 150
    assert len(COLLECTIONS) >= 8


def test_every_question_has_its_fields_and_its_own_id() -> None:
    assert all(set(question) == FIELDS for question in QUESTIONS)
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)


def test_every_collection_is_asked_about_and_every_question_names_one() -> None:
    assert {question["collection"] for question in QUESTIONS} == set(HALVES)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_keys_are_patterns_and_only_answerable_questions_have_them(question: dict[str, Any]) -> None:
    check_keys(question)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_repeating_the_question_is_no_good_answer(question: dict[str, Any]) -> None:
    found = [re.search(key, question["question"], re.IGNORECASE) for key in question["keys"]]
    assert not (found and all(found))


def test_kinds_are_known_and_each_occurs_in_each_half() -> None:
    for half in ("choose", "decide"):
        kinds = [question["kind"] for question in QUESTIONS if HALVES[question["collection"]] == half]
        assert set(kinds) == KINDS
        assert min(kinds.count(kind) for kind in KINDS) >= 8


def test_a_fifth_of_each_half_is_unanswerable() -> None:
    for half in ("choose", "decide"):
        answerable = [question["answerable"] for question in QUESTIONS if HALVES[question["collection"]] == half]
        assert 0.18 <= answerable.count(False) / len(answerable) <= 0.24


@pytest.mark.parametrize("part", ["check", "fresh", "latest"])
def test_a_part_for_a_last_look_has_every_kind_and_about_a_quarter_that_is_unanswerable(part: str) -> None:
    asked = [question for question in QUESTIONS if HALVES[question["collection"]] == part]
    assert {question["kind"] for question in asked} == KINDS
    assert 0.22 <= [question["answerable"] for question in asked].count(False) / len(asked) <= 0.29


def test_the_latest_part_has_six_manuals_with_ten_answerable_questions_and_four_near_misses_each() -> None:
    asked = [question for question in QUESTIONS if HALVES[question["collection"]] == "latest"]
    counts = Counter((question["collection"], question["answerable"]) for question in asked)
    assert len(counts) == 12
    assert {(answerable, count) for (_, answerable), count in counts.items()} == {(True, 10), (False, 4)}
    kinds = Counter(question["kind"] for question in asked)
    assert min(kinds.values()) >= 12
    assert all(question["place"].startswith("near: ") for question in asked if not question["answerable"])


@pytest.mark.parametrize("half", ["small-choose", "small-decide"])
def test_a_small_half_has_six_collections_with_nine_answerable_questions_and_three_near_misses_each(half: str) -> None:
    asked = [question for question in QUESTIONS if HALVES[question["collection"]] == half]
    counts = Counter((question["collection"], question["answerable"]) for question in asked)
    assert len(counts) == 12
    assert {(answerable, count) for (_, answerable), count in counts.items()} == {(True, 9), (False, 3)}
    kinds = Counter(question["kind"] for question in asked)
    assert set(kinds) == KINDS | {"yes-no"}
    assert min(kinds.values()) >= 8
    assert all(question["place"].startswith("near: ") for question in asked if not question["answerable"])


def test_the_small_halves_are_alike_in_formats_and_tables_are_among_them() -> None:
    formats = [
        {f for c in COLLECTIONS if c.half == half for f in c.formats} for half in ("small-choose", "small-decide")
    ]
    assert formats[0] == formats[1] == {"csv", "html", "markdown", "pdf", "rst", "text"}


@pytest.mark.parametrize("half", ["wide-choose", "wide-decide"])
def test_a_wide_half_has_four_manuals_with_nine_answerable_questions_and_three_near_misses_each(half: str) -> None:
    asked = [question for question in QUESTIONS if HALVES[question["collection"]] == half]
    counts = Counter((question["collection"], question["answerable"]) for question in asked)
    assert len(counts) == 8
    assert {(answerable, count) for (_, answerable), count in counts.items()} == {(True, 9), (False, 3)}
    kinds = Counter(question["kind"] for question in asked if question["answerable"])
    assert kinds == dict.fromkeys(KINDS, 6)
    assert all(question["place"].startswith("near: ") for question in asked if not question["answerable"])


def test_the_everyday_part_has_six_manuals_with_eight_answerable_questions_and_two_near_misses_each() -> None:
    asked = [question for question in QUESTIONS if HALVES[question["collection"]] == "everyday"]
    counts = Counter((question["collection"], question["answerable"]) for question in asked)
    assert len(counts) == 12
    assert {(answerable, count) for (_, answerable), count in counts.items()} == {(True, 8), (False, 2)}
    assert all(question["place"].startswith("near: ") for question in asked if not question["answerable"])


@pytest.mark.parametrize("half", ["more-choose", "more-decide"])
def test_a_half_of_more_has_seven_collections_with_four_answerable_questions_and_a_near_miss_or_two(half: str) -> None:
    asked = [question for question in QUESTIONS if HALVES[question["collection"]] == half]
    counts = Counter((question["collection"], question["answerable"]) for question in asked)
    assert len(counts) == 14
    assert all(count >= 4 if answerable else 1 <= count <= 2 for (_, answerable), count in counts.items())
    assert {question["kind"] for question in asked} == KINDS
    assert all(question["place"].startswith("near: ") for question in asked if not question["answerable"])


def test_every_part_can_be_asked_for_by_name() -> None:
    assert {*HALVES.values(), "all"} == set(PARTS)


def test_the_halves_are_alike_in_size_and_formats() -> None:
    sizes = [list(map(HALVES.get, (q["collection"] for q in QUESTIONS))).count(half) for half in ("choose", "decide")]
    formats = [{f for c in COLLECTIONS if c.half == half for f in c.formats} for half in ("choose", "decide")]
    assert max(sizes) <= 1.2 * min(sizes)
    assert formats[0] == formats[1] >= {"html", "pdf", "epub", "markdown", "rst", "text"}


def test_every_collection_comes_from_a_source_that_can_be_fetched() -> None:
    assert {collection.source for collection in COLLECTIONS} == SOURCES == set(fetcher.CLIENTS)
    assert all(collection.paths and collection.version for collection in COLLECTIONS)


def test_a_table_becomes_a_collection() -> None:
    settings = (
        'half = "choose"',
        'source = "npm"',
        'package = "toys"',
        'version = "1"',
        'paths = ["*.md"]',
        "formats = []",
    )
    text = "\n".join(["[toy]", *settings])
    (toy,) = fetcher.read_collections(text)
    assert (toy.name, toy.package, toy.paths) == ("toy", "toys", ("*.md",))


def test_a_pattern_with_an_exclamation_mark_takes_files_away(tmp_path: Path) -> None:
    for name in ("docs/a.rst", "docs/deep/b.rst", "docs/changelog.rst", "docs/picture.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    files = fetcher.matching_files(tmp_path, ("docs/**/*.rst", "!docs/changelog.rst"))
    assert [str(path.relative_to(tmp_path)) for path in files] == ["docs/a.rst", "docs/deep/b.rst"]


@pytest.mark.parametrize(
    ("patterns", "folder"),
    [
        (("usr/share/doc/x/html/*.html",), "usr/share/doc/x/html"),
        (("usr/share/doc/x/a/*.html", "usr/share/doc/x/b/*.html"), "usr/share/doc/x"),
        (("docs/**/*.rst", "!docs/changelog.rst"), "docs"),
        (("**/*.md",), ""),
        (("doc/source/*.rst", "*.rst"), ""),
    ],
)
def test_a_collection_starts_where_its_patterns_part(patterns: tuple[str, ...], folder: str) -> None:
    assert fetcher.literal_folder(patterns) == folder


def test_a_missing_client_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fetcher.shutil, "which", lambda program: None)
    npm = next(collection for collection in COLLECTIONS if collection.source == "npm")
    with pytest.raises(fetcher.FetchFailed, match=r"npm is missing: install Node\.js"):
        fetcher.download(npm, tmp_path)


def test_what_is_there_already_is_not_fetched_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fetcher, "fetch", lambda *arguments: pytest.fail("fetched again"))
    (tmp_path / COLLECTIONS[0].name).mkdir()
    assert fetcher.fetched(COLLECTIONS[0], tmp_path)
