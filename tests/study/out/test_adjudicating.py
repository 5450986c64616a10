"""Disagreements: a queue, one more rater or an expert, and everything that was said is kept."""

from __future__ import annotations

import json

from expound.study.engine.opened import Study
from expound.study.out.adjudicating import adjudicate, contested_items
from expound.study.out.exports import export_text
from expound.study.out.judgments import judgments_of
from study.study_helpers import Browse, Make, enter_as_admin, join, judge_all, token_in


def split(make: Make, browse: Browse) -> Study:
    """Two raters: one says tie throughout, the other is for the left one throughout."""
    study = make("hurdles-ab", overlap=2)
    for choice in ("tie", "left"):
        browser = browse(study)
        judge_all(browser, join(browser, study), overall=choice)
    return study


def test_items_on_which_raters_differ_wait_in_a_queue(make: Make, browse: Browse) -> None:
    study = split(make, browse)
    assert [one.item for one in contested_items(study)] == [placed.item.id for placed in study.items.values()]
    admin = browse(study)
    enter_as_admin(admin, study)
    page = admin.get("/admin/queue").text
    assert page.count("Ask one more rater") == 3
    assert "zebra" not in admin.get("/admin/decide/1").text  # the expert is blind too


def test_an_expert_decides_and_what_raters_said_stays(make: Make, browse: Browse) -> None:
    study = split(make, browse)
    admin = browse(study)
    token = token_in(enter_as_admin(admin, study))
    assert admin.post("/admin/decide/1", data={"token": token}).status_code == 422  # nothing was chosen
    admin.post("/admin/decide/1", data={"token": token, "overall": "right"})
    lines = [json.loads(line) for line in export_text(study, "adjudicated.jsonl").splitlines()]
    decided = [one for one in lines if one["criterion"] == "overall"]
    placed = study.items[1]
    assert [(one["item"], one["rater"], one["choice"]) for one in decided] == [
        (placed.item.id, "expert", placed.shown[1])
    ]
    assert len([one for one in judgments_of(study) if one.criterion == "overall"]) == 6
    assert [one.is_decided for one in contested_items(study)] == [False, False, True]


def test_one_more_rater_can_be_asked_and_the_majority_counts(make: Make, browse: Browse) -> None:
    study = split(make, browse)
    admin, third = browse(study), browse(study)
    token = token_in(enter_as_admin(admin, study))
    assert "Nothing to do at the moment" in join(browse(study), study)
    assert " · 1 more rater asked" in admin.post("/admin/more/2", data={"token": token}).text
    assert "<strong>6</strong> of 7 judgments" in admin.get("/admin").text  # one more is waited for
    assert "6 of 7 judgments are in" in admin.get("/admin/analysis").text
    assert "Your answer is saved" in judge_all(third, join(third, study), overall="tie")
    (one,) = [one for one in adjudicate(study) if one.criterion == "overall"]
    assert (one.item, one.rater, one.choice) == (study.items[2].item.id, "majority", "tie")


def test_an_item_on_which_nobody_differs_cannot_be_decided(make: Make, browse: Browse) -> None:
    study = make("hurdles-ab", overlap=2)
    admin = browse(study)
    enter_as_admin(admin, study)
    assert "Raters agree on everything so far." in admin.get("/admin/queue").text
    assert admin.get("/admin/decide/1").status_code == 404
