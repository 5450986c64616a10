"""ROUGE: the official scorers' values, and what must hold of any text."""

from __future__ import annotations

import doctest
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import ResourceMissing, UserError
from expound.score import rouge as rouge_module
from expound.score.rouge import Overlap, Reading, Rouge, rouge
from expound.text import punkt as punkt_module
from expound.text.punkt import Punkt
from expound.types import Answer, Prediction, Question
from golden import TOLERANCE, golden

KINDS = {"rouge1": "1", "rouge2": "2", "rouge3": "3", "rougeL": "l", "rougeLsum": "lsum"}

# rouge-score 0.1.2, use_stemmer=True: precision, recall and F of rouge1, rouge2, rougeL, rougeLsum, as fractions.
PAIRS = [
    (
        "The cat sat on the mat.",
        "The cat was sitting on a mat.",
        [(4 / 7, 4 / 6, 8 / 13), (1 / 6, 1 / 5, 2 / 11), (4 / 7, 4 / 6, 8 / 13), (4 / 7, 4 / 6, 8 / 13)],
    ),
    (
        "one two three\nfour five six",
        "six one two\nfive three three",
        [(5 / 6, 5 / 6, 5 / 6), (0.2, 0.2, 0.2), (0.5, 0.5, 0.5), (5 / 6, 5 / 6, 5 / 6)],
    ),
    (
        "a b a c\nb a",
        "a a b\nc b a a",
        [(6 / 7, 1, 12 / 13), (0.5, 0.6, 6 / 11), (5 / 7, 5 / 6, 10 / 13), (5 / 7, 5 / 6, 10 / 13)],
    ),
    ("Café dying skies", "caf die sky", [(1, 1, 1)] * 4),
    ("police kill the gunman", "the gunman police killed", [(1, 1, 1), (2 / 3, 2 / 3, 2 / 3)] + 2 * [(0.5, 0.5, 0.5)]),
    ("word", "!?", [(0, 0, 0)] * 4),
    ("", "", [(0, 0, 0)] * 4),
]  # fmt: skip

texts = st.text("ab c.\nÉ", max_size=40)


class Semicolons:
    """A splitter for tests: sentences end at semicolons."""

    def sentences(self, text: str) -> list[str]:
        return text.split(";")


def score(metric: Rouge, references: tuple[str, ...], answer: str) -> float:
    return metric.count(Question("1", "?", references), Prediction("1", "?", "test", Answer(answer)))


def close(overlap: Overlap, expected: tuple[float, float, float]) -> bool:
    return all(math.isclose(a, b, abs_tol=TOLERANCE) for a, b in zip(overlap, expected, strict=True))


@pytest.mark.parametrize(("reference", "answer", "expected"), PAIRS)
def test_rouge_matches_the_official_scorer(
    reference: str, answer: str, expected: list[tuple[float, float, float]]
) -> None:
    for kind, values in zip(("1", "2", "l", "lsum"), expected, strict=True):
        assert close(rouge([reference], answer, kind=kind), values), kind


@pytest.mark.parametrize("stemming", ["plain", "stem"])
def test_rouge_matches_the_golden_pairs(stemming: str, punkt: Punkt) -> None:
    for item in golden("rouge_score/pairs")["items"]:
        for name, expected in item["expected"][stemming].items():
            kind, _, splits = name.partition("_")
            reading = Reading(stem=stemming == "stem", splitter=punkt if splits else None)
            assert close(rouge([item["target"]], item["prediction"], kind=KINDS[kind], reading=reading), expected), item


def test_the_best_of_several_references_matches_the_golden_values() -> None:
    for item in golden("rouge_score/score_multi")["items"]:
        for name, expected in item["expected"].items():
            assert close(rouge(item["targets"], item["prediction"], kind=KINDS[name]), expected), item


def test_the_closest_reference_counts() -> None:
    assert score(Rouge(), ("something else", "a red fox"), "a red fox") == 100


def test_asqa_reads_every_kind_from_the_reference_with_the_best_lsum() -> None:
    near, far = "one two three four", "four three two one five"
    answer = "one two three four five"
    assert score(Rouge(kind="1"), (near, far), answer) == 100
    assert score(Rouge("asqa", "1", Semicolons()), (near, far), answer) == pytest.approx(100 * 8 / 9)


