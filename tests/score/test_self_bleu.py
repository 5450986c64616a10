"""Self-BLEU of an answer's sentences: NLTK's values, end to end from the raw text."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import ResourceMissing, UserError
from expound.score.self_bleu import SelfBleu
from expound.text import punkt as punkt_module
from expound.text.punkt import Punkt
from expound.text.treebank import treebank_words
from expound.types import Answer, Prediction, Question
from golden import SHARED, TOLERANCE, golden

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "self_bleu.json").read_text(encoding="utf-8"))
ORDERS = (1, 2, 3, 4, 5)


class Bars:
    """A splitter for tests: sentences end at bars."""

    def sentences(self, text: str) -> list[str]:
        return text.split("|")


BARS = Bars()


def values(text: str, splitter: Any) -> list[float]:
    prediction = Prediction("1", "?", "test", Answer(text))
    return [SelfBleu(order, splitter).count(Question("1", "?"), prediction) for order in ORDERS]


def expected_of(item: dict[str, Any]) -> list[float]:
    return [100 * value for value in (*item["self_bleu_1_to_4"], item["self_bleu_5"])]


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["text"])
def test_self_bleu_matches_nltk(case: dict[str, Any]) -> None:
    expected = [100 * value for value in case["self_bleu_1_to_5"]]
    assert values(case["text"], BARS) == pytest.approx(expected, abs=TOLERANCE)


def test_self_bleu_matches_the_golden_values_from_the_raw_answers(punkt: Punkt) -> None:
    case = golden("self_bleu/sentences_of_an_answer")
    by_words = {json.dumps(item["sentences"]): item for item in case["items"]}
    assert len(by_words) == len(case["items"])
    for text in raw_answers(case["data_file"]):
        words = [treebank_words(sentence) for sentence in punkt.sentences(" ".join(text.splitlines()))]
        item = by_words.pop(json.dumps(words), None)
        if item and len(words) == 1:
            assert all(map(math.isnan, values(text, punkt)))
        elif item:
            assert values(text, punkt) == pytest.approx(expected_of(item), abs=TOLERANCE)
    assert not by_words


def test_one_sentence_has_no_value(punkt: Punkt) -> None:
    assert all(map(math.isnan, values("Dr. Smith came home at 5 p.m. on Monday.", punkt)))


def test_line_breaks_are_spaces(punkt: Punkt) -> None:
    assert values("It rained\nall day. We\r\nstayed in.", punkt) == values("It rained all day. We stayed in.", punkt)


@pytest.mark.parametrize("text", ["", " \n ", "!", "...", "\x00", "word"])
def test_an_answer_without_two_sentences_has_no_value(text: str) -> None:
    assert all(map(math.isnan, values(text, BARS)))


@given(st.lists(st.text("abc .,'", max_size=20), min_size=2, max_size=5))
def test_values_stay_between_0_and_100_in_any_order(sentences: list[str]) -> None:
    found = values("|".join(sentences), BARS)
    assert all(0 <= value <= 100 + TOLERANCE for value in found)
    assert values("|".join(reversed(sentences)), BARS) == pytest.approx(found, abs=TOLERANCE)


@given(st.lists(st.sampled_from(["red", "green", "blue"]), min_size=5, max_size=9))
def test_a_sentence_said_twice_is_all_repetition(words: list[str]) -> None:
    assert values(f"{' '.join(words)}|{' '.join(words)}", BARS) == pytest.approx([100] * 5)


def test_the_metric_prints_as_the_text_that_creates_it() -> None:
    assert repr(SelfBleu(order=2, sentences=BARS)) == "SelfBleu(order=2, splitter='punkt')"
    assert SelfBleu(3).name == "self_bleu_3"


def test_the_splitter_shows_in_the_signature() -> None:
    assert SelfBleu().options == {"splitter": "punkt"}
    assert SelfBleu(splitter="rules").options == {"splitter": "rules"}
    assert SelfBleu(sentences=BARS).options == {"splitter": "Bars"}


def test_the_rules_need_no_fetched_file() -> None:
    prediction = Prediction("1", "?", "test", Answer("I do not know. I do not know."))
    assert SelfBleu(5, splitter="rules").count(Question("1", "?"), prediction) == pytest.approx(100)


@pytest.mark.parametrize("order", [0, 6, -1])
def test_an_order_outside_1_to_5_is_refused(order: int) -> None:
    with pytest.raises(UserError, match="1 to 5"):
        SelfBleu(order)


def test_an_unknown_splitter_is_refused() -> None:
    with pytest.raises(UserError, match="there are: punkt, rules"):
        SelfBleu(splitter="spacy")


def test_the_metric_says_which_file_it_needs() -> None:
    punkt_module.english.cache_clear()
    with pytest.raises(ResourceMissing, match="expound models get punkt"):
        values("One. Two.", None)


def raw_answers(data_file: str) -> list[str]:
    """The different answers of the study, with its marks for line breaks as line breaks."""
    path = SHARED / "data" / data_file
    if not path.exists():
        pytest.skip("needs ../shared/data")
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    texts = [row[key].replace("<br />", "\n") for row in rows for key in ("answer1", "answer2")]
    return list(dict.fromkeys(texts))
