"""The whole way through a study, and what may not happen on it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
import sqlalchemy as sa

from expound.study.design.items import Item, SystemAnswer
from expound.study.design.side_orders import draw_order, draw_orders
from expound.study.engine.opened import Study, open_study
from expound.study.engine.schema import assignments, events, messages, raters, submissions
from expound.study.out.judgments import judgments_of
from expound.study.out.monitor import status_of
from expound.types import Judgment
from study.study_helpers import (
    GOOD,
    Browse,
    Make,
    action_of,
    enter_as_admin,
    fill,
    hidden,
    join,
    judge_all,
    token_in,
)


def rows(study: Study, table: sa.Table) -> list[Any]:
    with study.store.reading() as connection:
        return list(connection.execute(sa.select(table)))


def test_three_raters_judge_everything_and_every_judgment_is_exported(make: Make, browse: Browse) -> None:
    study = make(overlap=3)
    for _ in range(3):
        browser = browse(study)
        assert "All 3 answers are saved" in judge_all(browser, join(browser, study))
    found = list(judgments_of(study))
    assert len(found) == 3 * 3 * (3 + 2)  # three criteria, and boxes for each of two answers
    assert {judgment.rater for judgment in found} == {"r01", "r02", "r03"}
    with study.store.reading() as connection:
        assert status_of(study, connection).complete_items == 3


def test_left_and_right_become_a_and_b_by_the_order_on_record(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study))
    for judgment in judgments_of(study):
        if judgment.criterion == "resolving":  # always the left one
            assert judgment.choice == judgment.shown[0]
        if judgment.criterion == "captured":  # everything on the left, nothing on the right
            on_the_left = {"ab": "zebra", "ba": "quokka"}[judgment.shown]
            assert judgment.value == [judgment.a == on_the_left] * 2


SYSTEMS = ("zebra", "quokka", "okapi")


def left_counts(found: Iterable[Judgment]) -> Counter[tuple[str, str]]:
    """How often the first of two systems stood left, minus how often the second did."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in found:
        first, second = sorted((one.a, one.b))
        on_the_left = one.a if one.shown == "ab" else one.b
        counts[first, second] += 1 if on_the_left == first else -1
    return counts


def test_each_rater_and_the_study_see_every_pair_of_systems_as_often_each_way(make: Make, browse: Browse) -> None:
    study = make("eli5-preference", overlap=6, systems=SYSTEMS, pairing="all")
    for _ in range(6):
        browser = browse(study)
        judge_all(browser, join(browser, study), overall="left")
    found = list(judgments_of(study))
    assert len(found) == 6 * 9
    for rater in {one.rater for one in found}:
        assert all(abs(count) <= 1 for count in left_counts(one for one in found if one.rater == rater).values())
    assert all(abs(count) <= 2 for count in left_counts(found).values())
    assert len({tuple(one.shown for one in found if one.rater == rater) for rater in {one.rater for one in found}}) > 1


@pytest.mark.parametrize("seed", range(20))
def test_checks_do_not_tip_the_balance_of_the_data(seed: int) -> None:
    pair = (SystemAnswer("zebra", "One."), SystemAnswer("quokka", "Two."))
    items = [Item(f"m{n}", "q", "?", candidates=pair if n % 3 else pair[::-1]) for n in range(6)]
    gold = [Item(f"g{n}", "q", "?", "gold", candidates=pair) for n in range(5)]
    orders = list(draw_orders([*items, *gold], seed=seed))
    left = [item.candidates[shown == "ba"].system for item, shown in zip(items, orders, strict=False)]
    assert Counter(left) == {"zebra": 3, "quokka": 3}


def test_the_same_seed_draws_the_same_sides_and_another_one_others() -> None:
    pair = (SystemAnswer("zebra", "One."), SystemAnswer("quokka", "Two."))
    item = Item("m", "q", "?", candidates=pair)
    drawn = {seed: [draw_order(item, seed=seed, rater=1, seen=n) for n in range(40)] for seed in (1, 2)}
    assert drawn[1] == [draw_order(item, seed=1, rater=1, seen=n) for n in range(40)]
    assert drawn[1] != drawn[2]


