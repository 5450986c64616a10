"""A reference as the answer, to be scored against the others (Krishna et al. 2021, Table 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.quoting import cite_nothing
from expound.models.model_inputs import longest
from expound.score.rouge_package import package_rouge
from expound.types import Answer, Evidence, Interpretation, Question


@dataclass(frozen=True)
class LongestGold:
    """The reference with the most words; score it by the protocol `others`."""

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where there is no reference."""
        return cite_nothing(question.references[longest(question.references)]) if question.references else Answer()


@dataclass(frozen=True)
class BestGold:
    """The reference with the highest ROUGE-L (as KILT counts it) to any other; score it by the protocol `others`."""

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where there is no reference."""
        references = question.references

        def nearest(place: int) -> float:
            # By place: two people may have written the same words, and the twin stays among the others.
            others = references[:place] + references[place + 1 :]
            return best_rouge_l(references[place], others)

        return cite_nothing(references[max(range(len(references)), key=nearest)]) if references else Answer()


def best_rouge_l(text: str, references: Sequence[str]) -> float:
    """KILT's ROUGE-L with the closest reference, 0 to 1."""
    # KILT strips both sides.
    return max((package_rouge(text.strip(), other.strip()).f1 for other in references), default=0.0)
