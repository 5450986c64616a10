"""The `rouge` package's numbers, in its three versions."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.score import rouge_package
from expound.score.rouge_package import KINDS, VERSIONS, is_empty, package_rouge
from golden import TOLERANCE
from score.plain_lcs import lcs_table

CASES = json.loads((Path(__file__).parents[1] / "reference/rouge_package.json").read_text(encoding="utf-8"))["cases"]

texts = st.text("ab c.\n", max_size=40)
kinds, versions = st.sampled_from(KINDS), st.sampled_from(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES)
def test_values_match_the_package(case: dict[str, Any], version: str) -> None:
    expected = case["expected"][version] or {kind: [0, 0, 0] for kind in KINDS}
    for kind in KINDS:
        found = package_rouge(case["hypothesis"], case["reference"], kind=kind, version=version)
        assert list(found) == pytest.approx(expected[kind], abs=TOLERANCE), kind


@pytest.mark.parametrize("case", CASES)
def test_empty_is_what_the_package_refuses(case: dict[str, Any]) -> None:
    refused = case["expected"]["1.0.1"] is None
    assert (is_empty(case["hypothesis"]) or is_empty(case["reference"])) == refused


def test_ngrams_are_counted_once_except_in_1_0_0() -> None:
    assert package_rouge("no no no no", "no", kind="1").precision == 1
    assert package_rouge("no no no no", "no", kind="1", version="1.0.0").precision == 0.25


def test_a_sentence_of_thousands_of_words_is_no_problem() -> None:
    words = " ".join(f"word{number}" for number in range(3000))
    assert package_rouge(words, words).precision == 1


@pytest.mark.parametrize("options", [{"kind": "L"}, {"kind": "3"}, {"version": "1.0"}])
def test_unknown_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UserError, match="there are"):
        package_rouge("a", "a", **options)


@given(texts, texts, kinds, versions)
def test_scores_stay_between_0_and_1(hypothesis: str, reference: str, kind: str, version: str) -> None:
    assert all(0 <= value <= 1 for value in package_rouge(hypothesis, reference, kind=kind, version=version))


@given(texts, st.sampled_from(["1", "l"]), versions)
def test_a_text_has_all_of_itself(text: str, kind: str, version: str) -> None:
    found = package_rouge(text, text, kind=kind, version=version)
    assert found.precision == found.recall == (0 if is_empty(text) else 1)


@given(texts, texts)
def test_the_common_words_are_those_of_the_plain_table(hypothesis: str, reference: str) -> None:
    found = package_rouge(hypothesis, reference)
    assert found.recall == pytest.approx(plain_recall(hypothesis, reference))


def plain_recall(hypothesis: str, reference: str) -> float:
    """The definition, cell by cell."""
    ours, theirs = plain_sentences(hypothesis), plain_sentences(reference)
    common = {word for one in theirs for other in ours for word in plain_trace(one, other)}
    return len(common) / len({word for sentence in theirs for word in sentence}) if theirs else 0


def plain_sentences(text: str) -> list[list[str]]:
    return [piece.split() or [""] for piece in text.split(".") if piece]


def plain_trace(reference: list[str], hypothesis: list[str]) -> list[str]:
    """From the ends take a match, else go back in the reference if that cell is larger, else in the hypothesis."""
    table = lcs_table(reference, hypothesis)
    words, row, column = [], len(reference), len(hypothesis)
    while row and column:
        if reference[row - 1] == hypothesis[column - 1]:
            row, column = row - 1, column - 1
            words.append(reference[row])
        elif table[row - 1][column] > table[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return words


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(rouge_package).attempted > 0
    assert doctest.testmod(rouge_package).failed == 0
