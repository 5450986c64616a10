"""What would spoil a study in the field, as seen in a browser: sessions, keys, long texts, touch, search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.study.design.making import ItemSources, make_study
from expound.study.engine.opened import Study, open_study
from expound.study.engine.sent_answers import read_earlier
from expound.study.out.exports import export_text
from expound.study.out.judgments import judgments_of
from expound.study.out.published_studies import make_published
from study.study_helpers import write_inputs
from study.web.chromium_pages import (
    ERRORS,
    NEEDS_CHROMIUM,
    PHONE,
    assert_accessible,
    begin,
    chromium,
    join,
    new_page,
    running,
    served,
    served_together,
    shoot,
    violations,
)

__all__ = ["chromium", "running", "served", "served_together"]  # fixtures
pytestmark = NEEDS_CHROMIUM
DESK = {"width": 1280, "height": 800}
LONG = "A sentence of a long answer, of which there are many more, so that it fills the window. " * 25


def make_pairs(plan: Path, *, form: str = "eli5-preference", text: str = "") -> Path:
    """A study of three questions; with a text, one whose answers are that long."""
    if not text:
        dataset, systems = write_inputs(plan.parent)
        make_study(plan, form, ItemSources(dataset, systems), overlap=3, seed=1)
        return plan
    pair = [{"system": "x", "text": f"One. {text}"}, {"system": "y", "text": f"Other. {text}"}]
    lines = [json.dumps({"id": str(number), "question": "Why?", "candidates": pair}) for number in range(3)]
    items = plan.with_suffix(".mine.jsonl")
    items.write_text("\n".join(lines), encoding="utf-8")
    make_study(plan, form, ItemSources(items=items), overlap=3, seed=1)
    return plan


def save(page: Any) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Save and go on").click()


def test_several_studies_on_one_server_keep_their_raters_and_share_one_admin_page(
    served_together: Any, chromium: Any, tmp_path: Path
) -> None:
    plans = [make_pairs(tmp_path / name) for name in ("first.toml", "second study.toml")]
    everything, (first, second) = served_together(*plans)
    rater = new_page(chromium)
    for link in (first, second):  # one after the other in one browser
        join(rater, link["join"])
        rater.keyboard.press("1")
        save(rater)
        rater.get_by_text("1 of at most 3 done").wait_for()
    rater.goto(first["join"].partition("/join/")[0] + "/next")  # still the rater of the first one
    rater.get_by_text("1 of at most 3 done").wait_for()
    admin = new_page(chromium)
    admin.goto(everything)
    assert admin.locator("tbody tr").all_inner_texts() == [
        "first\tWhich answer do you prefer?\t1 of 9",
        "second study\tWhich answer do you prefer?\t1 of 9",
    ]
    shoot(admin, "studies")
    assert violations(admin) == []
    for name in ("first", "second study"):
        admin.goto(everything)
        admin.get_by_role("link", name=name).click()
        admin.get_by_role("heading", name=f"Monitor: {name}").wait_for()
        admin.get_by_role("cell", name="r01").wait_for()
    stranger = new_page(chromium)
    stranger.goto(everything.partition("/enter/")[0])
    stranger.get_by_text("This page is for the researchers.").wait_for()
    shoot(stranger, "studies-refused")
    ERRORS.clear()  # of the page that was refused


def test_a_researcher_who_presses_begin_stays_the_researcher(served: Any, chromium: Any, tmp_path: Path) -> None:
    _, link = served(make_pairs(tmp_path / "study.toml"))
    page = new_page(chromium)
    page.goto(link["admin"])
    join(page, link["join"])
    page.goto(link["admin"].partition("/enter/")[0])
    page.get_by_role("heading", name="Monitor: study").wait_for()
    page.get_by_role("cell", name="r01").wait_for()
    page.get_by_label("Personal codes to make").fill("2")
    page.get_by_role("button", name="Make codes").click()
    page.get_by_text("Codes not used yet").wait_for()


def justification(number: int) -> dict[str, str]:
    """A line of Xu et al. 2023 of our own making."""
    return {
        "q_id": str(number), "id": str(number), "question_text": f"Who ruled in 18{number}0?",
        "answer1": "Kings ruled.", "answer2": "Nobody knows.", "answer1_label": "HMH[3]",
        "BetterAnswer": "Answer A", "DifficultToChoose": "No.",
        "comments": "Answer A names kings. Answer B says nothing, so A is better.",
        "annotator": "1", "lead_time": "20", "domain": "History", "annotator_file": "History_1",
    }  # fmt: skip


def test_gaps_of_a_justification_are_filled_by_one_key_for_each_answer(
    served: Any, chromium: Any, tmp_path: Path
) -> None:
    path = tmp_path / "xu2023.jsonl"
    path.write_text("".join(json.dumps(justification(number)) + "\n" for number in range(2)), encoding="utf-8")
    make_published(tmp_path / "experts.toml", f"xu2023:{path}")
    before = read_earlier(tmp_path / "experts.toml")
    make_study(tmp_path / "masks.toml", "masked-justification", ItemSources(before=before), overlap=1, seed=1)
    study, link = served(tmp_path / "masks.toml")
    page = new_page(chromium)
    join(page, link["join"])
    page.get_by_text("Answer [gap 1] names kings. Answer [gap 2] says nothing").wait_for()
    for key in "121":
        page.keyboard.press(key)
    assert [page.locator(f"input[name=mask_{gap}]:checked").input_value() for gap in range(3)] == ["A", "B", "A"]
    # The gaps stand where they are filled, not below the answers.
    assert page.locator("#answers").get_by_text("[gap 1]").is_visible()
    shoot(page, "masked-justification")
    assert_accessible(page)
    save(page)
    scores = json.loads(export_text(study, "masked-scores.json"))
    assert [(one["right"], one["masks"]) for one in scores.values()] == [(3, 3)]


def test_one_key_is_one_rank_for_the_next_answer(served: Any, chromium: Any, tmp_path: Path) -> None:
    _, page = begin(served, chromium, tmp_path, "ranking", references=True)
    for key in "312":
        page.keyboard.press(key)
    assert [page.locator(f"input[name=rank_{place}]:checked").input_value() for place in range(3)] == ["3", "1", "2"]


def test_keys_of_choices_can_be_switched_off_and_stay_off(served: Any, chromium: Any, tmp_path: Path) -> None:
    _, page = begin(served, chromium, tmp_path, "ranking", references=True)
    switch = page.get_by_role("checkbox", name="Choose by keys of one letter or digit")
    chosen = page.locator("#answers input:checked")
    switch.uncheck()
    assert not page.locator(".option kbd").first.is_visible()
    page.keyboard.press("3")
    assert chosen.count() == 0
    page.reload()
    page.keyboard.press("3")
    assert chosen.count() == 0
    shoot(page, "keys-off")
    assert_accessible(page)
    switch.check()
    page.keyboard.press("3")
    assert chosen.input_value() == "3"


def test_search_shows_the_words_that_were_searched_for_and_stays_in_sight(
    served: Any, chromium: Any, tmp_path: Path
) -> None:
    dataset, _ = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "ambig-generate", ItemSources(dataset), overlap=1, seed=1, corpus="sampler")
    study, link = served(plan)
    page = new_page(chromium)
    page.set_viewport_size(DESK)
    join(page, link["join"])
    page.get_by_label("Search for").fill("blood clot")
    page.get_by_role("button", name="Search").click()
    first = page.locator(".found li").first
    snippet = first.locator(".snippet")
    snippet.wait_for()
    assert "clot" in snippet.inner_text().lower()
    assert len(snippet.inner_text().split()) <= 32  # 30, and the dots at both ends
    shoot(page, "search-snippets")
    assert violations(page) == []
    with page.expect_response("**/viewed"):
        first.locator("summary").click()
    assert not snippet.is_visible()
    assert first.locator("p.prose").is_visible()
    page.get_by_role("button", name="Save and go on").scroll_into_view_if_needed()
    assert_in_window(first.locator("summary"))
    assert len(open_study(plan).items) == len(study.items)


def assert_in_window(element: Any) -> None:
    box = element.bounding_box()
    assert 0 <= box["y"] < DESK["height"], box


@pytest.mark.parametrize("form", ["expert-preference", "hurdles-ab", "eli5-preference"])
def test_long_answers_stay_in_sight_to_the_last_question(served: Any, chromium: Any, tmp_path: Path, form: str) -> None:
    _, link = served(make_pairs(tmp_path / "study.toml", form=form, text=LONG))
    page = new_page(chromium)
    page.set_viewport_size(DESK)
    join(page, link["join"])
    button = page.get_by_role("button", name="Save and go on")
    button.scroll_into_view_if_needed()
    assert_in_window(button)
    for heading in page.locator(".answer h2").all():
        assert_in_window(heading)
    # The rest of the answers is reached without leaving the questions.
    page.locator(".read").evaluate("one => one.scrollTo(0, one.scrollHeight)")
    assert_in_window(button)
    assert page.evaluate("document.documentElement.scrollHeight") < 1.7 * DESK["height"]


def test_words_are_marked_by_touch_on_a_phone(served: Any, chromium: Any, tmp_path: Path) -> None:
    dataset, systems = write_inputs(tmp_path)
    plan = tmp_path / "study.toml"
    make_study(plan, "coding", ItemSources(dataset, systems), overlap=1, seed=1)
    study, link = served(plan)
    page = new_page(chromium, has_touch=True, is_mobile=True, viewport=PHONE)
    join(page, link["join"])
    words = page.locator(".word")
    page.get_by_role("button", name="hallucination").tap()
    words.nth(1).tap()
    words.nth(3).tap()
    page.get_by_text("Draft saved").wait_for()
    shoot(page, "coding-touch")
    save(page)
    assert marks_of(study) == [("hallucination", [1, 4])]


def test_a_browser_that_keeps_nothing_still_sends_drafts_and_answers(
    served: Any, chromium: Any, tmp_path: Path
) -> None:
    study, link = served(make_pairs(tmp_path / "study.toml"))
    page = new_page(chromium)
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };")
    join(page, link["join"])
    page.keyboard.press("1")
    page.get_by_text("Draft saved").wait_for()
    save(page)
    assert len(list(judgments_of(study))) == 1


def test_words_are_marked_by_the_mouse_wherever_it_goes_down(served: Any, chromium: Any, tmp_path: Path) -> None:
    study, page = begin(served, chromium, tmp_path, "coding")
    page.get_by_role("button", name="hallucination").click()
    for share_of_word in (0.02, 0.5):
        drag(page, 1, 2, share_of_word)
        page.get_by_text("Marked as hallucination: 2 words.").wait_for()
        assert page.locator("[data-marks] li").count() == 1  # the same mark is not made twice
    # A tap after that is a tap, and keys go on from where they were.
    page.locator(".word").nth(3).click()
    page.get_by_text("Now the last word.").wait_for()
    page.locator(".word").nth(3).click()
    page.get_by_text("Marked as hallucination: 1 word.").wait_for()
    page.locator(".word[tabindex='0']").press("Enter")
    page.locator("[data-marks] li").nth(2).wait_for()
    save(page)
    assert marks_of(study) == [("hallucination", [1, 3]), ("hallucination", [3, 4]), ("hallucination", [0, 1])]


def drag(page: Any, first: int, last: int, share_of_word: float) -> None:
    """Press the mouse inside a word and release it inside another."""
    start, end = (page.locator(".word").nth(number).bounding_box() for number in (first, last))
    middle = start["y"] + start["height"] / 2
    page.mouse.move(start["x"] + share_of_word * start["width"], middle)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, middle, steps=5)
    page.mouse.up()


def marks_of(study: Study) -> list[tuple[str, list[int]]]:
    found = [span for one in judgments_of(study) if one.criterion == "spans" for span in one.value["spans"]]
    return [(span["label"], span["words"]) for span in found]
