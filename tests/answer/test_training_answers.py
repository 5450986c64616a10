"""Answers of training questions: the nearest one's, and a random one's."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.answer.nearest_answer import NearestAnswer
from expound.answer.random_answer import RandomAnswer
from expound.answer.training import training_examples
from expound.errors import BadInput, UserError
from expound.plugins import parse
from expound.testing import WordEmbedder, write_jsonl

ROWS: list[dict[str, object]] = [
    {"id": "1", "question": "Why is the sky blue?", "references": ["Light scatters.", "It is the air."]},
    {"id": "2", "question": "How do planes fly?", "references": ["Wings lift them."]},
    {"id": "3", "question": "Who knows?", "references": []},
]


@pytest.fixture
def train(tmp_path: Path) -> str:
    return f"qa:{write_jsonl(tmp_path / 'train.jsonl', ROWS)}"


def test_the_nearest_question_gives_its_first_answer(train: str) -> None:
    answer = NearestAnswer(train).answer("Why is the sea blue?", [])
    assert answer.text == "Light scatters."
    assert [sentence.citations for sentence in answer.sentences] == [()]


def test_an_embedder_is_used_when_there_is_one_and_the_spec_says_so(train: str) -> None:
    embedder = WordEmbedder()
    made = NearestAnswer(train, embedder=embedder)
    assert made.answer("planes", []).text == "Wings lift them."
    assert embedder.calls
    assert parse(repr(made)).arguments == {"train": train, "without": "", "by": "embedder"}
    assert parse(repr(NearestAnswer(train))).arguments["by"] == "tfidf"


def test_nothing_near_gives_no_answer(train: str) -> None:
    assert NearestAnswer(train).answer("Quo vadis?", []).text == ""


def test_a_random_answer_depends_on_seed_and_question_alone(train: str) -> None:
    answers = {RandomAnswer(train, seed=seed).answer("Why?", []).text for seed in range(30)}
    assert answers == {"Light scatters.", "It is the air.", "Wings lift them."}
    assert RandomAnswer(train).answer("Why?", []) == RandomAnswer(train).answer("Why?", [])


def test_questions_without_an_answer_are_no_training_examples(train: str) -> None:
    assert [example.question for example in training_examples(train)] == ["Why is the sky blue?", "How do planes fly?"]


def test_questions_of_the_evaluation_set_are_left_out(train: str, tmp_path: Path) -> None:
    evaluation = f"qa:{write_jsonl(tmp_path / 'dev.jsonl', [{'id': 'x', 'question': 'why is the SKY blue'}])}"
    assert NearestAnswer(train, without=evaluation).answer("Why is the sky blue?", []).text == ""
    drawn = {RandomAnswer(train, without=evaluation, seed=seed).answer("Why?", []).text for seed in range(9)}
    assert drawn == {"Wings lift them."}
    with pytest.raises(BadInput, match="that is not in"):
        RandomAnswer(train, without=train).answer("Why?", [])


def test_a_file_without_answers_is_refused(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "none.jsonl", ROWS[2:])
    with pytest.raises(BadInput, match="no question with an answer"):
        RandomAnswer(f"qa:{file}").answer("Why?", [])


def test_training_data_must_be_named(train: str) -> None:
    for make in (NearestAnswer, RandomAnswer):
        with pytest.raises(UserError, match="LAYOUT:PATH"):
            make()
    with pytest.raises(UserError, match="need one"):
        NearestAnswer(train, by="embedder")
    with pytest.raises(UserError, match="there are: auto, embedder, tfidf"):
        NearestAnswer(train, by="magic")
