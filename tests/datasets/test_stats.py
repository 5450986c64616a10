"""The papers' statistics, on small made-up data and, where the real files are there, on those."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.datasets.ambignq import AmbigNq
from expound.datasets.asqa import Asqa
from expound.datasets.nq_open import NqOpen
from expound.datasets.stats import (
    Statistic,
    answer_lengths,
    answers_per_question,
    first_word,
    first_words,
    lengths,
)
from expound.datasets.stats_preferences import choices, wins
from expound.datasets.stats_readings import (
    edits,
    pages_viewed,
    queries_used,
    readings,
    without_nq_answer,
    word_edits,
)
from expound.errors import BadInput
from expound.recipes.dataset_plot import share_groups
from expound.recipes.dataset_stats import answer_tokens_in_evidence, question_statistics, reference_agreement
from expound.types import Interpretation, Passage, Preference, Question
from golden import SHARED

DATA = SHARED / "data"
ONE = (Interpretation("Who won?", ("Ann",)),)
TWO = (Interpretation("Who won in 1990?", ("Ann",)), Interpretation("Who won in 1991?", ("Bo", "B.")))


def values(statistics: Sequence[Statistic], group: str) -> dict[str, float]:
    return {item.name: round(item.value, 2) for item in statistics if item.group == group}


def real(path: Path) -> Path:
    if not path.exists():
        pytest.skip("needs ../shared/data")
    return path


def test_lengths_are_in_words_and_leave_out_what_is_not_there() -> None:
    question = Question("1", "Who won?", references=("Ann won it.", "Ann."), interpretations=TWO)
    assert values(lengths([question]), "length") == {"question": 2, "answer": 2, "short answer": 1}
    assert values(lengths([Question("1", "Who won?")]), "length") == {"question": 2}
    assert values(answers_per_question([question]), "answers") == {"per question": 2}
    assert not answers_per_question([Question("1", "Who won?")])


def test_aliases_that_are_the_references_are_not_counted_twice() -> None:
    question = Question("1", "who won", references=("Ann", "A."), interpretations=(Interpretation("", ("Ann", "A.")),))
    assert "short answer" not in values(lengths([question]), "length")
    assert not reference_agreement([question])


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("Why is it so?", "why"),
        ("ELI5: How does it work", "how"),
        ("[ELI5] what's this", "what"),
        ("eli5 - Where?", "where"),
        ("…", ""),
        ("", ""),
    ],
)
def test_the_first_word_is_the_questions_own(asked: str, word: str) -> None:
    assert first_word(asked) == word


@given(st.lists(st.text(), min_size=1))
def test_first_words_sum_to_one_hundred(asked: list[str]) -> None:
    questions = [Question(str(number), text) for number, text in enumerate(asked)]
    assert sum(item.value for item in first_words(questions)) == pytest.approx(100)


@given(st.lists(st.integers(min_value=0, max_value=900), min_size=1))
def test_every_answer_stands_in_one_bar(counts: list[int]) -> None:
    questions = [Question("1", "?", references=tuple("word " * count for count in counts))]
    assert sum(item.value for item in answer_lengths(questions)) == pytest.approx(100)


def test_the_annotation_with_the_fewest_readings_counts() -> None:
    questions = [
        Question("1", "Who won?", interpretations=TWO, annotations=(ONE, TWO)),
        Question("2", "Who won?", interpretations=TWO, annotations=(TWO,)),
        Question("3", "Who won?", interpretations=TWO * 3),
    ]
    shares = values(readings(questions), "readings")
    assert shares == {"1": 33.33, "2": 33.33, "3": 0, "4+": 33.33, "per question": 3}
    assert not readings([Question("1", "Who won?")])


def test_edits_drop_stop_words_keep_wh_words_and_group_numbers() -> None:
    assert word_edits("Who won the cup?", "Which of the teams won a cup in 1990?") == [
        "+which", "+teams", "+4-digit number", "-who",
    ]  # fmt: skip
    assert word_edits("Who won?", "Who won?") == []


def test_edits_are_shared_out_by_kind() -> None:
    questions = [Question("1", "Who won?", annotations=(ONE, TWO))]
    assert values(edits(questions), "edits") == {"number added": 100}
    assert values(edits(questions), "most frequent edits") == {"+4-digit number": 100}
    assert not edits([Question("1", "Who won?", annotations=(ONE,))])


def test_pages_and_queries_are_counted_once_each() -> None:
    meta = {"viewed_doc_titles": ["A", "B", "A"], "used_queries": [{"query": "a"}], "nq_answer": ["bo", "Cy"]}
    known = Question("1", "Who won?", annotations=(TWO,), meta=meta)
    light = Question("2", "Who won?", annotations=(ONE,))
    assert values(pages_viewed([known, light]), "pages viewed")["2"] == 100
    assert values(queries_used([known, light]), "queries")["per question"] == 1
    assert values(without_nq_answer([known, light]), "NQ-open answer") == {"not among the answers": 0}
    assert not pages_viewed([light])
    assert not without_nq_answer([light])


def test_answer_tokens_are_looked_up_in_the_annotators_own_document() -> None:
    meta = {"contexts": ["Ann won.", ""], "knowledge": [[{"content": "rained", "wikipage": "It"}], [{"content": None}]]}
    question = Question("1", "Who won?", ("It rained in 1990.", "Ann won."), TWO, meta=meta)
    statistics = answer_tokens_in_evidence([question])
    assert values(statistics, "answer tokens") == {"in readings and evidence": 100, "in the evidence alone": 75}
    assert values(statistics, "support document") == {"readings and evidence": 14, "the evidence alone": 3}


def test_without_annotators_the_evidence_is_the_document() -> None:
    question = Question("1", "Who?", references=("Ann won.",), evidence=(Passage("1", "ann lost"),))
    assert values(answer_tokens_in_evidence([question]), "answer tokens") == {"in the evidence": 50}
    assert not answer_tokens_in_evidence([Question("1", "Who?", references=("Ann won.",))])


def test_choices_and_wins_count_ties() -> None:
    asked = Question("1", "Why?")
    preferences = [
        Preference(str(number), asked, "x", "y", choice, a_system="one", b_system="two")
        for number, choice in enumerate(("a", "a", "tie", "b"))
    ]
    assert values(choices(preferences), "overall choice") == {"a": 50, "b": 25, "tie": 25}
    assert values(wins(preferences), "wins") == {"one": 62.5, "two": 37.5}


def test_only_distributions_are_drawn() -> None:
    statistics = question_statistics([Question("1", "Who won?", references=("Ann.",), annotations=(TWO,))])
    assert set(share_groups(statistics)) == {"words in an answer", "first word", "readings"}


def test_ambignq_has_the_shares_of_table_2() -> None:
    questions = list(AmbigNq(real(DATA / "ambignq" / "ambignq_train_light_10036.json.gz")))
    assert len(questions) == 10_036
    shares = values(readings(questions), "readings")
    assert [round(shares[name]) for name in ("1", "2", "3", "4+")] == [53, 24, 14, 10]


def test_nq_open_has_the_numbers_of_asqa_table_2() -> None:
    questions = list(NqOpen(real(DATA / "nq_open" / "nq_open_dev_3610.jsonl.gz")))
    assert round(values(answers_per_question(questions), "answers")["per question"], 1) == 1.8
    assert round(values(lengths(questions), "length")["answer"], 1) == 2.2


def test_asqa_is_near_its_paper() -> None:
    questions = list(Asqa(real(DATA / "asqa" / "asqa_dev_748.json.gz")))
    statistics = question_statistics(questions)
    assert values(statistics, "answers")["per question"] == 2
    # 748 of the 948 questions: 64.8 words, 49.6 ROUGE-L, 92 % and 78 % in the paper.
    assert values(statistics, "length")["answer"] == pytest.approx(64.8, abs=0.5)
    assert values(statistics, "references agree")["ROUGE-Lsum"] == pytest.approx(49.6, abs=0.5)
    assert values(statistics, "answer tokens")["in readings and evidence"] == pytest.approx(92, abs=0.5)
    assert values(statistics, "answer tokens")["in the evidence alone"] == pytest.approx(78, abs=0.5)


@pytest.mark.parametrize(
    "change", [{"nq_answer": "Bo"}, {"viewed_doc_titles": [1]}, {"used_queries": ["x"]}, {"used_queries": [{}]}]
)
def test_the_full_version_of_ambignq_is_checked(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "full.json"
    row = {"id": "1", "question": "Who?", "annotations": [{"type": "singleAnswer", "answer": ["Ann"]}], **change}
    path.write_text(json.dumps([row]), encoding="utf-8")
    with pytest.raises(BadInput, match="record 1: not in the layout ambignq"):
        list(AmbigNq(path))
