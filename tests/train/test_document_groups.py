"""Groups of questions to documents: near passages are wrong, parts of the answer are neither."""

from __future__ import annotations

import random

import pytest
from tinybert import GROUPS

from expound.train.document_figures import first_right, order_figures, recall_difference
from expound.train.document_groups import Mix, WordIndex, iter_document_groups, pool_of
from expound.train.document_pages import PagePassage
from expound.train.document_run import TWICE, capped, mixed
from expound.train.document_sets import Case
from expound.train.groups import Group
from expound.train.leaks import LeakGuard
from expound.train.wiki_passages import iter_squad_passage_groups

OVEN = [
    PagePassage("oven.md", "Oven", ("Heat", f"Part {number}"), text, number)
    for number, text in enumerate(
        [
            "Light the oven with long matches.",
            "The oven door is heavy.",
            "Ashes of the oven are grey.",
            "Bread is sold on Mondays.",
            "Bakers rise early.",
            "Lighting takes ten minutes.",
        ]
    )
]
CASE = Case("How do I light the oven?", "how-to", "docfaq", "oven", (0,), (5,), "train")
COLLECTIONS = {"oven": OVEN, "mill": [PagePassage("mill.md", "Mill", (), f"The mill wheel {n}.", 0) for n in range(30)]}


def groups_of(case: Case, mix: Mix) -> list[Group]:
    nearest = [1, 2, 3]
    return list(iter_document_groups([case], COLLECTIONS, mix, nearest=lambda _: nearest, rng=random.Random(1)))


def test_words_find_the_passage() -> None:
    index = WordIndex(passage.read() for passage in OVEN)
    assert index.best("lighting with matches", 1) == [0]
    assert index.best("zebra", 3) == []


def test_a_part_of_the_answer_is_neither_right_nor_wrong() -> None:
    group = groups_of(CASE, Mix(foreign_share=0))[0]
    assert group.positives == ("Oven > Heat > Part 0. Light the oven with long matches.",)
    assert not any("ten minutes" in text for text in group.negatives)
    assert any("door" in text for text in group.negatives)


def test_a_heading_that_asks_stands_in_no_passage_of_its_group() -> None:
    case = Case("lighting", "heading", "manual_heading", "oven", (0,), (), "train")
    group = groups_of(case, Mix(foreign_share=0, keep_heading_share=0))[0]
    assert not any("Part" in text for text in (*group.positives, *group.negatives))


def test_the_first_right_passage_has_its_rank() -> None:
    index = WordIndex(passage.read() for passage in OVEN)
    pool = pool_of(CASE, OVEN, index, [0, 1, 3])
    assert first_right(pool, [0.1, 0.9, 0.2]) == 3
    assert order_figures([pool], [[0.9, 0.1, 0.2]])["r1"] == 1
    assert order_figures([pool], [[0.9, 0.1, 0.2]])["auc"] == 1
    assert recall_difference([pool], [[1, 0, 0]], [[0, 1, 0]], k=1, seed=1).mean == 1
    assert recall_difference([pool], [[1, 0, 0]], [[0, 1, 0]], k=3, seed=1).mean == 0


def test_limits_hold_and_questions_with_how_come_first() -> None:
    groups = [Group(f"{'how ' * (n % 2)}{n}", ("a",), ("b", "c"), "manual_heading") for n in range(10)]
    chosen = capped(groups, {"manual_heading": 5}, rng=random.Random(1))
    assert len(chosen) == 5
    assert all(group.question.startswith("how ") for group in chosen)


def test_faq_pages_count_twice_and_other_wikipedia_groups_not_at_all() -> None:
    faq = Group("why", ("a",), ("b", "c"), TWICE)
    assert mixed([faq], GROUPS, [], rng=random.Random(1)) == [faq, faq]


@pytest.mark.parametrize(("answers", "origin"), [(["olan"], "squad_passage"), ([], "squad_passage_unanswerable")])
def test_paragraphs_of_an_article_stand_against_each_other(answers: list[str], origin: str) -> None:
    right = {"context": "Olan built it.", "qas": [{"question": "Who?", "answers": [{"text": a} for a in answers]}]}
    article = {"title": "The_mill", "paragraphs": [right, *({"context": f"Wheel {n}.", "qas": []} for n in range(5))]}
    (group,) = iter_squad_passage_groups([article], LeakGuard())
    assert group.origin == origin
    assert group.positives == (("The mill. Olan built it.",) if answers else ())
