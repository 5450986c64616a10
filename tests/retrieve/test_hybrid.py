"""Retrieval: words find, meaning orders, titles share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from expound.corpus import kept_models, library
from expound.retrieve.hybrid import Hybrid
from expound.testing import WordEmbedder, write_jsonl, write_toy_folder


@pytest.fixture
def corpus(tmp_path: Path) -> library.Corpus:
    return library.add([write_toy_folder(tmp_path / "toys")], name="toys")[0]


def titles(retriever: Hybrid, question: str, *, k: int = 5) -> list[str]:
    return [item.passage.title for item in retriever.retrieve(question, k=k)]


@pytest.mark.parametrize("embedder", [None, WordEmbedder()])
def test_the_passage_on_the_subject_comes_first(corpus: library.Corpus, embedder: WordEmbedder | None) -> None:
    assert titles(Hybrid([corpus], embedder), "Which countries does the Danube flow through?")[0] == "Danube"


def test_a_question_without_a_known_word_has_passages_that_come_nearest(corpus: library.Corpus) -> None:
    question = "Xyzzy plugh?"
    assert len(Hybrid([corpus], WordEmbedder(), static=WordEmbedder()).retrieve(question, k=3)) == 3
    assert Hybrid([corpus], WordEmbedder()).retrieve(question, k=3) == []


def test_a_small_corpus_is_looked_at_whole_whatever_words_it_uses(corpus: library.Corpus) -> None:
    def found(whole: int) -> list[str]:
        return [
            item.passage.id
            for item in Hybrid([corpus], WordEmbedder(), WordEmbedder(), whole=whole).retrieve("Danube", k=99)
        ]

    assert len(found(200)) == corpus.store.count() > len(found(0))


class Fancies:
    """A ranker that prefers the passage with a word, whatever was asked."""

    name = "fancies"

    def __init__(self, word: str) -> None:
        self.word = word
        self.read = 0

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read += len(texts)
        return [10.0 if self.word in text else -10.0 for text in texts]


def test_what_answers_when_it_is_read_with_the_question_comes_first(corpus: library.Corpus) -> None:
    question = "Who was the King of France in 1830?"
    before = Hybrid([corpus], WordEmbedder()).retrieve(question, k=5)
    last = before[-1].passage
    after = Hybrid([corpus], WordEmbedder(), ranker=Fancies(last.text)).retrieve(question, k=5)
    assert [item.passage for item in after] == [last, *(item.passage for item in before[:-1])]
    assert [item.number for item in after] == [item.number for item in before]
    assert [item.relevance for item in after] == [10.0, *[-10.0] * (len(before) - 1)]


def test_only_the_best_passages_are_read_and_the_others_stay_behind_them(corpus: library.Corpus) -> None:
    question, ranker = "Who was the King of France in 1830?", Fancies("nothing")
    found = Hybrid([corpus], WordEmbedder(), ranker=ranker, read=2).retrieve(question, k=5)
    assert ranker.read == 2
    assert [item.relevance for item in found] == [-10.0, -10.0, *[None] * (len(found) - 2)]


def test_a_passage_that_is_best_once_it_is_read_is_found_where_one_is_wanted(corpus: library.Corpus) -> None:
    question = "Who was the King of France in 1830?"
    last = Hybrid([corpus], WordEmbedder()).retrieve(question, k=5)[-1].passage
    [found] = Hybrid([corpus], WordEmbedder(), ranker=Fancies(last.text)).retrieve(question, k=1)
    assert found.passage == last


def test_evidence_is_numbered_from_one(corpus: library.Corpus) -> None:
    evidence = Hybrid([corpus]).retrieve("Who was the King of France?", k=5)
    assert [item.number for item in evidence] == list(range(1, len(evidence) + 1))


def test_several_corpora_are_searched_together(corpus: library.Corpus, tmp_path: Path) -> None:
    rows = [{"id": "n", "title": "Nile", "text": "The Nile flows through eleven countries."}]
    other, _ = library.add([write_jsonl(tmp_path / "n.jsonl", rows)], name="nile")
    assert {"Nile", "Danube"} <= set(
        titles(Hybrid([corpus, other], WordEmbedder()), "Which countries does it flow through?")
    )


def test_one_title_cannot_take_all_places_where_there_are_others(tmp_path: Path) -> None:
    rows = [{"id": str(n), "title": "Same", "text": f"The river number {n} has {n * 7} boats on it."} for n in range(9)]
    rows.append({"id": "x", "title": "Other", "text": "A river with boats is here too."})
    corpus, _ = library.add([write_jsonl(tmp_path / "r.jsonl", rows)], name="rivers")
    found = titles(Hybrid([corpus], WordEmbedder(), per_title=3), "Which river has boats?", k=4)
    assert sorted(found) == ["Other", "Same", "Same", "Same"]
    # A text without headings is all of one title, and more of it is better than nothing.
    assert len(titles(Hybrid([corpus], WordEmbedder(), per_title=3), "Which river has boats?", k=8)) == 8


def test_with_vectors_a_passage_is_found_that_shares_no_word(
    corpus: library.Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_models, "default_embedder", WordEmbedder)
    library.rebuild("toys", vectors=True)
    assert len(titles(Hybrid([library.open_corpus("toys")], WordEmbedder()), "Zzyzx")) == 5


def test_vectors_of_another_embedder_are_not_compared_with(
    corpus: library.Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_models, "default_embedder", WordEmbedder)
    library.rebuild("toys", vectors=True)
    other = WordEmbedder(16)
    other.name = "another"
    assert titles(Hybrid([library.open_corpus("toys")], other), "Zzyzx") == []


def rivers(tmp_path: Path, count: int = 60) -> Path:
    rows = [
        {
            "id": str(n),
            "title": f"River {n}",
            "text": f"The river of valley{n} flows past town{n} and bends {'x ' * n}.",
        }
        for n in range(count)
    ]
    rows.append({"id": "best", "title": "Danube", "text": "The river Danube flows through ten countries."})
    return write_jsonl(tmp_path / "rivers.jsonl", rows)


def test_static_vectors_choose_what_the_embedder_sees(tmp_path: Path) -> None:
    corpus, _ = library.add([rivers(tmp_path)], name="rivers")
    embedder = WordEmbedder()
    found = Hybrid([corpus], embedder, WordEmbedder(), seen=8, followed=2).retrieve(
        "Which countries does the river flow through?", k=20
    )
    assert found[0].passage.id == "best"
    assert len({text for text in embedder.calls if "flows" in text}) <= 10
    assert len(found) == 20  # what was not seen comes behind
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def test_stored_vectors_are_all_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_models, "default_embedder", WordEmbedder)
    library.add([rivers(tmp_path)], name="rivers", vectors=True)
    embedder = WordEmbedder()
    Hybrid([library.open_corpus("rivers")], embedder, WordEmbedder(), seen=2, followed=1).retrieve("a river", k=20)
    assert len({text for text in embedder.calls if "flows" in text}) == 61


def test_the_order_of_adding_does_not_matter(tmp_path: Path) -> None:
    for name in "abcdef":
        (tmp_path / f"{name}.md").write_text(
            f"# Part {name}\n\nThe river bends at place{name} once.\n", encoding="utf-8"
        )
    for number, names in enumerate(("abcdef", "fedcba", "cfa ebd".replace(" ", ""))):
        for name in names:
            library.add([tmp_path / f"{name}.md"], name=f"order{number}")
    orders = [ids(library.open_corpus(f"order{number}")) for number in range(3)]
    assert orders[0] == orders[1] == orders[2]
    assert len(orders[0]) == 6


def ids(corpus: library.Corpus) -> list[str]:
    return [item.passage.id for item in Hybrid([corpus]).retrieve("Where does the river bend?", k=10)]


def test_nothing_in_common_gives_nothing(corpus: library.Corpus) -> None:
    assert Hybrid([corpus], WordEmbedder()).retrieve("Zzyzx qwerty", k=5) == []


class Listens:
    """A ranker that remembers what it was asked."""

    name = "listens"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked.append(question)
        return [0.0] * len(texts)


@pytest.mark.parametrize(
    ("count", "asked"), [(120, "How long is it in winter?"), (20, "How long is Riverbook in winter?")]
)
def test_the_ranker_of_a_large_corpus_is_not_told_the_name_that_all_passages_say(
    tmp_path: Path, count: int, asked: str
) -> None:
    rows = [{"id": str(n), "title": "Riverbook", "text": f"River {n} is {n} km long."} for n in range(count)]
    corpus = library.add([write_jsonl(tmp_path / "rivers.jsonl", rows)], name="rivers")[0]
    ranker = Listens()
    Hybrid([corpus], WordEmbedder(), ranker=ranker).retrieve("How long is Riverbook in winter?", k=3)
    assert ranker.asked == [asked]
