"""`expound.score.score`: all that the command does, from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.errors import UserError
from expound.score import Options, SideFiles, choose_profile, compare, score
from expound.types import Interpretation, Question

QUESTIONS = [
    Question(
        f"q{number}",
        "Who won?",
        references=(f"Ann{number} won in 1990, Bo{number} in 1991.", f"It was Ann{number} and Bo{number}."),
        interpretations=(
            Interpretation("Who won in 1990?", (f"Ann{number}",)),
            Interpretation("Who won in 1991?", (f"Bo{number}",)),
        ),
    )
    for number in range(4)
]
ANSWERS: dict[str, object] = {question.id: question.references[0] for question in QUESTIONS}
RULES = Options(splitter="rules")


@pytest.fixture
def short(tmp_path: Path) -> SideFiles:
    file = tmp_path / "short.json"
    file.write_text(
        json.dumps({f"{q.id}_{place}": q.interpretations[place].answers[0] for q in QUESTIONS for place in (0, 1)})
    )
    return SideFiles(short_answers=file)


def test_scores_are_a_sequence_that_also_says_what_was_left_out() -> None:
    scores = score(ANSWERS, QUESTIONS, choose_profile("asqa", options=RULES))
    assert [result.metric for result in scores] == [result.metric for result in scores.results]
    assert (len(scores), scores[0].n, scores.missing) == (len(scores.results), 4, 0)
    assert "qa_f1" in scores.left_out


def test_side_files_go_with_the_answers(short: SideFiles) -> None:
    scores = score(ANSWERS, QUESTIONS, choose_profile("asqa", options=RULES), side_files=short)
    assert {result.metric: result.value for result in scores}["qa_f1"] == 100
    profile = choose_profile("asqa", metrics=["qa_f1"], options=RULES)
    [found] = compare({"a": ANSWERS, "b": dict(ANSWERS)}, QUESTIONS, profile, side_files=[short, short], samples=20)
    assert (found.a_value, found.difference) == (100, 0)


def test_people_are_scored_without_predictions() -> None:
    profile = choose_profile("asqa", metrics=["str_em"], options=RULES)
    [result] = score(None, QUESTIONS, profile, protocol="human")
    assert result.n == 4
    with pytest.raises(UserError, match="leave the predictions out"):
        score(ANSWERS, QUESTIONS, profile, protocol="human")
    with pytest.raises(UserError, match="which predictions"):
        score(None, QUESTIONS, profile)


def test_metrics_are_chosen_by_name_within_a_profile_or_by_spec_alone() -> None:
    assert choose_profile("asqa", metrics=["str_em"], options=RULES).name == "asqa"
    assert choose_profile("", "qa:any.jsonl", ["Length()"]).name == ""
    with pytest.raises(UserError, match="no metric named 'str_me' in this profile"):
        choose_profile("asqa", metrics=["str_me"])
