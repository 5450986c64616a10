"""Topic and form: answers to other questions, raw JSON and markup are told, and nothing else is blamed for them."""

from __future__ import annotations

import doctest
import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import worlds
from expound.audit import raw_output
from expound.audit.controls import run_controls
from expound.audit.inputs import Inputs, with_text
from expound.audit.raw_output import form_of, special_token
from expound.audit.swap import of_others
from expound.audit.topic import off_topic
from expound.audit.verdict import CANNOT_TELL, FAIL, NOT_RUN, PASS, Verdict
from expound.types import Interpretation, Question

BLAMED = ("second-half", "length-correlation", "swapped-answers", "shuffled-words")


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    folder = tmp_path_factory.mktemp("world")
    return worlds.audited(worlds.world(folder, n=40), worlds.clean, train=False)


def spoilt(inputs: Inputs, texts: list[str]) -> Inputs:
    """The same audit with other answers."""
    pairs = zip(inputs.questions, texts, strict=True)
    return replace(inputs, predictions={q.id: with_text(inputs.predictions[q.id], text) for q, text in pairs})


def checks(inputs: Inputs) -> dict[str, Verdict]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning of numpy would reach the user's screen
        return {verdict.check: verdict for verdict in run_controls(inputs, skip=["grounding", "overlap"]).verdicts}


def test_answers_to_other_questions_are_off_topic_and_the_metric_is_not_blamed(clean: Inputs) -> None:
    found = checks(spoilt(clean, of_others(clean.answers(), seed=3)))
    assert found["off-topic"].outcome == FAIL
    assert [found[name].outcome for name in BLAMED] == [NOT_RUN] * 4
    assert "these are off topic" in found["shuffled-words"].sentence


def test_references_of_other_questions_are_off_topic(clean: Inputs) -> None:
    references = [question.references[0] for question in clean.questions]
    assert checks(spoilt(clean, of_others(references, seed=3)))["off-topic"].outcome == FAIL


def test_passages_of_other_questions_are_off_topic(clean: Inputs) -> None:
    passages = [clean.predictions[question.id].evidence[0].passage.text for question in clean.questions]
    assert checks(spoilt(clean, of_others(passages, seed=3)))["off-topic"].outcome == FAIL


def test_sound_answers_are_on_topic_and_texts_to_read(clean: Inputs) -> None:
    found = checks(clean)
    assert [found[name].outcome for name in ("off-topic", "raw-output", "markdown", *BLAMED)] == [PASS] * 7


def test_the_words_of_readings_and_references_belong_to_the_topic() -> None:
    reading = Interpretation("Who won in 1990?", ("Ostrand",))
    questions = [Question("0", "Who won?", interpretations=(reading,)), Question("1", "Why?", ("Because of rain.",))]
    assert off_topic(questions, ["Ostrand did.", "Rain fell."], seed=0) == [False, False]
    assert off_topic(questions, ["Rain fell.", "Ostrand did."], seed=0) == [True, True]


def test_what_shares_no_word_with_any_question_is_left_out() -> None:
    questions = [Question(str(n), f"What is number{n}?") for n in range(20)]
    assert off_topic(questions, ["yes"] * 20, seed=0) == [None] * 20
    assert off_topic(questions[:1], ["number0"], seed=0) == [None]


def test_questions_that_ask_the_same_are_not_others() -> None:
    questions = [Question(str(n), "What is a wreck?") for n in range(20)]
    assert off_topic(questions, ["A wreck is a ship."] * 20, seed=0) == [None] * 20


@given(st.lists(st.text(max_size=40), min_size=2, max_size=12), st.integers(0, 9))
def test_any_text_can_be_held_beside_any_question(texts: list[str], seed: int) -> None:
    questions = [Question(str(place), text) for place, text in enumerate(texts)]
    assert len(off_topic(questions, texts[::-1], seed=seed)) == len(texts)


