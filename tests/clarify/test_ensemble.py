"""Several clarifiers vote: what only one of them found is not a reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from expound import plugins
from expound.clarify.ensemble import Ensemble, votes_for
from expound.types import Evidence, Interpretation

QUESTION = "When did the tower open?"
ROME = Interpretation("When did the tower open in Rome?", ("1960",), (1,))
OSLO = Interpretation("When did the tower open in Oslo?", ("1972",), (2,))
BONN = Interpretation("When did the tower open in Bonn?", ("1988",), (3,))
AS_ASKED = Interpretation(QUESTION, ("1960",), (1,))


class Fixed:
    """A clarifier that always finds the same."""

    def __init__(self, found: Sequence[Interpretation]) -> None:
        self.found = list(found)

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        return self.found


@pytest.fixture
def vote(monkeypatch: pytest.MonkeyPatch) -> Any:
    def vote(*ballots: Sequence[Interpretation], votes: int = 2) -> list[Interpretation]:
        monkeypatch.setattr(plugins, "build", lambda kind, spec, **parts: Fixed(ballots[int(spec)]))
        return Ensemble(tuple(str(place) for place in range(len(ballots))), votes).clarify(QUESTION, [])

    return vote


def test_what_two_of_three_found_stands(vote: Any) -> None:
    assert vote([ROME, OSLO], [OSLO, BONN], [ROME]) == [ROME, OSLO]


def test_the_first_wording_stands(vote: Any) -> None:
    other = Interpretation("When did the tower of Rome open?", ("1960",), (4,))
    assert vote([ROME, OSLO], [other, OSLO]) == [ROME, OSLO]


def test_a_clarifier_that_left_the_question_as_it_was_does_not_word_the_reading(vote: Any) -> None:
    assert vote([AS_ASKED], [ROME, OSLO], [ROME, OSLO]) == [ROME, OSLO]


def test_a_single_winner_is_the_question_as_it_was_asked(vote: Any) -> None:
    assert vote([ROME, OSLO], [ROME, BONN]) == [AS_ASKED]


def test_an_answer_wins_although_another_one_was_given_to_the_same_question_before(vote: Any) -> None:
    other = Interpretation(QUESTION, ("1805",), (5,))
    assert vote([other], [AS_ASKED], [AS_ASKED]) == [AS_ASKED]


def test_two_answers_to_one_question_are_no_two_readings(vote: Any) -> None:
    crossed = Interpretation(ROME.question, ("1972",), (2,))
    assert vote([ROME], [crossed], [ROME, crossed]) == [AS_ASKED]


def test_forms_of_one_answer_are_votes_for_the_same(vote: Any) -> None:
    longer = Interpretation(ROME.question, ("May 1960",), (1,))
    assert votes_for(longer, [[ROME], [longer], [OSLO]]) == 2


def test_without_enough_votes_there_is_no_reading(vote: Any) -> None:
    assert vote([ROME], [OSLO], []) == []
    assert vote([ROME, OSLO], [ROME, OSLO], votes=3) == []


def test_the_spec_of_an_ensemble_names_its_clarifiers() -> None:
    assert repr(Ensemble(("EvidenceOnly()",), 1)) == "Ensemble(of=('EvidenceOnly()',), votes=1)"
