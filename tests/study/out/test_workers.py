"""Crowd workers: their ids go in with the link and come out in every export."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from expound.study.engine.opened import Study
from expound.study.out.exports import export_text
from study.study_helpers import Browse, Browser, Make, judge_all, token_in


def join_as(browser: Browser, study: Study, query: str) -> str:
    """Join by a platform's link, up to the first item."""
    link = f"/join/{study.secret('join_token')}"
    page = browser.get(f"{link}?{query}").text
    hidden = {name: page.split(f'name="{name}" value="')[1].split('"')[0] for name in ("pid", "paid_for")}
    browser.post(link, data={"token": token_in(page), **hidden})
    token = token_in(browser.get("/").text)
    browser.post("/consent", data={"token": token, "agreed": "on"})
    return browser.post("/instructions", data={"token": token}).text


def rows_of(study: Study, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(export_text(study, name))))


@pytest.mark.parametrize(
    ("query", "worker", "paid_for"),
    [
        ("pid=w-1", "w-1", ""),
        ("PROLIFIC_PID=5f&STUDY_ID=x&SESSION_ID=s9", "5f", "s9"),
        ("workerId=A2&assignmentId=3X&hitId=h", "A2", "3X"),
        ("workerId=A2&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE", "", ""),
        ("", "", ""),
    ],
)
def test_the_ids_of_every_platform_are_kept(make: Make, browse: Browse, query: str, worker: str, paid_for: str) -> None:
    study = make()
    join_as(browse(study), study, query)
    (row,) = rows_of(study, "raters.csv")
    assert (row["worker"], row["assignment"]) == (worker, paid_for)


def test_a_workers_id_is_in_every_export_and_on_the_monitor(make: Make, browse: Browse) -> None:
    study = make(completion_code="auto")
    browser = browse(study)
    end = judge_all(browser, join_as(browser, study, "PROLIFIC_PID=5f"))
    for name in ("judgments.jsonl", "answers.jsonl"):
        assert {json.loads(line)["worker"] for line in export_text(study, name).splitlines()} == {"5f"}
    assert {row["worker"] for row in rows_of(study, "judgments.csv")} == {"5f"}
    (row,) = rows_of(study, "raters.csv")
    assert row["completion_code"] in end
    assert (row["code_state"], row["decision"]) == ("shown", "approve")
    admin = browse(study)
    assert "<td>5f</td>" in admin.get(f"/admin/enter/{study.secret('admin_secret')}").text


def test_who_finished_is_approved_who_failed_is_returned_and_the_others_wait(
    make: Make, browse: Browse, tmp_path: Path
) -> None:
    check = {"id": "c", "question": "Please choose a tie.", "expected": {"overall": "tie"},
             "candidates": [{"text": "One."}, {"text": "Two."}]}  # fmt: skip
    (tmp_path / "checks.jsonl").write_text(json.dumps(check) + "\n", encoding="utf-8")
    study = make("hurdles-ab", checks={"attention": tmp_path / "checks.jsonl"}, gold_every=1)
    careful, careless, slow = browse(study), browse(study), browse(study)
    judge_all(careful, join_as(careful, study, "pid=careful"), overall="tie")
    judge_all(careless, join_as(careless, study, "pid=careless"), overall="left")
    join_as(slow, study, "pid=slow")
    assert [row["worker"] for row in rows_of(study, "approve.csv")] == ["careful"]
    assert [(row["worker"], row["reason"]) for row in rows_of(study, "return.csv")] == [
        ("careless", "failed 1 of 1 checks")
    ]
    assert {row["worker"]: row["decision"] for row in rows_of(study, "raters.csv")}["slow"] == "wait"


def test_a_name_in_a_file_is_no_workers_id(make: Make) -> None:
    from expound.study import ForeignAnswer, take_in

    study = make("eli5-preference")
    item = next(iter(study.items.values())).item.id
    take_in(study, [ForeignAnswer(rater="Ann", item=item, sent={"overall": ["left"]}, seconds=1.0, where="here")])
    assert "Ann" not in export_text(study, "raters.csv") + export_text(study, "judgments.jsonl")
