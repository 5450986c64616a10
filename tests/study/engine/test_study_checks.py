"""Training, exams, gold and attention items, and what the monitor makes of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput
from expound.study.design.expected import expectations_of
from expound.study.design.form_table import find_form
from expound.study.design.items import Item, Placed, SystemAnswer
from expound.study.engine.opened import Study, open_study
from expound.study.out.judgments import judgments_of
from expound.study.out.monitor import RaterStatus, status_of
from expound.types import Interpretation
from study.study_helpers import Browse, Browser, Make, action_of, enter_as_admin, fill, join, judge_all


def write_checks(folder: Path, name: str, count: int = 1, **more: Any) -> Path:
    """Items whose better answer is always a, written so that a rater can see which one that is."""
    path = folder / f"{name}.jsonl"
    lines = [
        {
            "id": f"{name}-{number}",
            "question": f"A question for {name} {number}?",
            "candidates": [{"system": "good", "text": "The GOOD one."}, {"system": "bad", "text": "The bad one."}],
            "expected": {"overall": "a"},
            **more,
        }
        for number in range(count)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def judge_well(browser: Browser, page: str, *, wrongly: bool = False) -> list[str]:
    """Choose the good answer where there is one, else the left; every page on the way."""
    pages = [page]
    while 'id="answers"' in page:
        is_left = page.find("GOOD") < page.find("The bad one") if "GOOD" in page else True
        page = browser.post(action_of(page), data=fill(page, overall="left" if is_left != wrongly else "right")).text
        pages.append(page)
        if "Training: how it went" in page:
            page = browser.get("/next").text
            pages.append(page)
    return pages


def only_rater(study: Study) -> RaterStatus:
    with study.store.reading() as connection:
        return status_of(study, connection).raters[0]


def test_training_comes_first_and_says_what_was_expected(make: Make, browse: Browse, tmp_path: Path) -> None:
    training = write_checks(tmp_path, "training", 2, feedback="The first one names its source.")
    study = make("eli5-preference", overlap=1, checks={"training": training})
    browser = browse(study)
    pages = judge_well(browser, join(browser, study), wrongly=True)
    assert "A question for training 0?" in pages[0]
    assert "The first one names its source." in pages[1]
    assert "We would have answered differently" in pages[1]
    assert "All 5 answers are saved" in pages[-1]
    assert {one.item for one in judgments_of(study)} == {"q1", "q2", "q3"}


def test_training_shows_what_was_said_what_was_expected_and_both_answers(
    make: Make, browse: Browse, tmp_path: Path
) -> None:
    study = make("eli5-preference", checks={"training": write_checks(tmp_path, "training", feedback="See the source.")})
    browser = browse(study)
    page = join(browser, study)
    told = browser.post(action_of(page), data=fill(page, overall="right")).text
    placed = study.by_kind["training"][0]
    for part in ("<td class=\"prose problem\">Answer B</td><td class=\"prose\">Answer A</td>", "See the source.",
                 *study.view(placed).texts):  # fmt: skip
        assert part in told


def test_an_answer_to_a_training_item_stays_as_it_was(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("eli5-preference", checks={"training": write_checks(tmp_path, "training")})
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page, overall="left"))
    again = browser.get(action_of(page)).text
    assert "This item is answered" in again
    assert 'id="answers"' not in again


def test_who_passes_the_exam_goes_on_and_who_fails_does_not(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("eli5-preference", overlap=2, checks={"exam": write_checks(tmp_path, "exam", 3)})
    good, bad = browse(study), browse(study)
    assert "All 6 answers are saved" in judge_well(good, join(good, study))[-1]
    assert "so it ends here for you" in judge_well(bad, join(bad, study), wrongly=True)[-1]
    assert "so it ends here for you" in bad.get("/next").text
    with study.store.reading() as connection:
        assert [rater.stage for rater in status_of(study, connection).raters] == ["finished", "failed"]


def test_gold_items_come_in_between_and_look_like_any_other(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("eli5-preference", overlap=1, gold_every=2, checks={"gold": write_checks(tmp_path, "gold", 5)})
    browser = browse(study)
    pages = judge_well(browser, join(browser, study))
    kinds = ["gold" if "GOOD" in page else "main" for page in pages[:-1]]
    assert kinds == ["main", "main", "gold", "main"]
    assert not any("gold" in page.replace("for gold", "") for page in pages)
    assert only_rater(study).checks == 1
    assert only_rater(study).checks_failed == 0


@pytest.mark.parametrize("kind", ["gold", "attention"])
def test_an_answered_check_can_be_changed_like_any_other_item_and_its_first_answer_counts(
    make: Make, browse: Browse, tmp_path: Path, kind: str
) -> None:
    study = make("eli5-preference", overlap=1, gold_every=1, checks={kind: write_checks(tmp_path, kind, 3)})
    browser = browse(study)
    judge_well(browser, join(browser, study), wrongly=True)
    mine = re.findall(r'href="(/item/\d+)"', browser.get("/mine").text)
    again = [browser.get(path).text for path in mine]
    assert sum("GOOD" in page for page in again) == 3
    assert all('id="answers"' in page and "This item is answered" not in page for page in again)
    for page in again:
        changed = browser.post(action_of(page), data=fill(page, overall="left"))
        changed = browser.post(action_of(page), data=fill(browser.get(action_of(page)).text, overall="right"))
        assert changed.status_code == 200
    assert only_rater(study).checks_failed == 3


def test_failed_checks_are_counted_for_the_researcher_alone(make: Make, browse: Browse, tmp_path: Path) -> None:
    checks = {"attention": write_checks(tmp_path, "attention", 2)}
    study = make("eli5-preference", overlap=1, gold_every=1, checks=checks)
    browser, admin = browse(study), browse(study)
    pages = judge_well(browser, join(browser, study), wrongly=True)
    assert only_rater(study).checks_failed == 2
    assert "2 of 2" in enter_as_admin(admin, study)
    assert not any("2 of 2" in page for page in pages)


CHOOSE = "Please choose Answer A here."


def test_who_does_what_an_attention_item_says_passes_it(make: Make, browse: Browse, tmp_path: Path) -> None:
    attention = write_checks(tmp_path, "attention", 8, question=CHOOSE)
    study = make("eli5-preference", overlap=8, gold_every=1, checks={"attention": attention}, items_per_rater=3)
    for _ in range(4):
        browser = browse(study)
        judge_all(browser, join(browser, study), overall="left")
    with study.store.reading() as connection:
        found = status_of(study, connection).raters
    assert [(one.checks, one.checks_failed) for one in found] == [(3, 0)] * 4


def test_feedback_that_speaks_of_answer_a_speaks_of_the_one_on_the_left(
    make: Make, browse: Browse, tmp_path: Path
) -> None:
    training = write_checks(tmp_path, "training", 6, feedback="Answer A is right.")
    study = make("eli5-preference", overlap=1, checks={"training": training})
    assert {placed.shown for placed in study.by_kind["training"]} == {"ab"}


@pytest.mark.parametrize("shown", ["ab", "ba"])
@pytest.mark.parametrize(
    ("expected", "right"),
    [
        ({"overall": "a"}, {"ab": {"overall": "left"}, "ba": {"overall": "right"}}),
        ({"overall": "left"}, {"ab": {"overall": "left"}, "ba": {"overall": "left"}}),
        ({"overall": ["b", "tie"]}, {"ab": {"overall": "right"}, "ba": {"overall": "tie"}}),
        ({"captured_a": ["1", 0]}, {"ab": {"captured_left": ["0", "1"]}, "ba": {"captured_right": ["0", "1"]}}),
        ({"captured_left": []}, {"ab": {}, "ba": {"captured_right": ["0"]}}),
    ],
)
def test_expected_values_speak_of_answers_or_of_sides(
    expected: dict[str, Any], right: dict[str, dict[str, Any]], shown: str
) -> None:
    form = find_form("asqa-pairwise")
    readings = (Interpretation("Before?", ("Charles",)), Interpretation("After?", ("Louis",)))
    pair = (SystemAnswer("x", "One."), SystemAnswer("y", "Two."))
    item = Item("g", "g", "Who?", "gold", candidates=pair, interpretations=readings, expected=expected)
    (found,) = expectations_of(form, Placed(1, item, shown))
    assert found.is_met(right[shown])
    assert not found.is_met({"overall": "middle", "captured_left": ["1"], "captured_right": ["1"]})


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ({"best": "a"}, "item 'gold-0' expects something of 'best', which eli5-preference does not ask"),
        ({"overall": "A"}, "of 'overall' that it does not offer: 'A'; it offers: a, b, left, right"),
        ({"overall": ["a", "tie"]}, "does not offer: 'tie'"),
    ],
)
def test_what_nobody_can_get_right_is_refused_when_the_study_is_made(
    make: Make, tmp_path: Path, expected: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        make("eli5-preference", checks={"gold": write_checks(tmp_path, "gold", expected=expected)})
    assert not (tmp_path / "study.toml").exists()


@pytest.mark.parametrize(("form", "count", "wanted"), [("eli5-preference", 1, "2"), ("eli5-preference", 3, "2"),
                                                       ("ranking", 1, "2 to 8"), ("ranking", 9, "2 to 8")])  # fmt: skip
def test_a_check_that_the_form_cannot_show_is_refused(
    make: Make, tmp_path: Path, form: str, count: int, wanted: str
) -> None:
    training = write_checks(tmp_path, "training", candidates=[{"text": "Text."}] * count, expected={})
    with pytest.raises(BadInput, match=rf"training.jsonl: .* has {count} candidates?, .* judges {wanted}"):
        make(form, checks={"training": training})
    assert not (tmp_path / "study.toml").exists()


def test_where_options_change_what_is_asked_the_first_opening_refuses(make: Make, tmp_path: Path) -> None:
    alone = [{"system": "good", "text": "The GOOD one."}]
    gold = write_checks(tmp_path, "gold", expected={"correct_with_evidence": "yes"}, candidates=alone)
    with pytest.raises(BadInput, match="which eli5-rating does not ask"):
        make("eli5-rating", checks={"gold": gold})
    plan = tmp_path / "study.toml"
    plan.write_text(plan.read_text(encoding="utf-8") + "\n[options]\nevidence = true\n", encoding="utf-8")
    assert len(open_study(plan).by_kind["gold"]) == 1


def test_pay_follows_the_active_hours(make: Make, browse: Browse) -> None:
    import sqlalchemy as sa

    from expound.study.engine.schema import assignments

    study = make("eli5-preference", overlap=1, pay_per_hour=18.0)
    browser = browse(study)
    judge_well(browser, join(browser, study))
    with study.store.writing() as connection:
        connection.execute(sa.update(assignments).values(seconds=600.0))
    assert only_rater(study).hours == 0.5
    assert only_rater(study).pay == 9.0
    assert only_rater(study).seconds == 600


def test_a_completion_code_is_shown_when_all_is_done(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=2, completion_code="auto")
    codes = set()
    for _ in range(2):
        browser = browse(study)
        last = judge_all(browser, join(browser, study), overall="left")
        codes.add(last.split('class="code">')[1].split("<")[0])
    assert len(codes) == 2


def test_nobody_gets_more_items_than_the_plan_allows(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=3, items_per_rater=2)
    browser = browse(study)
    assert "All 2 answers are saved" in judge_all(browser, join(browser, study), overall="left")
