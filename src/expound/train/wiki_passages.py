"""Wikipedia questions with whole passages as candidates: so that a ranker of manuals does not forget Wikipedia."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from expound.train.candidates import PassageIndex
from expound.train.groups import Group
from expound.train.leaks import LeakGuard
from expound.train.sources import iter_jsonl
from expound.train.texts import clean_question, contains_answer, normalise, pair_text

_MOST_WORDS = 130
_FEWEST_NEGATIVES = 4
_FOUND = 20


def iter_gold_passage_groups(path: Path, index: PassageIndex, guard: LeakGuard) -> Iterator[Group]:
    """NQ gold paragraphs against passages that BM25 finds and that do not hold the answer."""
    for record in iter_jsonl(path):
        question = clean_question(record["question"])
        answers = [normalise(answer) for answer in record["answers"]]
        gold = opening(record["gold_text"])
        if guard.blocks(question) or not contains_answer(normalise(gold), answers):
            continue
        found = (p for p in index.search(question, _FOUND) if not holds(f"{p.title} {p.text}", answers))
        wrong = [pair_text(passage.title, opening(passage.text)) for passage in found]
        if len(wrong) >= _FEWEST_NEGATIVES:
            yield Group(question, (pair_text(record["gold_title"], gold),), tuple(wrong[:10]), "nq_passage")


def iter_squad_passage_groups(articles: Iterable[dict[str, Any]], guard: LeakGuard) -> Iterator[Group]:
    """SQuAD 2.0: the paragraph against others of its article; an unanswerable question against its own paragraph."""
    for article in articles:
        title = article["title"].replace("_", " ")
        paragraphs = [opening(paragraph["context"]) for paragraph in article["paragraphs"]]
        for text, paragraph in zip(paragraphs, article["paragraphs"], strict=True):
            for qa in (qa for qa in paragraph["qas"] if not guard.blocks(qa["question"])):
                group = squad_passage_group(qa, title, text, paragraphs)
                if group:
                    yield group


def squad_passage_group(qa: dict[str, Any], title: str, text: str, paragraphs: list[str]) -> Group | None:
    """One SQuAD question over the paragraphs of its article, those that share most words with it as wrong ones."""
    question = clean_question(qa["question"])
    if not qa["answers"]:
        return Group(question, (), (pair_text(title, text),), "squad_passage_unanswerable")
    answers = [normalise(answer["text"]) for answer in qa["answers"]]
    words = set(question.split())
    wrong = sorted((p for p in paragraphs if not holds(p, answers)), key=lambda p: -len(words & set(p.lower().split())))
    if not holds(text, answers) or len(wrong) < _FEWEST_NEGATIVES:
        return None
    return Group(question, (pair_text(title, text),), tuple(pair_text(title, p) for p in wrong[:8]), "squad_passage")


def opening(text: str) -> str:
    """The first words of a paragraph, as many as a passage has."""
    return " ".join(text.split()[:_MOST_WORDS])


def holds(text: str, answers: list[str]) -> bool:
    """Whether a text holds a normalised answer."""
    return contains_answer(normalise(text), answers)
