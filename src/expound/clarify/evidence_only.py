"""Readings of a question found in the evidence alone: distinct answers that different sentences give, and what sets
them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.clarify.candidates import Candidate, best_candidate
from expound.clarify.contrast import rewrite_all
from expound.protocols import SentenceScorer
from expound.text.answer_types import expected_type
from expound.text.normal import normalize_answer
from expound.types import Evidence, Interpretation

_SENTENCES = 12
_NEAR_BEST = 0.75
_CONFIDENT = 0.3


@dataclass(frozen=True)
class EvidenceOnly:
    """Up to `most` readings; none when the evidence gives one answer, or when the question asks for an explanation."""

    scorer: SentenceScorer = field(repr=False)
    most: int = 5

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings, best supported first, each with a question that only its answer fits."""
        if expected_type(question) == "explanation":
            return []
        groups = self._groups(question, evidence)[: self.most]
        if len(groups) < 2:
            return []
        questions = rewrite_all(question, [group[0] for group in groups])
        readings = [
            Interpretation(text, _aliases(group), _citations(group))
            for text, group in zip(questions, groups, strict=True)
            if text is not None
        ]
        return readings if len(readings) > 1 else []

    def _groups(self, question: str, evidence: Sequence[Evidence]) -> list[list[Candidate]]:
        """Candidates with the same answer together, best group first."""
        scored = self.scorer.score(question, evidence)[:_SENTENCES]
        if not scored:
            return []
        passages = {item.number: item.passage for item in evidence}
        best = max(sentence.score for sentence in scored)
        groups: list[list[Candidate]] = []
        for sentence in scored:
            if sentence.score < _NEAR_BEST * best or sentence.confidence < _CONFIDENT:
                continue
            candidate = best_candidate(question, sentence, passages[sentence.number])
            if candidate is not None:
                _join(groups, candidate)
        return groups


def _join(groups: list[list[Candidate]], candidate: Candidate) -> None:
    for group in groups:
        if any(same_answer(candidate.answer, other.answer) for other in group):
            group.append(candidate)
            return
    groups.append([candidate])


def same_answer(one: str, other: str) -> bool:
    """Whether two strings name the same thing: equal, or the words of one within the other's."""
    first, second = set(normalize_answer(one).split()), set(normalize_answer(other).split())
    return bool(first and second) and (first <= second or second <= first)


def _aliases(group: Sequence[Candidate]) -> tuple[str, ...]:
    """The fullest form first."""
    forms = dict.fromkeys(candidate.answer for candidate in group)
    return tuple(sorted(forms, key=lambda form: -len(form)))


def _citations(group: Sequence[Candidate]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(candidate.sentence.number for candidate in group))
