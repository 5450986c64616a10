"""Bounds made of references and training answers (Krishna et al. 2021, Table 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.bounds.gold import BestGold, LongestGold
from expound.bounds.train_answers import BestOfTopK, LongestOfTopK
from expound.errors import UserError
from expound.plugins import parse
from expound.testing import WordEmbedder, write_jsonl
from expound.types import Question

QUESTION = Question(
    "1", "Why is the sea blue?", references=("Light is blue", "It is a very long story and odd", "Blue is the light")
)


@pytest.fixture
def train(tmp_path: Path) -> str:
    rows: list[dict[str, object]] = [
        {"id": "1", "question": "Why is the sky blue?", "references": ["Air.", "It is the air and all of its dust."]},
        {"id": "2", "question": "Why is blood red?", "references": ["Because light is blue"]},
        {
            "id": "3",
            "question": "How?",
            "references": ["By a very long story that no neighbour of the question tells."],
        },
    ]
    return f"qa:{write_jsonl(tmp_path / 'train.jsonl', rows)}"


def test_the_longest_reference_has_the_most_words() -> None:
    assert LongestGold().answer_to(QUESTION, []).text == QUESTION.references[1]


def test_the_best_reference_is_nearest_to_another() -> None:
    assert BestGold().answer_to(QUESTION, []).text == QUESTION.references[0]


@pytest.mark.parametrize("made", [LongestGold(), BestGold()])
def test_one_reference_is_both_and_none_is_nothing(made: LongestGold | BestGold) -> None:
    assert made.answer_to(Question("2", "?", references=("Only.",)), []).text == "Only."
    assert made.answer_to(Question("3", "?"), []).text == ""


def test_the_longest_answer_of_the_nearest_questions(train: str) -> None:
    assert LongestOfTopK(train, k=1).answer(QUESTION.text, []).text == "It is the air and all of its dust."
    assert LongestOfTopK(train, k=2).answer("Quo vadis?", []).text == ""


def test_neighbours_are_not_of_the_evaluation_set(train: str) -> None:
    evaluation = f"qa:{Path(train.removeprefix('qa:')).parent / 'dev.jsonl'}"
    write_jsonl(Path(evaluation.removeprefix("qa:")), [{"id": "x", "question": "why is the sky blue"}])
    assert LongestOfTopK(train, without=evaluation, k=1).answer("sky blue is", []).text == "Because light is blue"
    assert BestOfTopK(train, without=evaluation, k=1).answer_to(QUESTION, []).text == "Because light is blue"


def test_the_best_answer_of_the_nearest_questions_by_the_references(train: str) -> None:
    assert BestOfTopK(train, k=2).answer_to(QUESTION, []).text == "Because light is blue"


@pytest.mark.parametrize("make", [LongestOfTopK, BestOfTopK])
def test_the_spec_says_how_neighbours_were_found(make: type[LongestOfTopK | BestOfTopK], train: str) -> None:
    assert parse(repr(make(train))).arguments == {"train": train, "without": "", "k": 7, "by": "tfidf"}
    assert parse(repr(make(train, embedder=WordEmbedder()))).arguments["by"] == "embedder"
    with pytest.raises(UserError, match="at least 1 neighbour"):
        make(train, k=0)
    with pytest.raises(UserError, match="LAYOUT:PATH"):
        make()
