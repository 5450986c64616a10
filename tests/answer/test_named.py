"""An extract says which setting, command or function it is about, where only the heading above it does."""

from __future__ import annotations

import pytest

from expound.answer.entries import entries_of
from expound.answer.extracts import Extract
from expound.answer.named import is_name, name_extracts
from expound.corpus.read.document import Block, Document
from expound.corpus.split import split
from expound.types import Evidence


def evidence_of(*documents: Document) -> list[Evidence]:
    passages = [passage for document in documents for passage in split(document, file=document.title)]
    return [Evidence(passage, number, 0.9) for number, passage in enumerate(passages, start=1)]


def named(evidence: list[Evidence]) -> list[str]:
    """The first entry of each passage, quoted whole and named."""
    extracts = [Extract(item.number, tuple(entries_of(item.passage))) for item in evidence]
    return [extract.entries[0].text for extract in name_extracts(extracts, evidence)]


def section(text: str, *path: str, kind: str = "paragraph") -> Block:
    return Block(text, "table" if kind == "table" else "paragraph", path)


def test_the_name_of_a_setting_stands_before_what_is_said_of_it() -> None:
    evidence = evidence_of(Document("Settings", (section("How long it waits.", "All", "wait_time"),)))
    assert named(evidence) == ["[wait_time] How long it waits."]


def test_rows_stay_as_they_are() -> None:
    evidence = evidence_of(Document("Settings", (section("type | default\nint | 3", "waitTime", kind="table"),)))
    assert named(evidence) == ["type | default\nint | 3"]


def test_what_is_cited_stays_as_it_stands() -> None:
    evidence = evidence_of(Document("Settings", (section("How long it waits.", "wait_time"),)))
    extract = Extract(1, tuple(entries_of(evidence[0].passage)))
    assert name_extracts([extract], evidence)[0].entries[0].source_text == "How long it waits."


def test_a_name_that_is_said_is_not_said_again() -> None:
    blocks = (section("Set wait_time to 3.", "wait_time"), section("With --quiet it is silent.", "--quiet, -q"))
    assert named(evidence_of(Document("Settings", blocks))) == ["Set wait_time to 3.", "With --quiet it is silent."]


def test_two_extracts_of_one_section_are_named_once() -> None:
    text = "Water is hot. " * 60
    evidence = evidence_of(Document("Settings", (section(text.strip(), "wait_time"),)))
    assert [text.startswith("[wait_time] ") for text in named(evidence)] == [True, False]


def test_a_heading_of_prose_names_nothing() -> None:
    assert named(evidence_of(Document("Kettle", (section("It boils.", "Boiling water"),)))) == ["It boils."]


def test_a_page_that_is_called_like_a_command_names_it_where_there_are_others() -> None:
    titles = ("halt(1)", "park(1) - stop a car")
    pages = [Document(title, (section("It stops.", "DESCRIPTION"),)) for title in titles]
    assert named(evidence_of(*pages)) == ["[halt(1)] It stops.", "[park(1)] It stops."]
    assert named(evidence_of(pages[0])) == ["It stops."]


@pytest.mark.parametrize(
    "heading", ["max_size", "content.images", "fake-key", "quit", "PollingInterval", "f()", "-q <n>"]
)
def test_names_are_told_by_how_they_are_written(heading: str) -> None:
    assert is_name(heading)


@pytest.mark.parametrize(
    "heading", ["Purpose", "4.2", "2.4.1", "Set-up", "OPTIONS", "How to use", "FAQ", "v1.2", "", "-"]
)
def test_headings_of_prose_and_numbers_are_no_names(heading: str) -> None:
    assert not is_name(heading)
