"""The readings of the sampler's questions, looked at one by one: what is shown is right, and what is wrong is known.

`expected_readings.json` has 45 questions with several readings, each with its answers and the words of which one must
tell it apart, and 45 with one answer. `known_faults.json` lists, by question, what the product still does otherwise;
whoever changes it lists it anew: `python tests/ask/test_sampler_readings.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.system import System, open_system
from expound.text.normal import normalize_answer
from expound.types import Interpretation

FOLDER = Path(__file__).parent
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "expected_readings.json").read_text())
KNOWN_FILE = FOLDER / "known_faults.json"
# The embedder and the reader count in whole numbers, whose sums differ a little between processors.
MAY_DIFFER = 4


_ASKED: dict[str, tuple[Interpretation, ...]] = {}


@pytest.fixture
def readings(embedder_files: dict[str, Path]) -> dict[str, tuple[Interpretation, ...]]:
    """What is shown to every question; asked once, though each test has a home of its own."""
    _ASKED.update({} if _ASKED else ask_all(open_system(["sampler"], model="none")))
    return _ASKED


def ask_all(system: System) -> dict[str, tuple[Interpretation, ...]]:
    items = [*EXPECTED["several"], *EXPECTED["one"]]
    return {item["question"]: system.ask(item["question"]).interpretations for item in items}


def faults_of(item: dict[str, Any], shown: tuple[Interpretation, ...]) -> list[str]:
    """What is wrong with the readings that are shown, and which are missed."""
    faults, found = [], []
    for reading in shown:
        match = next((right for right in item["readings"] if says(reading, right["answers"])), None)
        if match is None or match in found:
            faults.append(f"wrong: {reading.answers[0]}")
            continue
        found.append(match)
        if not any(words.lower() in reading.question.lower() for words in match["apart"]):
            faults.append(f"told apart wrongly: {reading.question}")
    return faults + [f"missed: {right['answers'][0]}" for right in item["readings"] if right not in found]


def says(reading: Interpretation, answers: list[str]) -> bool:
    return normalize_answer(reading.answers[0]) in map(normalize_answer, answers)


def list_faults(readings: dict[str, tuple[Interpretation, ...]]) -> dict[str, list[str]]:
    found = {item["question"]: faults_of(item, readings[item["question"]]) for item in EXPECTED["several"]}
    for item in EXPECTED["one"]:
        shown = readings[item["question"]]
        found[item["question"]] = [f"invented: {reading.answers[0]}" for reading in shown if len(shown) > 1]
    return {question: faults for question, faults in found.items() if faults}


def test_there_are_as_many_questions_of_either_kind() -> None:
    assert [len(EXPECTED[kind]) for kind in ("several", "one")] == [45, 45]


def test_what_is_wrong_with_the_readings_is_known_to_the_letter(
    readings: dict[str, tuple[Interpretation, ...]],
) -> None:
    known, found = json.loads(KNOWN_FILE.read_text()), list_faults(readings)
    differ = [question for question in {*known, *found} if known.get(question) != found.get(question)]
    assert len(differ) <= MAY_DIFFER, differ


def test_most_readings_that_are_shown_are_right(readings: dict[str, tuple[Interpretation, ...]]) -> None:
    shown = [
        (reading, item)
        for item in EXPECTED["several"]
        for reading in readings[item["question"]]
        if len(readings[item["question"]]) > 1
    ]
    right = [any(says(reading, one["answers"]) for one in item["readings"]) for reading, item in shown]
    assert sum(right) >= 0.7 * len(right) > 0


def test_few_questions_with_one_answer_get_another(readings: dict[str, tuple[Interpretation, ...]]) -> None:
    several = [item["question"] for item in EXPECTED["one"] if len(readings[item["question"]]) > 1]
    assert len(several) <= 0.1 * len(EXPECTED["one"]), several


def test_each_reading_is_asked_in_its_own_way(readings: dict[str, tuple[Interpretation, ...]]) -> None:
    for question, shown in readings.items():
        asked = [reading.question for reading in shown if len(shown) > 1]
        assert len(set(asked)) == len(asked)
        assert question not in asked


def test_what_was_weighed_is_told_on_request(embedder_files: dict[str, Path]) -> None:
    system = open_system(["sampler"])
    told = system.ask("What is the capital of Georgia?", explain=True).meta["explain"]
    assert told["“Atlanta”"].endswith("a reading")
    assert told["“Tbilisi”"].endswith("a reading")
    assert "left out: below" in told["“Savannah”"]
    assert "explain" not in system.ask("What is the capital of Georgia?").meta


if __name__ == "__main__":
    KNOWN_FILE.write_text(
        json.dumps(list_faults(ask_all(open_system(["sampler"], model="none"))), indent=1, ensure_ascii=False) + "\n"
    )
