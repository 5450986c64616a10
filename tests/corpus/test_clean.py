"""Markup goes, words stay."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.standalone import standalone
from expound.corpus.clean import clean
from expound.corpus.read.document import Block, Document
from expound.corpus.split import split
from expound.text.answer_types import names


@pytest.mark.parametrize(
    ("raw", "prose"),
    [
        ("It rained.[3] Then it stopped.[citation needed]", "It rained. Then it stopped."),
        ("Intro. == Guidelines == More.", "Intro.\nMore."),
        (
            "On November 13 , 1966 , the film `` Psycho '' ( 1960 ) ran .",
            'On November 13, 1966, the film "Psycho" (1960) ran.',
        ),
        ("He did n't see Ann 's proto - oncogene .", "He didn't see Ann's proto-oncogene."),
        ("Mel Stuart( born 1928) filmed f(x).", "Mel Stuart (born 1928) filmed f(x)."),
        ("Youn (; born 1947) acts () well.", "Youn (born 1947) acts well."),
        ("* one\n# two\n• three", "one\ntwo\nthree"),
        ("two  spaces\u00a0here", "two spaces here"),
        ("a [b] is kept in [brackets]", "a is kept in [brackets]"),
        ("if a == b or c == d: list[i]", "if a == b or c == d: list[i]"),
        ("call run() on items[0]", "call run() on items[0]"),
        ("Kim (;) and Lee(, ) [ ] met", "Kim and Lee met"),
        ("plain (text) stays - as it is.", "plain (text) stays - as it is."),
    ],
)
def test_markup_goes_and_words_stay(raw: str, prose: str) -> None:
    assert clean(raw) == prose


def test_a_title_that_runs_into_the_text_is_dropped() -> None:
    assert (
        clean("Commodore PET The Commodore PET is a computer.", title="Commodore PET")
        == "The Commodore PET is a computer."
    )


@pytest.mark.parametrize(
    ("title", "raw", "prose"),
    [
        (
            "Franck Ribéry",
            "Franck Ribéry Franck Henry Pierre Ribéry is a player.",
            "Franck Henry Pierre Ribéry is a player.",
        ),
        (
            "History of United Airlines",
            "History of United Airlines United Airlines is large.",
            "United Airlines is large.",
        ),
        (
            "Inca religion",
            "Inca religion Because of their defeat, much was lost.",
            "Because of their defeat, much was lost.",
        ),
        ("Ann Lee", "She died. Ann Lee Ann Lee was born here.", "She died.\nAnn Lee was born here."),
        ("New York", "New York City is large.", "New York City is large."),
        ("Apple", "The Apple Watch was released by Apple.", "The Apple Watch was released by Apple."),
        ("Paris", "In 1889 the Paris Exposition was held in Paris.", "In 1889 the Paris Exposition was held in Paris."),
    ],
)
def test_other_titles_that_run_in(title: str, raw: str, prose: str) -> None:
    assert clean(raw, title=title) == prose


def test_a_title_that_belongs_to_the_sentence_stays() -> None:
    assert clean("Paris is the capital of France.", title="Paris") == "Paris is the capital of France."


@given(st.text(max_size=300))
def test_cleaning_twice_changes_no_more_than_once_for_spacing(text: str) -> None:
    cleaned = clean(text)
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned


@pytest.mark.parametrize(
    "hostile",
    [
        "." * 100_000,
        "==" + " " * 100_000 + "x",
        "\n" * 100_000,
        "(" * 100_000,
        "[" * 100_000,
        "Ab " * 100_000,
        "= " * 50_000,
    ],
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    started = time.process_time()
    list(split(Document("Ab", (Block(hostile),), is_wiki=True), file="f"))
    clean(hostile, title="Ab")
    standalone("It was so.", title=hostile, before=[hostile[:1000]])
    names(hostile[:1000])
    assert time.process_time() - started < 20
