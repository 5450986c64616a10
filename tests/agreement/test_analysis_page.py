"""The page of an analysis shows the figures and runs nothing."""

from __future__ import annotations

from typing import Any

from agreement.judged import judged, rated_as
from expound.agreement.analysis import analyze
from expound.agreement.analysis_page import analysis_page
from expound.agreement.criterion import Settings
from expound.agreement.page_tables import shown
from expound.stats.proportions import NOTHING, Figure
from expound.types import Judgment

EVIL = "<script>alert(1)</script>"


def page_of(*judgments: Judgment, **settings: Any) -> str:
    return analysis_page(analyze(judgments, Settings(samples=20, **settings)))


def test_a_figure_is_shown_with_its_interval() -> None:
    assert shown(Figure(0.5, 0.25, 0.75, 8)) == "0.50 [0.25, 0.75]"
    assert shown(NOTHING) == "–"


def test_the_page_has_every_part() -> None:
    votes = [judged(str(n), rater, "ab"[n % 2], seconds=20.0, b="yz"[n % 2]) for n in range(6) for rater in "rs"]
    votes += [judged("0", "t", "b", domain="law"), rated_as("1", "r", 4), rated_as("1", "s", 5)]
    text = page_of(*votes, lengths={("1", "x"): 5.0, ("1", "z"): 9.0}, collapse={"fluency": {4: "high", 5: "high"}})
    for part in ("Preference: overall", "Values: fluency", "Bradley-Terry", "Fleiss κ", "By domain", "Time",
                 "longer answer", "left answer", "Disagreements: 1 item", "collapsed"):  # fmt: skip
        assert part in text


def test_no_p_value_is_shown_as_zero() -> None:
    votes = [judged(str(n), "r", "a") for n in range(40)]
    text = page_of(
        *votes, lengths={(str(n), system): size for n in range(40) for system, size in (("x", 9.0), ("y", 5.0))}
    )
    assert "0.000<" not in text
    assert "0.0000" not in text
    assert "p &lt; 0.0001, and in" in text
    assert '<td class="number">&lt; 0.0001</td>' in text


def test_nothing_is_said_of_lengths_that_are_equal_or_of_sides_where_all_are_ties() -> None:
    text = page_of(judged("1", "r", "a"), lengths={("1", "x"): 5.0, ("1", "y"): 5.0})
    assert "longer answer" not in text
    assert "left answer" in text
    assert "left answer" not in page_of(judged("1", "r", "tie"))


def test_names_and_comments_are_escaped() -> None:
    votes = [
        judged("1", EVIL, "a", a=EVIL, comment=EVIL, domain=EVIL),
        judged("1", "s", "b", a=EVIL, domain="law"),
        rated_as(EVIL, "r", EVIL, criterion=EVIL, study=EVIL, form=EVIL),
        rated_as(EVIL, "s", "yes", criterion=EVIL, question_id=EVIL),
    ]
    text = page_of(*votes)
    assert EVIL not in text
    assert "&lt;script&gt;" in text


def test_a_study_with_one_judgment_has_a_page() -> None:
    assert "1 judgment of 1 item (1 question) by 1 rater." in page_of(judged("1", "r", "tie"))
