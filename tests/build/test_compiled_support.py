"""Support documents by compiled loops are those of the plain builder, whatever the texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.support_document import support_document
from expound.build import page_support
from expound.testing import evidence_of

pytest.importorskip("numba", reason="needs the extra `compiled`")
from expound.build.compiled_support import compiled_support

# Of everything that the rules of sentences or words speak of, and some that they do not.
PIECES = [
    *" \n\t\u2028.!?…\"'”’»)]“‘«([⁰²9_-%,|",
    *["Dr", "St", "no", "No", "fig", "art", "5", "٣", "A", "J", "The", "Thesis", "He", "U.S", "u.k", "p.m", "Ph.D"],
    *["approx", "etc", "x", "É", "é", "ÀB", "ß", "\u212a", "漢字", "🙂", "\ud800", "jellyfish", "Brain", "brain net"],
    *["İ", "Σ", "\U00020000"],
    *[". ", ". The ", ". They ", " J. ", " St. ", "no. 5 ", '." "', "...  ", "\n. ", "?) "],
]
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@given(st.lists(texts, max_size=5), texts, st.integers(1, 4), st.integers(0, 2))
def test_pieces_are_those_of_the_plain_builder(documents: list[str], asked: str, passages: int, context: int) -> None:
    question, evidence = f"{asked} brain", evidence_of(*documents)
    expected = support_document(question, evidence, passages=passages, context=context)
    assert compiled_support(question, evidence, passages=passages, context=context) == expected


@given(texts)
def test_sentences_end_where_those_of_the_plain_builder_end(text: str) -> None:
    # Asked by its own words, every sentence that has any is chosen.
    evidence = evidence_of(text)
    assert compiled_support(text, evidence, passages=99, context=0) == support_document(
        text, evidence, passages=99, context=0
    )


def test_many_different_words_find_room() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [first + second + third for first in letters for second in letters for third in letters[:8]]
    evidence = evidence_of(" ".join(words) + ". Then zzz. " + " ".join(words[::2]))
    assert compiled_support("zzz aab", evidence, context=0) == support_document("zzz aab", evidence, context=0)


def test_without_sources_there_is_nothing() -> None:
    assert compiled_support("Why?", []) == []
    assert compiled_support("", evidence_of("", "  ")) == []


def test_only_many_questions_are_worth_the_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    assert page_support.choose_builder(5) is support_document
    assert page_support.choose_builder(100_000) is compiled_support
    monkeypatch.setattr(page_support, "find_spec", lambda _name: None)
    assert page_support.choose_builder(100_000) is support_document