def test_asqa_keeps_the_second_of_two_equal_references() -> None:
    metric, answer = Rouge("asqa", "2", Semicolons()), "a b c d"
    with_pair, without = "a b x y", "a x b y"  # equal by lsum, and only one shares a pair of words with the answer
    assert score(metric, (with_pair, without), answer) == 0
    assert score(metric, (without, with_pair), answer) == pytest.approx(100 / 3)


def test_newlines_end_sentences_for_asqa_even_inside_one() -> None:
    metric = Rouge("asqa", sentences=Semicolons())
    assert score(metric, ("one\ntwo",), "two;one") == 100
    assert score(metric, ("one two",), "two;one") == 100
    assert score(metric, ("one two",), "two one") == 50


def test_without_a_reference_there_is_no_score() -> None:
    assert math.isnan(score(Rouge(), (), "an answer"))


def test_a_metric_prints_as_the_text_that_creates_it() -> None:
    assert repr(Rouge(profile="asqa")) == "Rouge(profile='asqa')"
    assert repr(Rouge(kind="2")) == "Rouge(kind='2')"
    assert eval(repr(Rouge("asqa", "l"))) == Rouge("asqa", "l")


def test_another_splitter_shows_in_the_signature() -> None:
    assert Rouge("asqa", sentences=Semicolons()).options == {"profile": "asqa", "splitter": "Semicolons"}
    assert Rouge("asqa", sentences=Punkt()).options == {"profile": "asqa"}


def test_the_rules_splitter_needs_no_file_and_shows_in_the_signature() -> None:
    metric = Rouge("asqa", splitter="rules")
    assert score(metric, ("Two came. One left.",), "One left. Two came.") == 100
    assert metric.options == {"profile": "asqa", "splitter": "rules"}
    assert repr(metric) == "Rouge(profile='asqa', splitter='rules')"


def test_only_the_asqa_profile_has_a_named_splitter() -> None:
    with pytest.raises(UserError, match="only the profile asqa"):
        Rouge(splitter="rules")


def test_a_splitter_without_newlines_keeps_lines_together() -> None:
    reading = Reading(splitter=Semicolons())
    assert rouge(["one\ntwo"], "two\none", reading=reading).f1 == 0.5
    assert rouge(["one\ntwo"], "two\none").f1 == 1


def test_signs_and_accents_end_tokens_and_the_kelvin_sign_is_a_k() -> None:
    assert rouge(["caf noir 5 k 3"], "Café—noir, 5\xa0\u212a³3 😀\ud800").f1 == 1


def test_stems_are_forgotten_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rouge_module, "_STEMS_KEPT", 3)
    assert rouge(["cats and dogs ran, running and barking"], "cat and dog ran, run and bark").f1 == 1
    assert len(rouge_module._STEMS) <= 3


@pytest.mark.parametrize(
    "options", [{"profile": "asqua"}, {"kind": "L"}, {"kind": "0"}, {"kind": ""}, {"splitter": "nltk"}]
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="there are"):
        Rouge(**options)


def test_the_asqa_profile_says_which_file_it_needs() -> None:
    punkt_module.english.cache_clear()
    rouge_module._asqa_reading.cache_clear()
    with pytest.raises(ResourceMissing, match="expound models get punkt"):
        score(Rouge("asqa"), ("a",), "a")


@given(texts, texts, st.sampled_from(["1", "2", "l", "lsum"]))
def test_scores_stay_between_0_and_100(reference: str, answer: str, kind: str) -> None:
    assert 0 <= score(Rouge(kind=kind), (reference,), answer) <= 100


@given(texts, texts)
def test_f1_does_not_care_which_side_is_the_reference_for_one_line(one: str, other: str) -> None:
    one, other = one.replace("\n", " "), other.replace("\n", " ")
    for kind in ("1", "2", "l", "lsum"):
        assert score(Rouge(kind=kind), (one,), other) == pytest.approx(score(Rouge(kind=kind), (other,), one))


@given(texts)
def test_an_answer_scored_against_itself_is_perfect(answer: str) -> None:
    expected = 100 if any(letter in "abc" for letter in answer) else 0
    assert score(Rouge(), (answer,), answer) == expected
    assert score(Rouge(kind="1"), (answer,), answer) == expected


@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_the_order_of_references_does_not_matter(references: list[str], answer: str) -> None:
    assert score(Rouge(), tuple(references), answer) == score(Rouge(), tuple(references[::-1]), answer)


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(rouge_module).attempted > 0
    assert doctest.testmod(rouge_module).failed == 0
