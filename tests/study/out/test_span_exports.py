"""Marked words: offsets, overlapping marks, agreement, and marks that others have published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.agreement.marked_spans import span_agreement
from expound.errors import BadRecord, UserError
from expound.study import analyze_study, look_at, make_published
from expound.study.out.judgments import judgments_of
from expound.types import Judgment
from golden import SHARED
from study.study_helpers import Browse, Make, action_of, fill, join


def marked(rater: str, *spans: tuple[str, int, int], item: str = "1", words: int = 10) -> Judgment:
    """What a rater marked: label, first word, word after the last."""
    value: dict[str, Any] = {"words": {"s": words}}
    value["spans"] = [{"label": label, "system": "s", "words": [start, end]} for label, start, end in spans]
    return Judgment("study", "coding", item, item, rater, "spans", a="s", value=value)


def test_two_who_mark_the_same_words_agree_fully() -> None:
    found = span_agreement([marked(rater, ("x", 2, 5)) for rater in "rs"], seed=0, samples=10)
    assert found.alpha[""].value == 1
    assert found.pairs[0].f1 == 1


def test_alpha_over_words_is_that_of_its_definition() -> None:
    found = span_agreement([marked("r", ("x", 0, 4)), marked("s", ("x", 2, 5))], seed=0, samples=10)
    # Three of ten words differ. Seven of twenty values are marks: by chance 2 * 7 * 13 of 20 * 19 pairs would.
    assert found.alpha[""].value == pytest.approx(1 - 0.3 / (2 * 7 * 13 / (20 * 19)))
    assert found.pairs[0].f1 == pytest.approx(2 * 2 / (4 + 3))


def test_overlapping_marks_are_counted_by_label_too() -> None:
    judgments = [marked("r", ("x", 0, 4), ("y", 2, 6)), marked("s", ("x", 0, 4), ("y", 3, 6))]
    found = span_agreement(judgments, seed=0, samples=10)
    assert found.alpha["x"].value == 1
    assert 0 < found.alpha["y"].value < 1
    assert found.pairs[0].f1 == pytest.approx(2 * 7 / (8 + 7))


def test_answers_of_one_rater_count_for_nothing() -> None:
    found = span_agreement([marked("r", ("x", 0, 1)), marked("s", ("x", 0, 1), item="2")], seed=0, samples=10)
    assert (found.answers, found.words, found.pairs) == (0, 0, ())


def test_a_mark_must_stand_where_it_says(make: Make, browse: Browse) -> None:
    study = make("coding", overlap=1)
    browser = browse(study)
    page = join(browser, study)
    wrong = json.dumps({"label": "repetition", "place": 0, "start": 3, "end": 9, "quote": "Answer"})
    answer = browser.post(action_of(page), data=fill(page, spans=wrong))
    assert answer.status_code == 422
    assert "is not in the answer" in answer.text
    for broken in (
        '{"label": "repetition"',
        '{"label": "repetition", "place": 7, "start": 0, "end": 2, "quote": "An"}',
    ):
        assert browser.post(action_of(page), data=fill(page, spans=broken)).status_code in (200, 422)


def test_offsets_are_of_characters_also_beyond_the_first_plane(make: Make, browse: Browse, tmp_path: Path) -> None:
    item = {"id": "1", "question": "Why?", "candidates": [{"system": "s", "text": "\U0001f426 birds sing"}]}
    (tmp_path / "items.jsonl").write_text(json.dumps(item), encoding="utf-8")
    study = make("coding", overlap=1, items=tmp_path / "items.jsonl")
    browser = browse(study)
    page = join(browser, study)
    mark = json.dumps({"label": "repetition", "place": 0, "start": 2, "end": 7, "quote": "birds"})
    browser.post(action_of(page), data=fill(page, spans=mark))
    (value,) = [one.value for one in judgments_of(study) if one.criterion == "spans"]
    assert value["spans"][0]["words"] == [1, 2]


HALU = {
    "source_file": "one.txt", "annotator": "ann", "question_text": "Why?", "ans1_text": "It is so. Because of x.",
    "ans2_text": "Nobody knows.", "ans1_label": "human", "ans2_label": "model", "category": "law",
    "factuality_span": "['Because of x.']", "irrelevance_span": "['Nobody knows']", "incomplete_ans_span": "[]",
    "ques_misconception_span": "['Why is it?']", "reference_example_span": "",
}  # fmt: skip


def test_published_marks_become_a_study(tmp_path: Path) -> None:
    (tmp_path / "halu.jsonl").write_text(json.dumps(HALU), encoding="utf-8")
    made = make_published(tmp_path / "study.toml", f"haluquestqa:{tmp_path}/halu.jsonl")
    assert (made.answers, made.lost) == (2, 1)
    spans = [one.value["spans"] for one in judgments_of(made.study) if one.criterion == "spans"]
    assert [(one[0]["label"], one[0]["quote"], one[0]["system"]) for one in spans] == [
        ("not factual", "Because of x", "human"),
        ("irrelevant", "Nobody knows", "model"),
    ]


def test_a_published_study_is_over_when_all_its_raters_are_in(tmp_path: Path) -> None:
    row = {
        "q_id": "q", "a_id": "a", "question": "Why?", "dataset": "eli5", "answer_paragraph": "So. Thus.",
        "answer_sentences": ["So.", "Thus."], "raw_role_annotation": [["Answer"] * 3, ["Miscellaneous"] * 3],
    }  # fmt: skip
    (tmp_path / "roles.jsonl").write_text(json.dumps(row), encoding="utf-8")
    status = look_at(make_published(tmp_path / "study.toml", f"xu2022:{tmp_path}/roles.jsonl").study)
    assert (status.judgments, status.wanted, status.overlap) == (3, 3, 3)


def test_what_is_not_published_marks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(BadRecord, match="line 1: not a line of a published study"):
        make_published(tmp_path / "study.toml", f"xu2022:{tmp_path}/odd.jsonl")
    with pytest.raises(UserError, match="no published study named 'eli5'"):
        make_published(tmp_path / "study.toml", "eli5:x")
    assert not (tmp_path / "study.toml").exists()


@pytest.mark.parametrize(
    ("layout", "name", "answers", "marks"),
    [
        ("haluquestqa", "haluquestqa_expert_error_spans_349", 698, 788),
        ("xu2022", "xu2022_functional_roles_357", 1071, 7188),
    ],
)
@pytest.mark.slow
def test_the_published_files_are_taken_in(tmp_path: Path, layout: str, name: str, answers: int, marks: int) -> None:
    path = SHARED / "data" / "human_judgments" / f"{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip("the published files are not here")
    made = make_published(tmp_path / "study.toml", f"{layout}:{path}")
    marked = [one.value["spans"] for one in judgments_of(made.study) if one.criterion == "spans"]
    assert (made.answers, sum(map(len, marked))) == (answers, marks)
    (found,) = analyze_study(made.study, samples=10).overall.spans
    assert found.criterion == "spans"
