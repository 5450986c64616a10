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
from expound.text.words import content_stems
from expound.types import Evidence, Interpretation

_SENTENCES = 16
# A sentence that says everything the question says may be less sure than one that leaves a word out.
_CONFIDENT, _NEAR_BEST = 0.4, 0.85
_LEAST = 0.3
_SAME_WORD = 4
_CITED = 2


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
        questions = rewrite_all(question, groups)
        readings = [
            Interpretation(text, _aliases(group), _citations(group))
            for text, group in zip(questions, groups, strict=True)
            if text is not None
        ]
        return readings if len(readings) > 1 else []

    def _groups(self, question: str, evidence: Sequence[Evidence]) -> list[list[Candidate]]:
        """Candidates with the same answer together, best group first."""
        scored = self.scorer.score(question, evidence)[:_SENTENCES]
        passages = {item.number: item.passage for item in evidence}
        candidates = [
            candidate
            for sentence in scored
            if (candidate := best_candidate(question, sentence, passages[sentence.number])) is not None
        ]
        best = max((sentence.confidence for sentence in scored), default=0.0)
        groups: list[list[Candidate]] = []
        for candidate in candidates:
            if _is_sure(question, candidate, best):
                _join(groups, candidate, may_found=True)
        # Less sure sentences found no reading, but what they say of one may set it apart.
        for candidate in candidates:
            if not _is_sure(question, candidate, best):
                _join(groups, candidate, may_found=False)
        return groups


def _is_sure(question: str, candidate: Candidate, best: float) -> bool:
    """Whether a sentence is confident enough to found a reading."""
    says_it = says_all(question, f"{candidate.passage.title} {candidate.sentence.text}")
    enough = max(_LEAST, (_CONFIDENT if says_it else _NEAR_BEST) * best)
    return candidate.sentence.confidence >= enough


def _join(groups: list[list[Candidate]], candidate: Candidate, *, may_found: bool) -> None:
    for group in groups:
        if any(same_answer(candidate.answer, other.answer) for other in group):
            group.append(candidate)
            return
    if may_found:
        groups.append([candidate])


def says_all(question: str, text: str) -> bool:
    """Whether every content word of the question stands in the text, in this or a related form (ruler, ruled)."""
    present = {stem[:_SAME_WORD] for stem in content_stems(text)}
    return all(stem[:_SAME_WORD] in present for stem in content_stems(question))


def same_answer(one: str, other: str) -> bool:
    """Whether two strings name the same thing: equal, or the words of one within the other's."""
    first, second = set(normalize_answer(one).split()), set(normalize_answer(other).split())
    return bool(first and second) and (first <= second or second <= first)


def _aliases(group: Sequence[Candidate]) -> tuple[str, ...]:
    """The fullest form first."""
    forms = dict.fromkeys(candidate.answer for candidate in group)
    return tuple(sorted(forms, key=lambda form: -len(form)))


def _citations(group: Sequence[Candidate]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(candidate.sentence.number for candidate in group[:_CITED]))