def test_a_single_answer_has_no_sides_to_draw(make: Make) -> None:
    assert {placed.shown for placed in make("eli5-rating").items.values()} == {"ab"}


# What each version brought, taken back.
UNDONE = {
    "0004": [
        "DROP TABLE decisions",
        "ALTER TABLE items DROP COLUMN more_raters",
        "ALTER TABLE messages DROP COLUMN is_read",
        "ALTER TABLE raters DROP COLUMN paid_for",
    ],
    "0003": ["ALTER TABLE assignments DROP COLUMN shown"],
    "0002": [
        "DROP INDEX assignments_by_item",
        "CREATE INDEX assignments_by_item ON assignments (item, state)",
    ],
}


def make_older(study: Study, version: str) -> None:
    """The database as an earlier version wrote it."""
    with study.store.writing() as connection:
        for statement in [one for name, undone in UNDONE.items() if name > version for one in undone]:
            connection.execute(sa.text(statement))
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{version}'"))


def test_what_was_shown_before_sides_were_drawn_by_rater_stays_as_it_was(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study))
    make_older(study, "0002")
    again = open_study(study.plan.folder / "study.toml")
    by_item = {placed.item.id: placed.shown for placed in again.items.values()}
    assert {one.item: one.shown for one in judgments_of(again)} == by_item


def test_sides_are_drawn_once_and_as_often_each_way(make: Make) -> None:
    study = make()
    orders = Counter(placed.shown for placed in study.items.values())
    assert abs(orders["ab"] - orders["ba"]) <= 1
    again = open_study(study.plan.folder / "study.toml")
    assert [placed.shown for placed in again.items.values()] == [placed.shown for placed in study.items.values()]


def test_no_item_gets_more_raters_than_the_overlap(make: Make, browse: Browse) -> None:
    study = make(overlap=2)
    browsers = [browse(study) for _ in range(4)]
    pages = [join(browser, study) for browser in browsers]
    for browser, page in zip(browsers, pages, strict=True):
        judge_all(browser, page)
    counts = Counter(row.item for row in rows(study, assignments))
    assert set(counts.values()) == {2}


def test_items_fill_up_evenly(make: Make, browse: Browse) -> None:
    study = make(overlap=3)
    for _ in range(3):
        browser = browse(study)
        page = join(browser, study)
        browser.post(action_of(page), data=fill(page))  # one is judged, the next one is open
    assert set(Counter(row.item for row in rows(study, assignments)).values()) == {2}


