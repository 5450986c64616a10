"""The support document: the best sentences with their neighbours, merged, at most so many passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.support_document import (
    Piece,
    SupportDocument,
    evidence_from,
    places_in,
    support_document,
)
from expound.answer.tfidf import table_of
from expound.errors import UserError
from expound.plugins import parse
from expound.testing import evidence_of
from expound.text.sentences import split_sentences

QUESTION = "Why do jellyfish have no brain?"
EVIDENCE = evidence_of(
    "Seas are deep. Fish swim there. Jellyfish have no brain. They drift. Waves come. Ships go. A brain costs energy.",
    "Ships sail far. The brain of jellyfish is a net.",
)


def test_a_sentence_comes_with_one_neighbour_on_each_side() -> None:
    assert support_document("drift", EVIDENCE) == [
        Piece(1, 2, ("Jellyfish have no brain.", "They drift.", "Waves come."))
    ]


def test_passages_that_touch_are_one() -> None:
    [piece] = support_document("jellyfish waves", EVIDENCE[:1])
    assert (piece.start, len(piece.sentences)) == (1, 5)


def test_passages_that_do_not_touch_and_sources_stay_apart() -> None:
    pieces = support_document("jellyfish brain", EVIDENCE)
    assert pieces == [
        Piece(1, 1, ("Fish swim there.", "Jellyfish have no brain.", "They drift.")),
        Piece(1, 5, ("Ships go.", "A brain costs energy.")),
        Piece(2, 0, ("Ships sail far.", "The brain of jellyfish is a net.")),
    ]


def test_the_best_passages_are_kept_in_the_order_of_the_sources() -> None:
    [first, second] = support_document("jellyfish brain", EVIDENCE, passages=2)
    assert (first.number, first.start, second.number) == (1, 1, 2)


def test_the_answer_is_the_document_with_its_citations() -> None:
    answer = SupportDocument(passages=2).answer(QUESTION, EVIDENCE)
    assert [sentence.citations for sentence in answer.sentences][-1] == (2,)
    assert all(sentence.text in EVIDENCE[sentence.citations[0] - 1].passage.text for sentence in answer.sentences)
    assert answer.text == " ".join(sentence.text for sentence in answer.sentences)


def test_without_evidence_or_a_common_word_there_is_none() -> None:
    assert SupportDocument().answer(QUESTION, []).text == ""
    assert SupportDocument().answer("Quo vadis?", EVIDENCE).text == ""


def test_pieces_can_be_read_as_evidence() -> None:
    pieces = support_document(QUESTION, EVIDENCE, passages=2)
    items = evidence_from(pieces, EVIDENCE)
    assert [item.number for item in items] == [1, 2]
    assert [tuple(split_sentences(item.passage.text)) for item in items] == [piece.sentences for piece in pieces]


@pytest.mark.parametrize("options", [{"passages": 0}, {"context": -1}])
def test_impossible_sizes_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(UserError, match="at least"):
        SupportDocument(**options)


def test_the_spec_is_the_repr() -> None:
    made = SupportDocument(passages=3)
    assert SupportDocument(**parse(repr(made)).arguments) == made


words = st.sampled_from("cat dog sun rain tree".split())
texts = st.lists(
    st.lists(words, min_size=1, max_size=4).map(lambda found: " ".join(found).capitalize() + "."), max_size=9
)


@given(st.lists(texts.map(" ".join), max_size=5), st.integers(1, 4), st.integers(0, 2))
def test_it_equals_the_definition(documents: list[str], passages: int, context: int) -> None:
    evidence = evidence_of(*documents)
    found = support_document("dog rain", evidence, passages=passages, context=context)
    assert found == defined("dog rain", documents, passages, context)
    assert len(found) <= passages
    assert len(set(places_in(found))) == len(places_in(found))


def defined(question: str, documents: list[str], passages: int, context: int) -> list[Piece]:
    """Sentence by sentence, all passages anew after each."""
    places = [(n, p, s) for n, text in enumerate(documents, start=1) for p, s in enumerate(split_sentences(text))]
    scores = table_of([text for _, _, text in places]).similarities(question)
    taken: set[tuple[int, int]] = set()
    pieces: list[Piece] = []
    for row in sorted(range(len(places)), key=lambda row: -scores[row]):
        number, position, _ = places[row]
        if scores[row] > 0 and len(pieces) < passages:
            taken |= {(number, position + step) for step in range(-context, context + 1)}
            pieces = merged([place for place in places if place[:2] in taken])
    return pieces


def merged(places: list[tuple[int, int, str]]) -> list[Piece]:
    pieces: list[Piece] = []
    for number, position, text in places:
        last = pieces[-1] if pieces else None
        if last and (last.number, last.start + len(last.sentences)) == (number, position):
            pieces[-1] = last._replace(sentences=(*last.sentences, text))
        else:
            pieces.append(Piece(number, position, (text,)))
    return pieces
