"""Always the prompt question: with the answers of a clarifier, or with the gold ones."""

from __future__ import annotations

from expound.answer.sentence_scores import SignScorer
from expound.clarify.evidence_only import EvidenceOnly
from expound.clarify.prompt_question import GoldAnswersPromptQuestion, PromptQuestion
from expound.plugins import parse
from expound.testing import TOY_ARTICLES, WordEmbedder, WordRanker, evidence_of
from expound.types import Interpretation, Question

ASKED = "Who was the King of France in August 1830?"
EVIDENCE = evidence_of(*TOY_ARTICLES.values(), titles=list(TOY_ARTICLES))


def test_the_answers_are_the_clarifier_s_and_the_question_is_as_asked() -> None:
    scorer = SignScorer(WordEmbedder(), WordRanker())
    readings = EvidenceOnly(scorer).clarify(ASKED, EVIDENCE)
    found = PromptQuestion(scorer).clarify(ASKED, EVIDENCE)
    assert len(found) > 1
    assert [reading.answers for reading in found] == [reading.answers for reading in readings]
    assert {reading.question for reading in found} == {ASKED}


def test_the_gold_answers_are_given_with_the_question_as_asked() -> None:
    readings = (Interpretation("Who first?", ("A", "a")), Interpretation("Who then?", ("B",)))
    found = GoldAnswersPromptQuestion().clarify_to(Question("1", "Who?", interpretations=readings), [])
    assert found == [Interpretation("Who?", ("A", "a")), Interpretation("Who?", ("B",))]


def test_the_spec_is_the_repr() -> None:
    assert PromptQuestion(**parse(repr(PromptQuestion())).arguments) == PromptQuestion()
    assert repr(GoldAnswersPromptQuestion()) == "GoldAnswersPromptQuestion()"
