"""The leak guard: no evaluation question comes through, whatever its case, punctuation or word order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expound.train.data.dataset_files import Factoid, evaluation_questions
from expound.train.data.distant_labels import Labelling
from expound.train.data.leak_guard import BLOCKED_SOURCES, LeakGuard, drop_leaks
from expound.train.data.passage_index import PassageIndex
from expound.train.data.ranker_data import RankerData, RankerRules, build_ranker_data
from train.toytown import PASSAGES, ambignq, squad_article, write_data

DEV = "Who built the tower of Zorblax?"
VARIANTS = [
    DEV,
    "who built the tower of zorblax",
    "WHO BUILT THE TOWER, OF ZORBLAX",
    "the tower of Zorblax: who built?",
    "zorblax of tower the built who",
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_guard_blocks_a_dev_question_in_any_form(variant: str) -> None:
    assert LeakGuard([DEV]).blocks(variant)


def test_another_question_passes() -> None:
    assert not LeakGuard([DEV]).blocks("who built the market of zorblax")
    assert not LeakGuard([DEV]).blocks("who built the tower of the tower of zorblax")
    assert not LeakGuard().blocks(DEV)


def test_a_question_added_later_is_blocked_from_then_on() -> None:
    guard = LeakGuard()
    guard.add(DEV)
    assert guard.blocks(DEV)


def test_each_question_comes_once_and_the_first_stays() -> None:
    factoids = [Factoid("who swam", (), "asqa"), Factoid("swam who", (), "nq_open"), Factoid("who sank", (), "nq_open")]
    assert list(drop_leaks(factoids, LeakGuard())) == [factoids[0], factoids[2]]


def test_every_evaluation_file_is_guarded(tmp_path: Path) -> None:
    assert list(evaluation_questions(write_data(tmp_path))) == [
        "Where does the Quend flow?",
        "Where does the Quend flow to in summer?",
        "Who uses the Quend?",
        "Who fishes in the Quend?",
        "What do the people of Zorblax speak?",
    ]


def test_passages_of_the_evaluation_sets_are_not_candidates(index: PassageIndex) -> None:
    assert any(passage["source"] in BLOCKED_SOURCES for passage in PASSAGES)
    assert "secret" not in [passage.id for passage in index.passages]


def dev_file(kind: str) -> dict[str, Any]:
    """Contents that put the dev question into one place of one evaluation file."""
    note = {"type": "multipleQAs", "qaPairs": [{"question": DEV}]}
    contents: dict[str, dict[str, Any]] = {
        "asqa": {"asqa_dev": {"dev": {"1": {"ambiguous_question": DEV, "qa_pairs": []}}}},
        "asqa pair": {"asqa_dev": {"dev": {"1": {"ambiguous_question": "x", "qa_pairs": [{"question": DEV}]}}}},
        "ambignq": {"ambignq_dev": [{"question": DEV, "annotations": []}]},
        "ambignq pair": {"ambignq_dev": [{"question": "x", "annotations": [note]}]},
        "clapnq": {"clapnq": [{"input": DEV}]},
    }
    return contents[kind]


def training_file(variant: str) -> dict[str, Any]:
    """Contents that put a form of the dev question into every training file, and little else."""
    gold = {"question": variant, "answers": ["Mira Okonedo"], "gold_title": "Zorblax", "gold_text": PASSAGES[0]["text"]}
    pair = {"question": "x", "short_answers": ["Mira Okonedo"]}
    return {
        "asqa_train": [{"ambiguous_question": variant, "qa_pairs": [pair], "annotations": []}],
        "ambignq_train": [ambignq(variant, "Mira Okonedo")],
        "nq_open_train": [{"question": variant, "answer": ["Mira Okonedo"]}],
        "nq_gold": [gold],
        "squad": {"data": [squad_article("Zorblax", variant, "Mira Okonedo")]},
    }


def build(folder: Path, **changed: Any) -> RankerData:
    """Training data of the changed files, with no SQuAD article held out."""
    return build_ranker_data(write_data(folder, **changed), Labelling(), RankerRules(1, dev_articles=0), seed=1)


@pytest.mark.parametrize("kind", ["asqa", "asqa pair", "ambignq", "ambignq pair", "clapnq"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_dev_question_never_comes_through(tmp_path: Path, kind: str, variant: str) -> None:
    assert build(tmp_path, **training_file(variant), **dev_file(kind)) == RankerData([], [])


@pytest.mark.parametrize("variant", VARIANTS)
def test_without_the_dev_question_the_same_files_do_give_data(tmp_path: Path, variant: str) -> None:
    assert build(tmp_path, **training_file(variant)).groups


def test_a_held_out_question_is_not_trained_on(tmp_path: Path) -> None:
    data = build(tmp_path, **{**training_file(DEV), "asqa_train": []})
    assert [group.origin for group in data.dev] == ["ambignq"]
    assert data.groups == []


def test_a_question_to_keep_out_is_not_trained_on(tmp_path: Path) -> None:
    files = write_data(tmp_path, **training_file(DEV))
    assert build_ranker_data(files, Labelling(), RankerRules(0, dev_articles=0), seed=1).groups
    assert not build_ranker_data(files, Labelling(), RankerRules(0, dev_articles=0), seed=1, keep_out=[DEV]).groups