AS_JSON = json.dumps({"answer": "Because it rained.", "citations": [1]})


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (AS_JSON, "JSON"),
        (AS_JSON[:20], "JSON"),
        (f"```json\n{AS_JSON}\n```", "JSON"),
        ("{'answer': 'Because.'}", "JSON"),
        ('["Because.", "It rained."]', "JSON"),
        ('Here it is: {"a": 1, "b": [2]}', "JSON"),
        ("<p>Because it rained.</p>", "tags"),
        ("<answer>Because.</answer>", "tags"),
        ("<think>Hm.</think> Because.", "tags"),
        ("## Why\n\nBecause.", "Markdown"),
        ("```\nBecause.\n```", "Markdown"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "Markdown"),
        ("- **Rain**: it fell.\n- **Snow**: it too.", "Markdown"),
        ("See [one](https://a.org) and [two](https://b.org).", "Markdown"),
        ("Because it rained.", ""),
        ("It was **very** wet, as **everyone** knows.", ""),
        ("- It rained.\n- It snowed.", ""),
        ("1. It rained.\n2. It snowed.", ""),
        ("It rained [1]. See the sets {1, 2} and [3, 4].", ""),
        ("[Music] It rained.", ""),
        ("If a < b and c > d, then so.", ""),
        ("It rained.<br>Then it snowed.", ""),
        ("It rained.</s>", ""),
        ("#1 is rain, # 2 snow.", ""),
        ("", ""),
    ],
)
def test_the_form_of_a_text_is_known(text: str, form: str) -> None:
    assert form_of(text) == form


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(raw_output).failed == 0


@pytest.mark.parametrize(
    ("check", "write"),
    [
        ("raw-output", lambda text: json.dumps({"reasoning": text, "answer": text})),
        ("raw-output", lambda text: f"<div><p>{text}</p></div>"),
        ("markdown", lambda text: f"# Answer\n\n{text}\n\n```\n{text}\n```"),
    ],
)
def test_raw_answers_are_told_and_not_taken_for_broken_off(
    clean: Inputs, check: str, write: Callable[[str], str]
) -> None:
    found = checks(spoilt(clean, [write(text) for text in clean.answers()]))
    assert found[check].outcome == FAIL
    assert found["unfinished-answers"].outcome == CANNOT_TELL
    if check == "raw-output":
        assert [found[name].outcome for name in BLAMED] == [NOT_RUN] * 4


def test_a_special_token_is_noted_and_not_taken_for_markup(clean: Inputs) -> None:
    assert (special_token("So.</s>"), special_token("So.<|im_end|>"), special_token("So.")) == (
        "</s>",
        "<|im_end|>",
        "",
    )
    told = spoilt(clean, [f"{text}</s>" for text in clean.answers()])
    [section] = run_controls(told, skip=["grounding", "overlap", "bounds", "length", "gaming", "repetition"]).sections
    assert section.verdicts[1].outcome == PASS
    assert "40 answers have a special token of a language model in them, such as </s>." in section.notes


def test_empty_answers_are_told_once_and_blamed_on_nothing_else(clean: Inputs) -> None:
    texts = ["" if place % 2 else text for place, text in enumerate(clean.answers())]
    found = checks(spoilt(clean, texts))
    assert found["empty-answers"].outcome == FAIL
    assert found["length-correlation"].outcome != FAIL
    assert {verdict.check for verdict in found.values() if verdict.outcome == FAIL} == {"empty-answers"}


def test_an_audit_of_nothing_but_empty_answers_gives_no_warning(clean: Inputs) -> None:
    found = checks(spoilt(clean, [""] * 40))
    assert {verdict.check for verdict in found.values() if verdict.outcome == FAIL} == {
        "empty-answers",
        "trivial-baseline",
    }


def test_few_answers_with_a_score_give_no_warning(clean: Inputs) -> None:
    texts = [text if place < 2 else "zzz" for place, text in enumerate(clean.answers())]
    found = checks(spoilt(clean, texts))
    assert found["swapped-answers"].outcome == CANNOT_TELL


def test_examples_of_what_fails_can_be_read(clean: Inputs, tmp_path: Path) -> None:
    section = run_controls(spoilt(clean, of_others(clean.answers(), seed=3))).sections[0]
    assert (section.name, len(section.examples)) == ("answers", 3)
    assert section.examples[0].parts[0][0] == "answer, off topic"
