"""Citation recall and precision: the definition on a toy judge, markers in texts, and the judge by words."""

from __future__ import annotations

import doctest
import math
from importlib.metadata import EntryPoint

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UnknownPlugin, UserError
from expound.protocols import Supports
from expound.score import citations as citations_module
from expound.score.citations import CitationPrecision, CitationRecall, CitedSentence, cited_sentences
from expound.text import support as support_module
from expound.text.support import LexicalSupport
from expound.types import Answer, Evidence, Passage, Prediction, Question, Sentence
from linear_time import takes_time_in_proportion

LEXICAL = LexicalSupport()
sentences = st.lists(
    st.sampled_from("Ann Bob ran sat the in 1999 2,000 it was not O'Neill's É".split()), min_size=1
).map(lambda words: " ".join(words) + ".")


class Letters:
    """A judge for tests: a passage supports a sentence when it has all its letters; never by halves."""

    name = "letters"

    def __call__(self, passage: str, sentence: str) -> float:
        return float(set(sentence) <= set(passage))


def scores(prediction: Prediction, judge: Supports | None = None) -> tuple[float, float]:
    chosen = judge or Letters()
    metrics = CitationRecall(chosen), CitationPrecision(chosen)
    recall, precision = (metric.count(Question("1", "?"), prediction) for metric in metrics)
    return recall, precision


def prediction(answer: Answer | str, *passages: str, abstained: bool = False) -> Prediction:
    told = Answer(answer) if isinstance(answer, str) else answer
    evidence = tuple(Evidence(Passage(str(n), text), n, 1.0) for n, text in enumerate(passages, start=1))
    return Prediction("1", "?", "test", told, evidence=evidence, abstained=abstained)


def cited(*sentences: tuple[str, tuple[int, ...]]) -> Answer:
    parts = tuple(Sentence(text, text, numbers) for text, numbers in sentences)
    return Answer(" ".join(part.text for part in parts), parts)


# Answer sentences with their citations, passages, and the recall and precision that the definition gives by hand.
CASES = [
    ([("ab", (1,))], ["ab"], (100, 100)),
    ([("ab", (1, 2))], ["a", "b"], (100, 100)),  # neither alone, both together
    ([("ab", (1, 2))], ["ab", "x"], (100, 50)),  # the second adds nothing
    ([("ab", (1, 2))], ["ab", "ab"], (100, 100)),  # each alone is enough
    ([("ab", (1, 2, 3))], ["a", "b", "x"], (100, 200 / 3)),
    ([("ab", (1, 2))], ["a", "x"], (0, 0)),
    ([("ab", (1,)), ("ab", ())], ["ab"], (50, 100)),
    ([("ab", (1,)), ("cd", (1,))], ["ab"], (50, 50)),
    ([("ab", (1, 9))], ["ab"], (100, 50)),  # no evidence has the number 9
    ([("ab", (9,))], ["ab"], (0, 0)),
    ([("ab", (1, 1))], ["ab"], (100, 100)),  # the same one twice is one
    ([("ab", (1,)), ("!?", ())], ["ab"], (100, 100)),  # nothing to prove
]


@pytest.mark.parametrize(("parts", "passages", "expected"), CASES)
def test_recall_and_precision_follow_the_definition(
    parts: list[tuple[str, tuple[int, ...]]], passages: list[str], expected: tuple[float, float]
) -> None:
    assert scores(prediction(cited(*parts), *passages)) == pytest.approx(expected)


def test_without_citations_nothing_is_proven_and_nothing_can_be_precise() -> None:
    recall, precision = scores(prediction(cited(("ab", ())), "ab"))
    assert recall == 0
    assert math.isnan(precision)


@pytest.mark.parametrize("text", ["", " \n", "...", "[1]", "\x00\x1b"])
def test_an_answer_without_sentences_has_no_value(text: str) -> None:
    assert all(map(math.isnan, scores(prediction(text, "ab"))))


