"""Passages are short, whole, and know where they stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from expound.corpus.read.document import Document, Section
from expound.corpus.split import MOST_WORDS, split

SENTENCE = "The quick brown fox jumps over the lazy dog near the river bank."


def test_passages_end_at_sentence_boundaries() -> None:
    document = Document("Foxes", (Section(" ".join([SENTENCE] * 20), "Habits"),))
    passages = list(split(document, file="foxes.txt"))
    assert len(passages) > 1
    assert all(passage.text.endswith("bank.") and len(passage.text.split()) <= MOST_WORDS for passage in passages)


def test_passages_know_title_heading_page_and_offsets() -> None:
    document = Document("Foxes", (Section("One here.", "First", 3), Section("Two here.", "Second", 4)))
    one, two = split(document, file="foxes.pdf")
    assert (one.title, one.source.heading, one.source.page) == ("Foxes", "First", 3)
    assert (two.source.start, two.source.end) == (10, 19)
    assert one.id == "foxes.pdf#1"


def test_wiki_headings_become_headings() -> None:
    document = Document("Foxes", (Section("Lead text.\n== Diet ==\nThey eat mice."),))
    assert [passage.source.heading for passage in split(document, file="f")] == ["", "Diet"]


def test_a_sentence_longer_than_a_passage_is_cut_between_words() -> None:
    passages = list(split(Document("Long", (Section("word " * 250 + "end."),)), file="f"))
    assert [len(passage.text.split()) for passage in passages] == [100, 100, 51]


@given(st.lists(st.sampled_from([SENTENCE, "Short one.", "word " * 130 + "stop."]), max_size=12))
def test_no_word_is_lost(sentences: list[str]) -> None:
    text = " ".join(sentences)
    passages = split(Document("T", (Section(text),)), file="f")
    assert " ".join(passage.text for passage in passages).split() == text.split()
