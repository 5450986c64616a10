"""Bounds, length, gaming and repetition: what they measure is what they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import worlds
from expound.audit.bounds import bounds
from expound.audit.gaming import gaming, shuffled_sentences, shuffled_words, swapped_names
from expound.audit.inputs import Inputs
from expound.audit.length_control import at_equal_length, curve, cut, length, repeat
from expound.audit.repetition import copies_question, is_unfinished, repetition
from expound.audit.verdict import CANNOT_TELL, NOT_RUN
from expound.score.results import Scorer
from expound.testing import write_jsonl
from expound.types import Answer, Prediction, Question, Sentence

WORDS = st.lists(st.sampled_from(["ann", "bo", "cy"]), max_size=40).map(" ".join)


def prediction(text: str, id: str = "q") -> Prediction:
    return Prediction(id, "", "", Answer(text))


@given(WORDS, st.sampled_from([0.1, 0.3, 0.5, 0.8, 1.0]))
def test_a_cut_answer_is_a_beginning_and_a_repeated_one_has_the_old_length(text: str, fraction: float) -> None:
    assert text.startswith(cut(text, fraction))
    assert len(repeat(text, fraction).split()) == len(text.split())
    assert repeat(text, fraction).startswith(cut(text, fraction))


def test_at_equal_length_both_answers_have_the_words_of_the_shorter() -> None:
    first, second = at_equal_length(prediction("one two three"), prediction("four five"))
    assert (first.answer.text, second.answer.text) == ("one two", "four five")


def test_the_curve_ends_at_the_score_of_the_whole_answer(tmp_path: Path) -> None:
    inputs = worlds.audited(worlds.world(tmp_path, n=10), worlds.clean)
    points = curve(inputs)
    assert [point.fraction for point in points] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0]
    assert points[-1].cut["rouge_l"].value == inputs.quality["rouge_l"].value
    assert points[0].words < points[-1].words


def test_an_empty_answer_has_no_second_half(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), lambda question, evidence, random: "")
    found = {verdict.check: verdict for verdict in length(made).verdicts}
    assert found["second-half"].outcome == CANNOT_TELL


def test_another_system_is_compared_at_equal_length(tmp_path: Path) -> None:
    made = worlds.world(tmp_path, n=12)
    ours, theirs = worlds.audited(made, worlds.clean), worlds.audited(made, worlds.pads)
    table = length(replace(theirs, other=ours.predictions)).tables[-1]
    assert table.title == "Against the other system"
    as_they_are, at_equal = (float(str(value).split(" ")[0]) for value in table.rows[0][1:])
    assert as_they_are < -1
    assert at_equal == 0  # the padding is all that differs


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_shuffling_keeps_every_word(texts: list[str]) -> None:
    for shuffle in (shuffled_words, shuffled_sentences):
        spoilt = shuffle(texts, Random(0))
        assert [sorted(text.split()) for text in spoilt] == [sorted(text.split()) for text in texts]


def test_names_are_swapped_for_names_and_numbers_for_numbers() -> None:
    texts = ["We saw Ostrand in 1830.", "We met Aurora Bay in 1999."]
    assert swapped_names(texts, Random(1)) == ["We saw Aurora Bay in 1999.", "We met Ostrand in 1830."]


def test_rouge_one_does_not_notice_word_salad(tmp_path: Path) -> None:
    inputs = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    section = gaming(replace(inputs, scorer=Scorer(["Eli5Rouge(kind='1')"])))
    row = dict(zip(section.tables[0].columns, section.tables[0].rows[0], strict=True))
    assert str(row["shuffled words"]).startswith(("0.0", "-0.0"))
    assert float(str(row["swapped answers"]).split(" ")[0]) > 30


def test_bounds_of_training_answers_need_training_answers(tmp_path: Path) -> None:
    inputs = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean, train=False)
    section = bounds(inputs)
    assert [row[0] for row in section.tables[0].rows] == [
        "system", "the question, five times", "longest reference", "best reference",
    ]  # fmt: skip
    bare = write_jsonl(tmp_path / "bare.jsonl", [{"id": "t", "question": "Why?"}])
    noted = bounds(replace(inputs, train=f"qa:{bare}"))
    assert any(note.startswith("Left out, a random training answer") for note in noted.notes)


def test_without_references_nothing_is_scored_and_repetition_still_runs() -> None:
    questions = tuple(Question(f"q{number}", f"Why {number}?") for number in range(12))
    answers = {question.id: prediction("Because it is so.", question.id) for question in questions}
    inputs = Inputs(questions, answers, Scorer("eli5"))
    for control in (bounds, length, gaming):
        assert {verdict.outcome for verdict in control(inputs).verdicts} == {NOT_RUN}
    assert NOT_RUN not in {verdict.outcome for verdict in repetition(inputs).verdicts}


@pytest.mark.parametrize(
    ("text", "copies"),
    [
        ("Why are boats white? Why are boats white?", True),
        ("Because paint is cheap and cool.", False),
        ("boats", True),
        ("", False),
    ],
)
def test_copies_of_the_question_are_known(text: str, copies: bool) -> None:
    assert copies_question(Question("q", "Why are boats white?"), text) == copies


@pytest.mark.parametrize(
    ("text", "unfinished"), [("It is so.", False), ("It is so", True), ('He said "no."', False), ("One:\n- two", True)]
)
def test_answers_that_break_off_are_known(text: str, unfinished: bool) -> None:
    assert is_unfinished(text) == unfinished


@pytest.mark.parametrize(("kind", "unfinished"), [("sentence", 100.0), ("code", None), ("steps", None)])
def test_answers_that_end_in_code_or_in_a_list_do_not_break_off(kind: str, unfinished: float | None) -> None:
    questions = tuple(Question(str(number), f"How is it built ({number})?") for number in range(20))
    entry = Sentence("sudo make install", "sudo make install", (1,), kind)
    told = Prediction("", "", "s", Answer("Build it: sudo make install", (entry,)))
    answers = {question.id: replace(told, id=question.id, question=question.text) for question in questions}
    [verdict] = [
        verdict
        for verdict in repetition(Inputs(questions, answers, Scorer("eli5"))).verdicts
        if verdict.check == "unfinished-answers"
    ]
    assert verdict.estimate is not None
    assert (verdict.estimate.n, verdict.estimate.value if verdict.estimate.n else None) == (
        20 if unfinished else 0,
        unfinished,
    )