def test_an_abstention_has_no_value() -> None:
    assert all(map(math.isnan, scores(prediction(cited(("ab", (1,))), "ab", abstained=True))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained [1][2]. We slept [3].", [("It rained.", (1, 2)), ("We slept.", (3,))]),
        ("It rained. [1] We slept. [2]", [("It rained.", (1,)), ("We slept.", (2,))]),
        ("It rained.[1] We slept.[2,3]", [("It rained.", (1,)), ("We slept.", (2, 3))]),
        ("It rained [1, 2] on us [1].", [("It rained on us.", (1, 2))]),
        ("[1] It rained.\n[2] We slept.", [("It rained.", (1,)), ("We slept.", (2,))]),
        ("It rained.\n[1]", [("It rained.", (1,))]),
        ("It rained. We slept [1].", [("It rained.", ()), ("We slept.", (1,))]),
        ("He [sic] left [1998] it [].", [("He [sic] left [1998] it [].", ())]),
        ("", []),
    ],
)
def test_markers_in_a_text_are_citations(text: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    assert cited_sentences(prediction(text)) == [CitedSentence(*item) for item in expected]


def test_markers_are_numbers_of_the_evidence_not_places_in_it() -> None:
    evidence = Evidence(Passage("p", "ab"), 7, 1.0), Evidence(Passage("q", "cd"), 1, 1.0)
    found = Prediction("1", "?", "test", Answer("ab [7]"), evidence=evidence)
    assert scores(found) == (100, 100)


def test_the_title_of_a_passage_counts() -> None:
    evidence = (Evidence(Passage("p", "He was born in 1881.", title="Pablo Picasso"), 1, 1.0),)
    found = Prediction("1", "?", "test", Answer("Pablo Picasso was born in 1881 [1]."), evidence=evidence)
    assert scores(found, LEXICAL) == (100, 100)


@given(st.lists(sentences, min_size=1, max_size=4))
def test_sentences_copied_from_their_one_passage_are_perfect(copied: list[str]) -> None:
    passages = [f"Before. {text} After." for text in copied]
    parts = [(text, (number,)) for number, text in enumerate(copied, start=1)]
    assert scores(prediction(cited(*parts), *passages), LEXICAL) == (100, 100)


@given(st.text("ab1 .[],\n\x00é", max_size=60), st.lists(st.text("ab1. É", max_size=20), max_size=3))
def test_values_stay_between_0_and_100(text: str, passages: list[str]) -> None:
    for value in scores(prediction(text, *passages), LEXICAL):
        assert math.isnan(value) or 0 <= value <= 100


@given(st.permutations([1, 2, 3]))
def test_the_order_of_citations_does_not_matter(numbers: list[int]) -> None:
    found = prediction(cited(("Ann ran. Bob sat.", tuple(numbers))), "Ann ran", "Bob sat", "Cars")
    assert scores(found, LEXICAL) == pytest.approx((100, 200 / 3))


def test_the_judge_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("lexical", "expound.text.support:LexicalSupport", "expound.supports")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: [p for p in points if p.group == group])
    citations_module._build_supports.cache_clear()
    found = prediction("Ann ran [1].", "Ann ran home.")
    assert CitationRecall().count(Question("1", "?"), found) == 100
    with pytest.raises(UnknownPlugin, match="did you mean lexical"):
        CitationRecall(supports="lexcal").count(Question("1", "?"), found)
    citations_module._build_supports.cache_clear()


def test_metrics_print_as_the_text_that_creates_them_and_sign_with_their_judge() -> None:
    assert repr(CitationRecall()) == "CitationRecall(supports='lexical', threshold=0.7)"
    assert CitationPrecision(Letters(), threshold=0.5).options == {"supports": "letters", "threshold": "0.5"}
    assert (CitationRecall().name, CitationPrecision().name) == ("citation_recall", "citation_precision")


@pytest.mark.parametrize("threshold", [0, -1, 1.1, math.nan])
def test_a_threshold_outside_0_to_1_is_refused(threshold: float) -> None:
    for metric in (CitationRecall, CitationPrecision):
        with pytest.raises(UserError, match="above 0"):
            metric(threshold=threshold)


@pytest.mark.parametrize(
    ("passage", "sentence", "expected"),
    [
        ("Paris is the capital of France.", "The capital of France is Paris.", 1),
        ("Paris is the capital of France.", "Paris is large.", 0.5),
        ("It opened in 1999.", "It opened in 1998.", 0.25),  # half of the words, and a number is missing
        ("They sold 10,000 copies.", "They sold 10000 copies.", 2 / 3),
        ("The band came from Leeds.", "The band came from York.", 1 / 3),  # two of three words, and a name is missing
        ("It was so.", "It was.", 1),
        ("It was so.", "It did.", 0.5),
        ("", "It rained.", 0),
        ("It rained.", "", 0),
        ("It rained.", "?!", 0),
    ],
)
def test_support_is_the_share_of_words_halved_for_a_missing_fact(passage: str, sentence: str, expected: float) -> None:
    assert LEXICAL(passage, sentence) == pytest.approx(expected)


@given(st.text(max_size=40), st.text(max_size=40))
def test_support_stays_between_0_and_1(passage: str, sentence: str) -> None:
    assert 0 <= LEXICAL(passage, sentence) <= 1


@pytest.mark.parametrize("piece", ["a", " ", "[", "[1]", " [1]", "[1,", "A of ", "1,", "The ", "a [1]. ", "\t "])
def test_a_long_answer_takes_time_in_proportion(piece: str) -> None:
    assert takes_time_in_proportion(lambda text: scores(prediction(text, text, "Ann ran."), LEXICAL), piece, 10_000)


def test_the_examples_in_the_documentation_are_true() -> None:
    for module in (citations_module, support_module):
        assert doctest.testmod(module).attempted > 0
        assert doctest.testmod(module).failed == 0
