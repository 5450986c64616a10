"""Ranking three or more answers, and the strengths that follow."""

from __future__ import annotations

import re

import pytest

from expound.agreement.analysis_page import analysis_page
from expound.errors import UnknownName, UserError
from expound.study.engine.opened import Study
from expound.study.out.analyzing import analyze_study
from expound.study.out.judgments import judgments_of
from study.study_helpers import Browse, Browser, Make, action_of, fill, join

BEST_FIRST = ("ape", "bee", "cow")


def rank_all(study: Study, browser: Browser) -> None:
    """Rank by the number in the text, which is that of the system."""
    page = join(browser, study)
    while 'id="answers"' in page:
        order = [int(number) for number in re.findall(r"Answer text number (\d) to", page)]
        ranks = {f"rank_{place}": str(number + 1) for place, number in enumerate(order)}
        page = browser.post(action_of(page), data=fill(page, **ranks)).text


def test_ranks_are_of_the_system_that_wrote_the_answer(make: Make, browse: Browse) -> None:
    study = make("ranking", systems=BEST_FIRST, overlap=2)
    for _ in range(2):
        rank_all(study, browse(study))
    assert {(one.a, one.value) for one in judgments_of(study)} == {("ape", 1), ("bee", 2), ("cow", 3)}
    orders = {(one.rater, one.shown) for one in judgments_of(study)}
    assert len(orders) > 2  # from either end
    found = analyze_study(study, samples=20).overall.values[0]
    assert found.strengths is not None
    values = [found.strengths.figures[name].value for name in BEST_FIRST]
    assert values == sorted(values, reverse=True)
    assert "Plackett-Luce strength" in analysis_page(analyze_study(study, samples=20))


def test_no_two_answers_share_a_rank(make: Make, browse: Browse) -> None:
    study = make("ranking", systems=BEST_FIRST)
    browser = browse(study)
    page = join(browser, study)
    answer = browser.post(action_of(page), data=fill(page, rank_0="1", rank_1="1", rank_2="2"))
    assert answer.status_code == 422
    assert "Answer A and Answer B share the rank 1" in answer.text


def test_one_answer_cannot_be_ranked(make: Make) -> None:
    with pytest.raises(UserError, match="ranks 2 to 8 answers to a question, not 1"):
        make("ranking", systems=("ape",))


def test_the_order_of_systems_can_be_chosen(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=1)
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page, overall="left"))
    for first, second in (("zebra", "quokka"), ("quokka", "zebra")):
        (pair,) = analyze_study(study, systems=[first], samples=20).overall.choices[0].pairs
        assert (pair.a, pair.b) == (first, second)
    with pytest.raises(UnknownName, match="no system named 'zebu'"):
        analyze_study(study, systems=["zebu"])