def test_the_same_page_sent_twice_is_one_judgment(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    for _ in range(3):
        assert "Saved" in browser.post(action_of(page), data=fill(page)).text
    assert len(rows(study, submissions)) == 1


def test_a_page_sent_twice_at_the_same_moment_is_one_judgment(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    data, action, codes = fill(page), action_of(page), []
    cookies = dict(browser.cookies)

    def click() -> None:
        other = browse(study)
        other.cookies.update(cookies)
        codes.append(other.post(action, data=data).status_code)

    clicks = [threading.Thread(target=click) for _ in range(8)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert codes == [200] * 8
    assert len(rows(study, submissions)) == 1


def test_going_back_and_saving_again_is_a_new_version_of_one_judgment(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page))
    again = browser.get(action_of(page)).text
    browser.post(action_of(page), data=fill(again, **{**GOOD, "overall": "left"}))
    assert [row.version for row in rows(study, submissions)] == [1, 2]
    overall = [judgment for judgment in judgments_of(study) if judgment.criterion == "overall"]
    assert [judgment.choice for judgment in overall] == [overall[0].shown[0]]


def test_a_second_tab_does_not_overwrite_what_the_first_one_saved(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    first = join(browser, study)
    second = browser.get(action_of(first)).text
    browser.post(action_of(first), data=fill(first))
    answer = browser.post(action_of(second), data=fill(second, **{**GOOD, "overall": "left"}))
    assert answer.status_code == 409
    assert 'value="left" checked' in answer.text  # what was filled in is still there
    assert len(rows(study, submissions)) == 1
    browser.post(action_of(second), data=fill(answer.text, **{**GOOD, "overall": "left"}))
    assert [row.version for row in rows(study, submissions)] == [1, 2]


def test_a_draft_is_there_after_coming_back_with_the_code(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    draft = fill(page, overall="right", comment="half done")
    assert browser.post(action_of(page) + "/draft", data=draft).text == "Draft saved"
    code = browser.get("/mine").text.split("Your code: <strong>")[1].split("<")[0]
    elsewhere = browse(study)
    link = f"/join/{study.secret('join_token')}"
    resumed = elsewhere.post(link, data={"token": token_in(elsewhere.get(link).text), "code": code.lower()}).text
    assert action_of(resumed) == action_of(page)
    assert "half done" in resumed
    assert rows(study, submissions) == []


def test_a_draft_that_comes_after_the_answer_changes_nothing(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page))
    late = browser.post(action_of(page) + "/draft", data=fill(page, overall="left"))
    assert rows(study, assignments)[0].draft == "{}"
    assert late.status_code == 409  # the page must not say that it is saved
    assert "Draft saved" not in late.text


def test_an_incomplete_answer_is_not_taken_and_not_lost(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    answer = browser.post(action_of(page), data=fill(page, overall="left"))
    assert answer.status_code == 422
    assert "Please answer: Which answer is more fluent?" in answer.text
    assert 'value="left" checked' in browser.get(action_of(page)).text


def test_a_parked_item_waits_and_its_question_gets_a_reply(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    parked = action_of(page)
    following = browser.post(parked + "/park", data=fill(page, question_to_admin="Does a nickname count?")).text
    assert action_of(following) != parked
    assert "Only parked items are left" in judge_all(browser, following)
    monitor = enter_as_admin(admin, study)
    assert "Does a nickname count?" in monitor
    message = rows(study, messages)[0].id
    admin.post(f"/admin/reply/{message}", data={"token": token_in(monitor), "text": "Yes.", "is_public": "yes"})
    assert "Yes." in browser.get(parked).text
    assert "Does a nickname count?" in browser.get("/instructions").text
    assert "All 3 answers are saved" in judge_all(browser, browser.get(parked).text)


def test_an_item_that_nobody_works_on_goes_to_someone_else(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    idle = browse(study)
    join(idle, study)
    with study.store.writing() as connection:
        connection.execute(sa.update(assignments).values(touched=0.0))
    browser = browse(study)
    assert "All 3 answers are saved" in judge_all(browser, join(browser, study))


def test_withdrawing_deletes_what_was_entered_and_the_history_says_so(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page, **GOOD, comment="my secret"))
    token = token_in(browser.get("/mine").text)
    assert "cannot be undone" in browser.post("/withdraw", data={"token": token}).text
    browser.post("/withdraw", data={"token": token, "confirmed": "yes"})
    assert rows(study, submissions) == rows(study, assignments) == rows(study, messages) == []
    assert "withdrawn" in [row.kind for row in rows(study, events)]
    assert "my secret" not in str(rows(study, events))
    assert browser.get("/next").status_code == 401


def test_the_history_can_only_grow(make: Make) -> None:
    study = make()
    for change in (sa.update(events).values(kind="nothing"), sa.delete(events)):
        with pytest.raises(sa.exc.DBAPIError, match="append-only"), study.store.writing() as connection:
            connection.execute(change)


def test_active_time_never_exceeds_the_time_since_the_item_was_opened(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    began = time.monotonic()
    page = join(browser, study)
    browser.post(action_of(page), data={**fill(page), "seconds": "5000"})
    assert 0 <= rows(study, submissions)[0].seconds <= time.monotonic() - began + 1  # the clocks may round


@pytest.mark.parametrize("seconds", ["nan", "-inf", "-5", "much", ""])
def test_a_nonsense_time_is_no_time(make: Make, browse: Browse, seconds: str) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data={**fill(page), "seconds": seconds})
    assert rows(study, submissions)[0].seconds == 0


def test_raters_of_one_item_have_their_own_drafts_and_answers(make: Make, browse: Browse) -> None:
    study = make(overlap=3)
    one, two = browse(study), browse(study)
    page = join(one, study)
    one.post(action_of(page), data=fill(page, **GOOD, comment="only mine"))
    assert "only mine" not in judge_all(two, join(two, study)) + two.get("/mine").text


def test_a_submission_id_of_another_item_is_refused(make: Make, browse: Browse) -> None:
    study = make()
    browser = browse(study)
    page = join(browser, study)
    following = browser.post(action_of(page), data=fill(page)).text
    replayed = {**fill(following), "submission": hidden(page, "submission")}
    assert browser.post(action_of(following), data=replayed).status_code == 409
    assert len(rows(study, submissions)) == 1


def test_the_database_is_for_its_owner_alone(make: Make) -> None:
    study = make()
    assert (study.plan.folder / "study.db").stat().st_mode & 0o077 == 0


def test_the_admin_reads_a_raters_answers_and_may_comment_on_each(make: Make, browse: Browse) -> None:
    study = make()
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page, **GOOD, comment="so so"))
    assert 'href="/admin/answers/1"' in enter_as_admin(admin, study)
    found = admin.get("/admin/answers/1").text
    assert "so so" in found
    assert "/admin/feedback/1" in found


def test_a_reply_is_news_until_the_rater_has_read_it(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page))
    token = token_in(enter_as_admin(admin, study))
    answer = admin.post("/admin/feedback/1", data={"token": token, "text": "Look at the year."})
    assert answer.url.path == "/admin/answers/1"  # the page stays
    assert "Sent." in answer.text
    mine = browser.get("/mine").text
    assert "1 new" in mine
    assert mine.count("New reply") == 1
    assert "Look at the year." in browser.get(action_of(page)).text
    mine = browser.get("/mine").text
    assert "1 new" not in mine
    assert "New reply" not in mine


def test_messages_and_answers_are_shown_with_what_they_are_about(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page, **GOOD, comment="so so"))
    monitor = enter_as_admin(admin, study)
    view = study.view(study.items[rows(study, assignments)[0].item])
    assert view.question in monitor
    found = admin.get("/admin/answers/1").text
    assert all(text in found for text in view.texts)
    assert "Which answer is better overall?" in found


def test_the_progress_says_how_many_there_are(make: Make, browse: Browse) -> None:
    study = make(items_per_rater=2)
    assert "0 of 2 done" in join(browse(study), study)
    other = make(name="other")
    assert "0 of at most 3 done" in join(browse(other), other)


def test_a_code_is_enough_where_a_session_has_ended(make: Make, browse: Browse) -> None:
    study = make()
    page = join(browse(study), study)
    code = rows(study, raters)[0].code
    later = browse(study)
    signed_out = later.get(action_of(page))
    assert signed_out.status_code == 401
    wrong = later.post("/code", data={"token": token_in(signed_out.text), "code": "WRONG"})
    assert wrong.status_code == 401
    assert "There is no such code" in wrong.text
    assert 'id="answers"' in later.post("/code", data={"token": token_in(wrong.text), "code": code}).text


def test_a_database_of_the_first_version_is_brought_up_to_date(make: Make, browse: Browse) -> None:
    study = make(overlap=1)
    browser = browse(study)
    judge_all(browser, join(browser, study))
    make_older(study, "0001")
    again = open_study(study.plan.folder / "study.toml")
    (index,) = sa.inspect(again.store.engine).get_indexes("assignments")
    assert index["column_names"] == ["item", "state", "touched"]
    assert len(list(judgments_of(again))) == 3 * 5
