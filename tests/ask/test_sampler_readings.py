"""The readings of the sampler's questions, looked at one by one: what is shown is right, and few are made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.system import System, open_system
from expound.text.normal import normalize_answer
from expound.types import Interpretation

FILES = sorted((Path(__file__).parent / "questions").glob("*.json"))
ASKED: list[dict[str, Any]] = [item for file in FILES for item in json.loads(file.read_text())["answerable"]]
SEVERAL = [item for item in ASKED if item["readings"] > 1]
ONE = [item for item in ASKED if item["readings"] == 1]


@pytest.fixture
def system(embedder_files: dict[str, Path]) -> System:
    return open_system(["sampler"])


def readings(system: System, question: str) -> tuple[Interpretation, ...]:
    return system.ask(question).interpretations


def is_right(reading: Interpretation, answers: list[str]) -> bool:
    """Whether one of the answers is in the reading's, or it is a piece of one: "eight" of "eight planets"."""
    said = [f" {normalize_answer(answer)} " for answer in reading.answers]
    return any(one in other or other in one for one in said for other in (f" {normalize_answer(a)} " for a in answers))


def test_most_readings_that_are_shown_are_right(system: System) -> None:
    shown = [(reading, item["answers"]) for item in SEVERAL for reading in readings(system, item["question"])]
    assert shown
    assert sum(is_right(*one) for one in shown) >= 0.7 * len(shown)


def test_half_of_the_ambiguous_questions_are_shown_to_be(system: System) -> None:
    assert sum(len(readings(system, item["question"])) > 1 for item in SEVERAL) >= 0.5 * len(SEVERAL)


def test_few_questions_with_one_answer_get_another(system: System) -> None:
    assert sum(len(readings(system, item["question"])) > 1 for item in ONE) <= 0.05 * len(ONE)


def test_each_reading_is_asked_in_its_own_way(system: System) -> None:
    for item in SEVERAL:
        asked = [reading.question for reading in readings(system, item["question"])]
        assert len(set(asked)) == len(asked)
        assert item["question"] not in asked


def test_what_was_weighed_is_told_on_request(system: System) -> None:
    told = system.ask("What is the capital of Georgia?", explain=True).meta["explain"]
    assert told["“Atlanta”"].endswith("a reading")
    assert told["“Tbilisi”"].endswith("a reading")
    assert "left out: below" in told["“Savannah”"]
    assert "explain" not in system.ask("What is the capital of Georgia?").meta
