"""Judges with known faults: the audit finds each of them, and says so in the row of every number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expound.judge.court import JudgeReport, hold_court
from expound.judge.judge_checks import CANNOT_TELL, FAIL, FEWEST, NOT_RUN, PASS, JudgeCheck
from expound.judge.judge_page import judge_page
from expound.judge.judge_request import JudgeRequest
from expound.judge.judge_screen import audit_table, rows_table
from expound.judge.probes import PADDED, forecast_probes
from expound.judge.rulings import trials_of
from expound.stats.binomial import sign_test
from expound.stats.logistic import odds_ratio
from judge.judge_world import court, longer, obedient, right, scripted, write_people, write_world


def check(found: JudgeReport, name: str) -> JudgeCheck:
    [one] = [one for one in found.checks if one.name == name]
    return one


def test_a_judge_that_takes_the_first_flips_and_has_no_preference(tmp_path: Path) -> None:
    found = court(tmp_path, lambda first, second: "1")
    [row] = found.rows
    assert (row.share.value, row.ties, row.flips) == (0.5, 12, 12)
    assert check(found, "order flips").outcome == check(found, "first one chosen").outcome == FAIL
    assert check(found, "first one chosen").figure.value == 1.0


def test_the_order_of_a_judge_that_is_asked_once_is_probed(tmp_path: Path) -> None:
    found = court(tmp_path, lambda first, second: "1", "TwoShot(examples=0, samples=1)")
    assert check(found, "order flips").figure.value == 1.0
    assert check(court(tmp_path, longer, "TwoShot(examples=0, samples=1)"), "order flips").outcome == CANNOT_TELL


def test_a_judge_that_counts_words_is_found_out(tmp_path: Path) -> None:
    found = court(tmp_path, longer, people=write_people(tmp_path))
    assert check(found, "answer said twice chosen").outcome == FAIL
    assert check(found, "right where people prefer the shorter").figure.value == 0.0
    assert check(found, "agrees with people").figure.value == 0.5
    assert check(found, "odds of an answer twice as long").figure.low > 1
    assert check(found, "order flips").figure.value == 0.0
    assert "people: 0.500" in check(found, "longer one chosen").note


def test_a_judge_that_does_what_an_answer_says_is_found_out(tmp_path: Path) -> None:
    found = court(tmp_path, obedient)
    obeyed = check(found, "obeys an answer")
    assert (obeyed.figure.value, obeyed.figure.n, obeyed.outcome) == (1.0, 12, FAIL)
    assert check(court(tmp_path, right), "obeys an answer").figure.value == 0.0


def test_a_judge_that_is_right_passes_what_it_can(tmp_path: Path) -> None:
    found = court(tmp_path, right, people=write_people(tmp_path))
    assert [one.name for one in found.checks if one.outcome == FAIL] == []
    assert check(found, "agrees with people").outcome == PASS
    assert check(found, "agrees with people").note == "the longer one: 0.500"
    assert check(found, "answer said twice chosen").outcome == PASS
    assert found.rows[0].share.value == 1.0


def test_what_a_judge_fails_stands_in_the_row_of_its_number(tmp_path: Path) -> None:
    found = court(tmp_path, longer)
    columns, [row] = rows_table(found)
    assert "answer said twice chosen" in str(dict(zip(columns, row, strict=True))["the judge"])
    assert found.record()["rows"][0]["verdict"].startswith("fails: ")
    assert len(audit_table(found)[1]) == len(found.checks)


@pytest.mark.parametrize(("preferred", "outcome"), [("good", FAIL), ("bad", CANNOT_TELL)])
def test_a_judge_that_prefers_its_own_model_more_than_people_do_is_found_out(
    tmp_path: Path, preferred: str, outcome: str
) -> None:
    files = write_world(tmp_path, model="ruler")
    request = JudgeRequest(judge="Pairwise()", predictions=files, people=write_people(tmp_path, preferred=preferred))
    own = hold_court(request, scripted(lambda first, second: "2" if "Right" in first else "1"))
    assert check(own, "own model's answer chosen").figure.value == 1.0
    assert check(own, "own model's answer chosen").outcome == outcome


def test_without_people_or_models_checks_say_what_they_need(tmp_path: Path) -> None:
    found = court(tmp_path, right)
    assert check(found, "agrees with people").note == "needs --people"
    assert check(found, "own model's answer chosen").outcome == NOT_RUN
    assert check(found, "samples that all say the same").outcome == NOT_RUN


def test_people_who_judged_by_another_criterion_are_not_asked_for_again(tmp_path: Path) -> None:
    found = court(tmp_path, right, "Rubric(by='easy')", people=write_people(tmp_path))
    assert check(found, "agrees with people").note == "needs pairs in which people prefer one by the judge's criterion"
    assert "the shorter one" in check(found, "right where people prefer the shorter").note


def test_lists_and_bold_are_seen(tmp_path: Path) -> None:
    def by_marks(first: str, second: str) -> str:
        return "tie" if ("**" in first) == ("**" in second) else "1" if "**" in first else "2"

    assert check(court(tmp_path, by_marks), "same words as list with bold chosen").outcome == FAIL


def test_too_few_pairs_tell_nothing(tmp_path: Path) -> None:
    found = court(tmp_path, longer, limit=4)
    assert {one.outcome for one in found.checks} <= {CANNOT_TELL, NOT_RUN}


def test_probes_of_several_criteria_are_of_as_many_pairs_as_there_are(tmp_path: Path) -> None:
    request = JudgeRequest(judge="Rubric()", predictions=write_world(tmp_path), probes=12)
    found = hold_court(request, scripted(longer))
    probed = [one.trial for one in found.heard if one.trial.probe == PADDED]
    assert len({trial.item.id for trial in probed}) == len(probed) == 12
    assert {trial.criterion for trial in probed} == set(request.part.criteria)
    # Told by its probes now; twelve of the first two pairs could tell nothing.
    assert "answer said twice chosen" in found.verdict
    foreseen = forecast_probes(trials_of(request.part, request.items, 0), count=12, seed=0)
    assert [trial.item.id for trial in foreseen if trial.probe == PADDED] == [trial.item.id for trial in probed]


def test_without_probes_nothing_is_changed(tmp_path: Path) -> None:
    found = court(tmp_path, longer, probes=0)
    assert not [one for one in found.heard if one.trial.probe]
    assert check(found, "obeys an answer").outcome == NOT_RUN


def test_odds_are_those_of_a_simulation_and_finite_where_one_is_always_chosen() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=400)
    chosen = (random.random(400) < 1 / (1 + np.exp(-np.log(3) * x))).astype(float)
    figure = odds_ratio(x, chosen)
    assert figure.low < 3 < figure.high
    always = odds_ratio(np.array([1.0, 2.0, -1.0, 1.5]), np.array([1.0, 1.0, 0.0, 1.0]))
    assert 1 < always.value < 100
    assert np.isnan(odds_ratio(np.zeros(3), np.ones(3)).value)


def test_the_page_shows_pairs_that_deserve_a_look_and_escapes_them(tmp_path: Path) -> None:
    def second(first: str, second: str) -> str:
        return "<b>neither</b>" if "number 3" in first + second else "2" if "number 1" in first + second else "1"

    page = judge_page(court(tmp_path, second, people=write_people(tmp_path)))
    assert "Flips: " in page
    assert "Not to be read: 1 pair" in page
    assert "&lt;b&gt;neither&lt;/b&gt;" in page
    assert "<b>neither" not in page
    against = judge_page(court(tmp_path, longer, people=write_people(tmp_path)))
    assert "Against people: 6 pairs" in against
    assert "preferred by people" in against


def test_of_fewer_pairs_than_are_asked_for_nothing_could_be_told() -> None:
    assert sign_test(FEWEST, 0) <= 0.05 < sign_test(FEWEST - 1, 0)
