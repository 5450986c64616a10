"""A study's figures, over all and by domain."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

from agreement.judged import judged, rated_as
from expound.agreement.analysis import analysis_record, analyze
from expound.agreement.criterion import Settings
from expound.agreement.values import FIVE_POINT
from expound.errors import UserError
from expound.types import Judgment

QUICK = Settings(samples=50)


def asqa_study() -> list[Judgment]:
    """Two raters compare x and y on two questions, in the parts of ASQA's form."""
    judgments = []
    for rater in "rs":
        for item, choice in (("1", "a"), ("2", "tie")):
            judgments += [judged(item, rater, choice, criterion=name) for name in ("resolving", "fluency", "overall")]
            judgments.append(rated_as(item, rater, [True, False], criterion="captured"))
            judgments.append(rated_as(item, rater, [False, False], criterion="captured", a="y"))
    return judgments


def test_asqas_table_has_its_four_columns_in_percent() -> None:
    columns = {"captured": "ACC", "resolving": "COMP", "fluency": "FLUE", "overall": "HO"}
    found = analyze(asqa_study(), Settings(columns=columns, samples=50)).overall.percentages
    values = {system: {name: one.value for name, one in row.items()} for system, row in found.items()}
    assert values == {
        "x": {"COMP": 75, "FLUE": 75, "HO": 75, "ACC": 50},
        "y": {"COMP": 25, "FLUE": 25, "HO": 25, "ACC": 0},
    }


def test_domains_have_everything_and_a_plain_mean() -> None:
    votes = [
        judged("1", "r", "a", domain="law"),
        judged("2", "r", "b", domain="law"),
        judged("3", "r", "a", domain="art"),
    ]
    found = analyze(votes, QUICK)
    assert list(found.domains) == ["art", "law"]
    assert found.overall.choices[0].pairs[0].share.value == pytest.approx(2 / 3)
    assert [(one.share, one.domains) for one in found.domain_means] == [(0.75, 2)]


def test_a_study_of_one_domain_is_not_said_twice() -> None:
    assert analyze([judged("1", "r", "a", domain="law")], QUICK).domains == {}


def test_optional_questions_are_counted_as_left_open() -> None:
    found = analyze([judged("1", "r", "a"), judged("2", "r", None), judged("2", "r", "a", criterion="factual")], QUICK)
    assert found.overall.left_open == {"overall": 1, "factual": 0}
    assert found.overall.judgments == 2


def test_the_named_system_comes_first() -> None:
    votes = [judged("1", "r", "a"), judged("2", "r", "b")]
    pair = analyze(votes, Settings(systems=("y",), samples=50)).overall.choices[0].pairs[0]
    assert (pair.a, pair.b) == ("y", "x")


def test_strengths_are_for_more_than_two_systems() -> None:
    two = [judged("1", "r", "a"), judged("2", "r", "b")]
    three = [*two, judged("3", "r", "a", b="z"), judged("4", "r", "b", b="z")]
    assert analyze(two, QUICK).overall.choices[0].strengths is None
    found = analyze(three, QUICK).overall.choices[0].strengths
    assert found is not None
    assert list(found.figures) == ["x", "y", "z"]


def test_a_tie_anywhere_is_a_category_everywhere() -> None:
    votes = [judged(str(n), rater, "a", domain="law") for n in range(2) for rater in "rs"]
    votes += [judged("3", "r", "tie", domain="art"), judged("3", "s", "b", domain="law")]
    found = analyze(votes, QUICK)
    assert found.overall.choices[0].agreement.randolph.value == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))


def test_ratings_can_be_collapsed() -> None:
    votes = [rated_as("1", "r", 4), rated_as("1", "s", 5), rated_as("2", "r", 2), rated_as("2", "s", 2)]
    (found,) = analyze(votes, Settings(collapse={"fluency": FIVE_POINT}, samples=50)).overall.values
    assert found.agreement.pairwise.value == 0.5
    assert found.collapsed is not None
    assert found.collapsed.pairwise.value == 1


def test_disagreements_say_who_said_what_and_why_least_agreement_first() -> None:
    votes = [judged("1", "r", "a"), judged("1", "s", "a"), judged("1", "t", "b", comment="shorter")]
    votes += [judged("2", "r", "a"), judged("2", "s", "tie"), judged("3", "r", "a"), judged("3", "s", "a")]
    first, second = analyze(votes, QUICK).overall.choices[0].disagreements
    assert (first.item, first.agreeing, second.item) == ("2", 0, "1")
    assert [(one.rater, one.label, one.comment) for one in second.said][-1] == ("t", "y", "shorter")


def test_the_order_of_judgments_changes_no_value() -> None:
    there, back = (analyze(order, QUICK).overall for order in (asqa_study(), asqa_study()[::-1]))
    for one in there.choices:
        (same,) = [other for other in back.choices if other.criterion == one.criterion]
        assert one.pairs[0].share.value == same.pairs[0].share.value
        assert one.agreement.fleiss.value == same.agreement.fleiss.value


def test_the_record_is_json_and_the_same_every_time() -> None:
    one, other = (analysis_record(analyze(asqa_study(), QUICK)) for _ in range(2))
    assert json.dumps(one, allow_nan=False) == json.dumps(other, allow_nan=False)


def test_no_judgments_are_refused() -> None:
    with pytest.raises(UserError, match="no judgments"):
        analyze([])


@pytest.mark.slow
def test_five_thousand_judgments_take_seconds() -> None:
    random = np.random.default_rng(0)
    votes = [
        judged(str(item), f"r{(item + k) % 20}", "ab"[int(random.integers(2))], b="yz"[item % 2], domain=str(item % 4))
        for item in range(1000)
        for k in range(5)
    ]
    started = time.process_time()
    assert analyze(votes).overall.judgments == 5000
    assert time.process_time() - started < 60


def test_lists_of_answers_are_compared_by_f1_alone() -> None:
    votes = [rated_as("1", rater, ["1624", "1664"][:n], criterion="answers") for n, rater in ((1, "r"), (2, "s"))]
    (found,) = analyze(votes, QUICK).overall.values
    assert found.f1_answer is not None
    assert found.f1_answer.value == pytest.approx(200 / 3)
    assert found.agreement.units == 0
