"""TF-IDF: the numbers of scikit-learn, documents read once, ties in order."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.tfidf import Documents, best_first, table_of

EXPECTED = [0.6893296102, 0.5254727493, 0.151935847, 0.0]
SENTENCES = ["The cat sat on the mat.", "A dog, a dog!", "Café-goers sat in 2 cafés", ""]

words = st.sampled_from(["cat", "dog", "The", "a", "naïve", "3", "ÉTÉ", "x_y"])
sentences = st.lists(st.lists(words, max_size=6).map(" ".join), max_size=8)


def test_similarities_are_those_of_scikit_learn() -> None:
    # scikit-learn 1.9.1, TfidfVectorizer() fitted on SENTENCES, cosine with the query.
    found = table_of(SENTENCES).similarities("Who sat on the dog?")
    assert found.tolist() == pytest.approx(EXPECTED, abs=1e-9)


@given(sentences, st.lists(words, max_size=5).map(" ".join))
def test_similarities_are_bounded_and_their_order_is_free_of_the_rows(texts: list[str], query: str) -> None:
    found = table_of(texts).similarities(query).tolist()
    assert all(0 <= value <= 1 for value in found)
    assert table_of(texts[::-1]).similarities(query).tolist()[::-1] == pytest.approx(found, abs=1e-8)


@given(st.lists(words, min_size=1, max_size=6).map(" ".join))
def test_a_sentence_is_most_similar_to_itself(text: str) -> None:
    [similarity] = table_of([text]).similarities(text)
    assert similarity == (1 if any(len(word) > 1 for word in text.split()) else 0)


letters = st.text(alphabet="aé_", min_size=1, max_size=20)


@given(st.lists(st.lists(letters, max_size=4).map(" ".join), max_size=6), st.lists(letters, max_size=4).map(" ".join))
def test_words_are_the_same_when_all_their_letters_are(texts: list[str], query: str) -> None:
    assert table_of(texts).similarities(query).tolist() == pytest.approx(defined(texts, query), abs=1e-8)


alphabets = st.text(alphabet="aZé ÀŁłΣσςİß–’“²½_\t\n\x85漢字🙂…-", max_size=20)


@given(st.lists(alphabets, max_size=6), alphabets)
def test_words_of_any_alphabet_are_those_of_the_definition(texts: list[str], query: str) -> None:
    assert table_of(texts).similarities(query).tolist() == pytest.approx(defined(texts, query), abs=1e-8)


def test_half_a_surrogate_pair_parts_words() -> None:
    assert table_of(["dog\ud800cat", "dogcat"]).similarities("dog \udc00").tolist() == [pytest.approx(0.707106781), 0]


def test_a_single_letter_is_no_word_however_many_bytes_it_has() -> None:
    assert table_of(["la vita è bella", "è", "漢"]).similarities("è a 漢").tolist() == [0, 0, 0]


def test_words_that_differ_in_one_letter_are_different() -> None:
    texts = ["rational", "nationally", "internationalisation of it", "National"]
    assert table_of(texts).similarities("national").tolist() == [0, 0, 0, 1]
    assert table_of(texts).similarities("internationalisazion").tolist() == [0, 0, 0, 0]


def defined(texts: list[str], query: str) -> list[float]:
    """Cosines word by word, as the formula says."""
    bags = [Counter(re.findall(r"\w\w+", text.lower())) for text in texts]

    def weights(bag: Counter[str]) -> dict[str, float]:
        found = {word: sum(word in other for other in bags) for word in bag}
        return {word: bag[word] * (math.log((1 + len(texts)) / (1 + n)) + 1) for word, n in found.items() if n}

    asked = weights(Counter(re.findall(r"\w\w+", query.lower())))
    cosines = []
    for bag in map(weights, bags):
        scale = math.sqrt(sum(v * v for v in bag.values()) * sum(v * v for v in asked.values()))
        cosines.append(sum(bag.get(word, 0) * value for word, value in asked.items()) / scale if scale else 0.0)
    return cosines


def test_ties_keep_their_order_and_strangers_stay_out() -> None:
    assert best_first(table_of(["one dog", "a dog", "the sun", "dog"]).similarities("dog cat")) == [1, 3, 0]


def test_nothing_has_no_similarity() -> None:
    assert table_of([]).similarities("dog").tolist() == []
    assert table_of(["", "x"]).similarities("dog").tolist() == [0, 0]


def test_rows_have_the_weights_of_their_words() -> None:
    table = table_of(["dog dog cat", "cat"])
    assert sorted(weight for weight in table.row_vector(0) if weight) == pytest.approx([1, 2 * (1 + math.log(1.5))])


@given(st.lists(st.lists(sentences.map("\n".join), max_size=4), max_size=4), st.integers(0, 60))
def test_what_is_kept_changes_no_similarity(asked: list[list[str]], characters: int) -> None:
    documents = Documents(most_characters=characters)
    for texts in asked:
        read, table = documents.table(texts)
        flat = [sentence for document in read for sentence in document.sentences]
        expected = table_of(flat).similarities("the cat naïve").tolist()
        assert table.similarities("the cat naïve").tolist() == pytest.approx(expected, abs=1e-8)
        assert documents.characters <= characters


def test_a_document_is_read_once() -> None:
    documents = Documents()
    [first], _ = documents.table(["One dog. One cat."])
    [second], _ = documents.table(["One dog. One cat."])
    assert first is second
