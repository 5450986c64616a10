"""BLEU: the values of pycocoevalcap and NLTK, and what must hold of any words."""

from __future__ import annotations

import doctest
import gzip
import json
import math
from collections import Counter, defaultdict
from functools import reduce
from itertools import chain
from operator import or_
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.score import bleu as bleu_module
from expound.score.bleu import coco_bleu, self_bleu
from golden import GOLDEN, SHARED, TOLERANCE, golden

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "bleu.json").read_text(encoding="utf-8"))

words = st.lists(st.sampled_from("abcd"), max_size=9)
several = st.lists(words, min_size=1, max_size=4)


def close(found: Any, expected: Any) -> bool:
    return list(found) == pytest.approx(list(expected), abs=TOLERANCE, rel=0)


def smoothed_bleu(references: list[list[str]], hypothesis: list[str], orders: int = 5) -> list[float]:
    """The definition, counted anew for every order: what NLTK's `sentence_bleu` gives with smoothing method 1."""
    size = len(hypothesis)
    hits = [clipped(references, hypothesis, n) for n in range(1, orders + 1)]
    if not hits[0]:
        return [0.0] * orders
    shares = [(hit or 0.1) / max(size - n, 1) for n, hit in enumerate(hits)]
    closest = min((abs(len(words) - size), len(words)) for words in references)[1]
    brevity = math.exp(min(0.0, 1 - closest / size))
    return [brevity * math.prod(shares[:n]) ** (1 / n) for n in range(1, orders + 1)]


def clipped(references: list[list[str]], hypothesis: list[str], n: int) -> int:
    """N-grams that a reference has too, each as often as the reference that has most of it."""
    most: Counter[tuple[str, ...]] = reduce(or_, (ngrams(words, n) for words in references), Counter())
    return (ngrams(hypothesis, n) & most).total()


def ngrams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[place : place + n]) for place in range(len(words) - n + 1))


def others(texts: list[list[str]], place: int) -> list[list[str]]:
    return texts[:place] + texts[place + 1 :]


@pytest.mark.parametrize("case", REFERENCE["pairs"], ids=lambda case: case["hypothesis"] or "empty")
def test_bleu_matches_both_packages(case: dict[str, Any]) -> None:
    references, hypothesis = [text.split() for text in case["references"]], case["hypothesis"].split()
    assert close(coco_bleu(references, hypothesis), case["coco"])
    assert close(smoothed_bleu(references, hypothesis), case["nltk"])


@pytest.mark.parametrize("case", REFERENCE["texts"], ids=lambda case: str(len(case["sentences"])))
def test_self_bleu_matches_the_official_script(case: dict[str, Any]) -> None:
    found = self_bleu(case["sentences"])
    assert all(close(one, expected) for one, expected in zip(found, case["expected"], strict=True))


def test_bleu_matches_the_golden_values() -> None:
    for references, hypothesis, expected in golden("ambigqa/bleu_sentence")["items"]:
        assert close(coco_bleu([text.split() for text in references], hypothesis.split()), expected)


def test_self_bleu_matches_the_golden_sentences_and_edge_cases() -> None:
    items = golden("self_bleu/sentences_of_an_answer")["items"]
    items += json.loads((GOLDEN / "self_bleu" / "edge.json").read_text(encoding="utf-8"))["items"]
    for item in items:
        texts = item["sentences"]
        for place, (found, expected) in enumerate(zip(self_bleu(texts), item["expected"] or [], strict=False)):
            assert close(found, expected)
            assert close(smoothed_bleu(others(texts, place), texts[place]), expected)


def test_self_bleu_matches_the_golden_systems() -> None:
    case = golden("self_bleu/systems_on_one_question")
    texts = defaultdict(list)
    for line in gzip.decompress((SHARED / "data" / case["data_file"]).read_bytes()).splitlines():
        row = json.loads(line)
        texts[row["id"]].append(row["output"].split())
    for item in case["items"]:
        found = self_bleu(texts[item["id"]])
        assert all(close(one, expected) for one, expected in zip(found, item["expected"], strict=True))
        assert close([sum(column) / len(found) for column in zip(*found, strict=True)], item["self_bleu_1_to_5"])


def test_the_closest_reference_decides_on_brevity_and_the_shorter_of_two() -> None:
    three, *_ = self_bleu([["a"] * 3, ["a"] * 4, ["a"] * 2], orders=1)
    assert three == (1,)
    three, _ = self_bleu([["a"] * 3, ["a"] * 4], orders=1)
    assert three < (1,)


def test_a_text_without_others_has_no_self_bleu() -> None:
    assert self_bleu([["a", "b"]]) == [(0, 0, 0, 0, 0)]
    assert self_bleu([]) == []


@given(several, words)
def test_bleu_stays_between_0_and_1(references: list[list[str]], hypothesis: list[str]) -> None:
    values = [*coco_bleu(references, hypothesis), *chain(*self_bleu([hypothesis, *references]))]
    assert all(0 <= value <= 1 + TOLERANCE for value in values)


@given(several, words)
def test_the_order_of_references_does_not_matter(references: list[list[str]], hypothesis: list[str]) -> None:
    assert coco_bleu(references, hypothesis) == coco_bleu(references[::-1], hypothesis)
    assert self_bleu([hypothesis, *references])[0] == self_bleu([hypothesis, *references[::-1]])[0]


@given(st.lists(st.sampled_from("abcd"), min_size=5, max_size=9), several)
def test_a_text_that_is_among_its_references_is_perfect(text: list[str], references: list[list[str]]) -> None:
    assert coco_bleu([*references, text], text) == pytest.approx((1, 1, 1, 1))
    assert self_bleu([text, *references, text])[0] == (1, 1, 1, 1, 1)


@given(several, st.integers(1, 6))
def test_self_bleu_is_the_bleu_of_each_text_against_the_others(texts: list[list[str]], orders: int) -> None:
    for place, found in enumerate(self_bleu(texts, orders)):
        assert close(found, smoothed_bleu(others(texts, place), texts[place], orders=orders))


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(bleu_module).attempted > 0
    assert doctest.testmod(bleu_module).failed == 0
