"""A whole study in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from expound.study.design.making import ItemSources, make_study
from expound.study.engine.intake import ForeignAnswer, take_in
from expound.study.engine.opened import Study, open_study
from expound.study.engine.schema import assignments, raters
from expound.study.out.judgments import judgments_of
from study.study_helpers import write_inputs
from study.web.chromium_pages import (
    ERRORS,
    NEEDS_CHROMIUM,
    assert_accessible,
    begin,
    chromium,
    join,
    new_page,
    running,
    served,
    shoot,
    violations,
)

__all__ = ["chromium", "running", "served"]  # fixtures
pytestmark = NEEDS_CHROMIUM


def test_a_study_from_creation_to_analysis(served: Any, chromium: Any, tmp_path: Path) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "asqa-pairwise", ItemSources(dataset, systems), overlap=3, seed=1)
    study, link = served(plan)
    admin = new_page(chromium)
    admin.goto(link["admin"])
    shoot(admin, "monitor-empty")
    raters = [new_page(chromium) for _ in range(3)]
    for page in raters:
        join(page, link["join"])
    # The first one only uses the keyboard: two boxes a side, then three comparisons in which 1 is always Answer A.
    first = raters[0]
    for key in "46" + "111":
        first.keyboard.press(key)
    shoot(first, "asqa-pairwise")
    first.keyboard.press("Control+Enter")
    first.get_by_text("Saved.").wait_for()
    # The second one parks an item with a question, and comes back to it by code in another browser.
    second = raters[1]
    second.get_by_text("Not sure?").click()
    second.get_by_label("A question to the researchers").fill("Does <b>bold</b> count?")
    shoot(second, "parking")
    with second.expect_navigation():
        second.get_by_role("button", name="Park this item").click()
    second.get_by_role("link", name="My items").click()
    shoot(second, "my-items")
    code = second.locator("main strong").first.inner_text()
    again = new_page(chromium)
    again.goto(link["join"])
    shoot(again, "join")
    again.get_by_label("Your personal code").fill(code)
    again.get_by_role("button", name="Continue").click()
    raters[1] = again
    admin.reload()
    admin.get_by_label("Reply").fill("No, it does not.")
    shoot(admin, "monitor")
    assert violations(admin) == []
    admin.get_by_role("button", name="Send").click()
    for page in raters:
        judge_the_rest(page)
    again.get_by_role("link", name="Who ruled").first.click()
    again.get_by_text("No, it does not.").wait_for()
    judge_the_rest(again)
    again.get_by_text("All 3 answers are saved").wait_for()
    shoot(again, "done")
    admin.get_by_text("9 of 9 judgments").wait_for()  # the monitor brings itself up to date
    shoot(admin, "monitor-full")
    admin.get_by_role("link", name="Analysis so far").click()
    admin.get_by_text("Preference: overall").first.wait_for()
    shoot(admin, "analysis")
    admin.get_by_text("9 judgments of 3 items (3 questions) by 3 raters.").wait_for()
    # The p-value to trust is in sight without scrolling.
    for table in admin.locator(".scroll", has_text="p (items)").all():
        assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert len(list(judgments_of(study))) == 3 * 3 * 5


def judge_the_rest(page: Any) -> None:
    """Judge by mouse until no item is left."""
    while page.locator("#answers").count():
        for field in ("resolving", "fluency", "overall"):
            page.locator(f"input[name={field}]").first.check()
        with page.expect_navigation():  # after a look whether the server is there
            page.get_by_role("button", name="Save and go on").click()


FILLED: dict[str, Callable[[Any], None]] = {
    "expert-preference": lambda page: page.get_by_label("Explain your choice").fill("Answer A is clearer. " * 5),
    "hurdles-ab": lambda page: page.keyboard.press("2"),
    "eli5-rating": lambda page: page.keyboard.press("4"),
    "eli5-preference": lambda page: page.keyboard.press("1"),
    "eli5-answerability": lambda page: page.keyboard.press("1"),
    "coding": lambda page: mark_words(page),
    "ambig-generate": lambda page: search(page),
    "asqa-write": lambda page: page.get_by_label("Your answer").fill("Charles ruled first."),
}


@pytest.mark.parametrize("form", FILLED)
def test_every_form_can_be_filled_in_and_keeps_a_draft(served: Any, chromium: Any, tmp_path: Path, form: str) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, form, ItemSources(dataset, systems, references=True), overlap=1, seed=1, corpus="sampler")
    _, link = served(plan)
    page = new_page(chromium)
    join(page, link["join"])
    FILLED[form](page)
    page.locator("#answers textarea, #answers input[type=radio]").first.dispatch_event("input")
    page.get_by_text("Draft saved").wait_for()
    shoot(page, form)
    assert_accessible(page)


def test_answers_stay_in_sight_while_one_answers(served: Any, chromium: Any, tmp_path: Path) -> None:
    _, page = begin(served, chromium, tmp_path, "expert-preference")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Save and go on").scroll_into_view_if_needed()
    for answer in page.locator(".answer").all():
        box = answer.bounding_box()
        assert 0 <= box["y"] < 800


def test_one_key_is_one_side_in_every_comparison(served: Any, chromium: Any, tmp_path: Path) -> None:
    _, page = begin(served, chromium, tmp_path, "hurdles-ab")
    page.locator("#answers").wait_for()
    page.get_by_text("Draft saved").or_(page.locator("h1")).first.wait_for()
    for key in "123":
        page.keyboard.press(key)
    chosen = [page.locator(f"input[name={name}]:checked").input_value() for name in ("overall", "coherent", "factual")]
    assert chosen == ["left", "right", "tie"]


def test_an_expert_decides_where_raters_differ(served: Any, chromium: Any, tmp_path: Path) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "eli5-preference", ItemSources(dataset, systems), overlap=2, seed=1)
    study, link = served(plan)
    item = next(iter(study.items.values())).item.id
    take_in(study, [answer_of(rater, item, side) for rater, side in (("Ann", "left"), ("Bo", "right"))])
    admin = new_page(chromium)
    admin.goto(link["admin"])
    admin.get_by_role("link", name="Disagreements").click()
    shoot(admin, "queue")
    assert violations(admin) == []
    admin.get_by_role("link", name="Decide").click()
    shoot(admin, "decide")
    assert violations(admin) == []
    admin.keyboard.press("1")
    admin.get_by_role("button", name="Decide").click()
    admin.get_by_text("· decided").wait_for()


def test_training_is_explained_and_a_reply_is_announced(served: Any, chromium: Any, tmp_path: Path) -> None:
    texts = [{"text": "Charles, by the records."}, {"text": "Nobody knows."}]
    training = {"id": "t", "question": "Who ruled?", "candidates": texts, "expected": {"overall": "a"},
                "feedback": "Answer A names its source."}  # fmt: skip
    (tmp_path / "training.jsonl").write_text(json.dumps(training), encoding="utf-8")
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    sources = ItemSources(dataset, systems, checks={"training": tmp_path / "training.jsonl"})
    make_study(plan, "eli5-preference", sources, overlap=2, seed=1)
    _, link = served(plan)
    page, admin = new_page(chromium), new_page(chromium)
    join(page, f"{link['join']}?PROLIFIC_PID=5f3a")
    page.keyboard.press("2")
    with page.expect_navigation():
        page.get_by_role("button", name="Save and go on").click()
    page.get_by_text("Answer A names its source.").wait_for()
    assert page.get_by_text("Charles, by the records.").is_visible()
    shoot(page, "training")
    assert violations(page) == []
    page.get_by_role("link", name="Go on").last.click()
    admin.goto(link["admin"])
    admin.get_by_role("cell", name="5f3a").wait_for()
    admin.get_by_role("link", name="r01").click()
    admin.get_by_label("Feedback for r01").fill("Look at the source.")
    admin.get_by_role("button", name="Send").click()
    admin.get_by_text("Sent.").wait_for()
    shoot(admin, "answers-of-a-rater")
    assert violations(admin) == []
    page.reload()
    page.get_by_text("1 new").click()
    shoot(page, "my-items-news")
    page.get_by_text("New reply").wait_for()


def test_a_look_on_the_way_is_asked_for(served: Any, chromium: Any, tmp_path: Path) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "eli5-preference", ItemSources(dataset, systems), overlap=2, seed=1)
    study, link = served(plan)
    take_in(study, [answer_of("Ann", placed.item.id, "left") for placed in study.items.values()])
    admin = new_page(chromium)
    admin.goto(link["admin"])
    admin.get_by_role("link", name="Analysis so far").click()
    shoot(admin, "look")
    assert violations(admin) == []
    admin.get_by_role("button", name="Look now").click()
    admin.get_by_text("Look 1 at this study, at 50%").wait_for()
    shoot(admin, "analysis-look")


def test_answers_can_be_ranked(served: Any, chromium: Any, tmp_path: Path) -> None:
    _, page = begin(served, chromium, tmp_path, "ranking", references=True)
    for place in range(3):
        page.locator(f"input[name=rank_{place}][value='{place + 1}']").check()
    shoot(page, "ranking")
    assert_accessible(page)


def answer_of(rater: str, item: str, side: str) -> ForeignAnswer:
    return ForeignAnswer(rater=rater, item=item, sent={"overall": [side]}, seconds=5.0, where="here")


def mark_words(page: Any) -> None:
    """By mouse, by keys and by taps; the marks overlap."""
    text, words = page.locator("[data-text]").first, page.locator(".word")
    words.first.wait_for()
    said = words.all_inner_texts()
    page.get_by_role("button", name="hallucination").click()
    box = text.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(words.nth(1).bounding_box()["x"] + 8, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    page.get_by_text(f"hallucination: “{said[0]} {said[1]}”").wait_for()
    page.keyboard.press("2")  # misunderstanding
    words.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text(f"misunderstanding: “{said[1]} {said[2]}”").wait_for()
    page.get_by_role("button", name="repetition").click()
    words.nth(4).click()
    words.nth(3).click()
    page.get_by_text(f"repetition: “{said[3]} {said[4]}”").wait_for()
    shoot(page, "coding-marked")
    page.get_by_role("button", name="Remove the mark repetition").click()
    assert page.locator("[data-marks] li").count() == 2
    assert page.locator(".word.marked").count() == 3


def test_marks_are_there_again_and_reach_the_judgments(served: Any, chromium: Any, tmp_path: Path) -> None:
    study, page = begin(served, chromium, tmp_path, "coding", references=True)
    mark_words(page)
    page.get_by_text("Draft saved").wait_for()
    page.reload()
    page.locator(".word.marked").first.wait_for()
    assert page.locator("[data-marks] li").count() == 2
    with page.expect_navigation():
        page.get_by_role("button", name="Save and go on").click()
    (value,) = [one.value["spans"] for one in judgments_of(study) if one.criterion == "spans"]
    assert [(span["label"], span["words"]) for span in value] == [
        ("hallucination", [0, 2]),
        ("misunderstanding", [1, 3]),
    ]


def search(page: Any) -> None:
    page.get_by_label("Search for").fill("barn owl")
    page.get_by_role("button", name="Search").click()
    page.locator(".found summary").first.click()
    page.get_by_label("Question with this answer only").first.fill("Who ruled before August?")
    page.get_by_label("Answer, one wording a line").first.fill("Charles")


def test_writing_shows_what_is_missing_while_one_writes(served: Any, chromium: Any, tmp_path: Path) -> None:
    dataset, _ = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "asqa-write", ItemSources(dataset), overlap=1, seed=1)
    _, link = served(plan)
    page = new_page(chromium)
    join(page, link["join"])
    page.get_by_label("Your answer").fill("Charles ruled first.")
    warning = page.get_by_text("“Louis” is not in your answer.").first
    warning.wait_for()
    assert warning.is_visible()
    assert not page.get_by_text("“Charles” is not in your answer.").first.is_visible()
    shoot(page, "asqa-write-warning")


def test_other_forms_of_a_second_pass(served: Any, chromium: Any, tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    pair = [{"system": "x", "text": "One answer."}, {"system": "y", "text": "Another answer."}]
    lines = {
        "paraphrase": {"id": "1", "question": "Why is the sky blue?", "extra": {"other": "What makes the sky blue?"}},
        "justification-aspects": {"id": "1", "question": "Why?", "candidates": pair,
                                  "extra": {"justification": "A is right.", "preferred": "Answer A", "is_fixed": True}},
        "ambig-validate": {"id": "1", "question": "Who ruled?", "extra": {
            "sets": [[{"question": "Before?", "answers": ["Charles"]}], [{"question": "", "answers": ["Louis"]}]],
            "viewed": ["The land"]}},
    }  # fmt: skip
    for form, line in lines.items():
        items.write_text(json.dumps(line) + "\n", encoding="utf-8")
        plan = tmp_path / f"{form}.toml"
        make_study(plan, form, ItemSources(items=items), overlap=1, seed=1)
        _, link = served(plan)
        page = new_page(chromium)
        join(page, link["join"])
        shoot(page, form)
        assert_accessible(page)


def test_a_study_can_be_reopened(tmp_path: Path) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "asqa-pairwise", ItemSources(dataset, systems), overlap=1, seed=1)
    assert open_study(plan).items == open_study(plan).items


def test_someone_else_at_the_computer_can_begin_and_nobody_becomes_two(
    served: Any, chromium: Any, tmp_path: Path
) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "eli5-preference", ItemSources(dataset, systems), overlap=3, seed=1)
    _, link = served(plan)
    page = new_page(chromium)
    join(page, link["join"])
    page.goto(link["join"])
    shoot(page, "join-again")
    page.get_by_role("link", name="Go on", exact=True).last.click()
    page.locator("#answers").wait_for()
    page.goto(link["join"])
    page.get_by_text("Someone else is at this computer").click()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="Your code").wait_for()
    admin = new_page(chromium)
    admin.goto(link["admin"])
    assert admin.locator("tbody tr").count() == 2


def test_the_page_says_what_is_not_saved_keeps_it_and_sends_it_again(
    served: Any, chromium: Any, tmp_path: Path
) -> None:
    study, page = begin(served, chromium, tmp_path, "expert-preference")
    page.route("**/draft", lambda route: route.abort())
    page.route("**/health", lambda route: route.abort())
    page.get_by_label("Explain your choice").fill("Answer A names both kings.")
    page.get_by_text("Not saved: the server does not answer").wait_for()
    shoot(page, "draft-not-saved")
    for field in ("overall", "difficult"):
        page.locator(f"input[name={field}]").first.check()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/health")):
        page.get_by_role("button", name="Save and go on").click()
    assert page.get_by_label("Explain your choice").input_value() == "Answer A names both kings."
    page.unroute("**/draft")
    page.unroute("**/health")
    page.get_by_text("Draft saved").wait_for()  # nobody pressed anything
    assert drafts_of(study) == ["Answer A names both kings."]
    ERRORS.clear()  # of the requests that were cut off


def test_work_that_was_not_saved_is_there_after_signing_in_again(served: Any, chromium: Any, tmp_path: Path) -> None:
    study, page = begin(served, chromium, tmp_path, "expert-preference")
    with study.store.reading() as connection:
        code = connection.scalar(sa.select(raters.c.code))
    page.context.clear_cookies()
    page.get_by_label("Explain your choice").fill("Answer B is clearer.")
    page.get_by_text("Not saved: you are signed out").wait_for()
    assert drafts_of(study) == [""]
    page.get_by_role("link", name="Enter your code").click()
    page.get_by_role("heading", name="Please sign in").wait_for()
    page.get_by_label("Your personal code").fill(code)
    shoot(page, "signed-out")
    assert violations(page) == []
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Draft saved").wait_for()
    assert page.get_by_label("Explain your choice").input_value() == "Answer B is clearer."
    assert drafts_of(study) == ["Answer B is clearer."]
    ERRORS.clear()  # of the requests that were refused


def drafts_of(study: Study) -> list[str]:
    """What the server has of the justifications that are being written."""
    with study.store.reading() as connection:
        drafts = connection.scalars(sa.select(assignments.c.draft))
        return [json.loads(draft).get("justification", "") for draft in drafts]
