"""A time-dependent question means the three latest events; any other means all."""

from __future__ import annotations

from expound.clarify.candidates import Candidate
from expound.clarify.recent import MOST, most_recent
from expound.types import Passage, ScoredSentence

NEW = "When does the new season start?"


def group(answer: str, sentence: str = "", title: str = "") -> list[Candidate]:
    return [Candidate(answer, ScoredSentence(sentence, 1, 0, 1.0, 0.9, 0.9), Passage("p", sentence, title))]


def answers(question: str, *groups: list[Candidate]) -> list[str]:
    return [found[0].answer for found in most_recent(question, groups)]


def test_the_latest_three_remain_latest_first() -> None:
    groups = [group(str(year)) for year in (2001, 2005, 2003, 2004)]
    assert answers(NEW, *groups) == ["2005", "2004", "2003"]
    assert MOST == 3


def test_within_a_year_month_and_day_count() -> None:
    groups = [group("3 May 2017"), group("May 12th, 2017"), group("March 2017")]
    assert answers(NEW, *groups) == ["May 12th, 2017", "3 May 2017", "March 2017"]


def test_an_answer_without_a_date_has_that_of_its_sentence_or_title() -> None:
    groups = [
        group("season 3", "Season 3 ran from 2010 to 2011."),
        group("season 4", "Season 4 came after.", "The show in 2014"),
        group("season 5", "Season 5 ran in the late 2000s and in 2012."),
    ]
    assert answers(NEW, *groups) == ["season 4", "season 5", "season 3"]


def test_a_decade_is_a_date() -> None:
    assert answers(NEW, group("the 1980s"), group("the 1990s")) == ["the 1990s", "the 1980s"]


def test_undated_readings_go_when_two_have_dates_and_stay_when_not() -> None:
    assert answers(NEW, group("Una Pike"), group("2003"), group("2004")) == ["2004", "2003"]
    assert answers(NEW, group("Una Pike"), group("2003")) == ["Una Pike", "2003"]


def test_other_questions_keep_all_readings_in_their_order() -> None:
    groups = [group(str(year)) for year in (2001, 2005, 2003, 2004)]
    assert answers("When did the season start?", *groups) == ["2001", "2005", "2003", "2004"]
    assert answers("When was New York founded?", *groups) == ["2001", "2005", "2003", "2004"]
