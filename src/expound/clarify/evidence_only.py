"""Readings of a question found in the evidence alone: distinct answers that different sentences give, and what sets
them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from expound.clarify.candidates import Candidate, best_candidate
from expound.clarify.contrast import rewrite_all
from expound.clarify.groups import group_candidates, make_readings
from expound.clarify.mentions import find_mentions
from expound.clarify.rewrites import mend_taught, write_taught
from expound.clarify.settings import CHOOSING, FOUNDING, Choosing, Founding
from expound.clarify.weighing import JudgedReading, WeighedAnswer, judge_answers, options_of
from expound.models.telling_words import open_telling_words
from expound.plugins import spec_text
from expound.protocols import CloseReader, Reader, SentenceScorer
from expound.text.ambiguity import adds_time, kind_of
from expound.text.answer_types import expected_type
from expound.types import Evidence, Interpretation

_YES_NO = re.compile(r"(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should)\b", re.IGNORECASE)
# A reading shows its best source and one that confirms it.
_CITED = 2
_UNTOLD = "nothing in its evidence tells it from the others"
_UNTIMED = "no time tells it from the best one, and the two are not sure enough for anything else"


@dataclass(frozen=True, repr=False)
class EvidenceOnly:
    """Up to `most` readings; none when the evidence gives one answer, or when the question asks for an explanation.

    With a span reader, answers are weighed by many signs; without one, a sentence gives what its form suggests.
    """

    only_of_articles: ClassVar[bool] = True

    scorer: SentenceScorer = field(repr=False)
    reader: Reader | None = field(default=None, repr=False)
    most: int = 5
    single: bool = False
    """Whether a question with one answer gets one reading, made precise where the evidence allows, instead of none."""
    sentences: int = 16
    """How many of the best sentences are looked at for their form: beyond them are other things of the same kind."""
    founding: Founding = FOUNDING
    choosing: Choosing = CHOOSING
    rewriter: str = ""
    """A file of `expound train rewriter`, which has a say in what is added to tell readings apart."""
    writer: str = ""
    """A writer that was taught to rewrite, `NAME+RUN/adapter.gguf` or a folder; code mends what stands nowhere."""

    __repr__ = spec_text

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings, best supported first, each with a question that only its answer fits."""
        if not self._may_have_several(question):
            return []
        formed = self._group_by_form(question, evidence)
        if isinstance(self.reader, CloseReader):
            found = self._choose_weighed(question, evidence, [group[0].answer for group in formed])
        else:
            found = make_readings(question, self._rewrite(question, formed), formed)
        # None, rather than one: "no ambiguity" is what an empty list means to every answerer.
        return found if len(found) > 1 or self.single else []

    def _choose_weighed(
        self, question: str, evidence: Sequence[Evidence], formed: Sequence[str]
    ) -> list[Interpretation]:
        """The likeliest answer, and others that are likely enough and can be told apart from it."""
        chosen = [one for one in self._judge_readings(question, evidence, formed) if not one.left_out]
        texts = self._tell_apart(question, chosen)
        apart = [_make_reading(question, text, one) for text, one in zip(texts, chosen, strict=True) if text]
        if len(apart) > 1 or not chosen:
            # The best answer is not always the surest one: how sure it is was fitted apart from which is the best.
            return sorted(apart, key=lambda reading: -(reading.confidence or 0))
        # What cannot be told apart in words is shown to nobody as several readings: the likeliest stands alone.
        best = chosen[0]
        alone = self._rewrite(question, [_candidates(best.option)])[0] if self.single else None
        return [_make_reading(question, alone or question, best)]

    def _tell_apart(self, question: str, chosen: Sequence[JudgedReading]) -> list[str]:
        """A question for each reading; an empty one for a reading that nothing sets apart well enough."""
        texts = [text or "" for text in self._rewrite(question, [_candidates(one.option) for one in chosen])]
        # Of the readings of pairs that are likely but not sure, 7 of 12 were right where a time told both apart, and 11
        # of 35 where something else did (recipes/LOG.md, "Readings told apart by a time").
        timed = [adds_time(question, text) for text in texts]
        return [
            text if one.is_sure or (timed[0] and has_time) else ""
            for text, one, has_time in zip(texts, chosen, timed, strict=True)
        ]

    def _rewrite(self, question: str, groups: Sequence[Sequence[Candidate]]) -> list[str | None]:
        if self.writer and len(groups) > 1:
            return mend_taught(question, groups, write_taught(self.writer, question, groups))
        return rewrite_all(question, groups, telling=open_telling_words(self.rewriter))

    def _judge_readings(
        self, question: str, evidence: Sequence[Evidence], formed: Sequence[str]
    ) -> list[JudgedReading]:
        options = self._weigh_options(question, evidence, formed)
        return judge_answers(question, options, choosing=self.choosing, most=self.most)

    def _weigh_options(self, question: str, evidence: Sequence[Evidence], formed: Sequence[str]) -> list[WeighedAnswer]:
        assert isinstance(self.reader, CloseReader)
        read = evidence[: self.choosing.passages]
        mentions = find_mentions(question, read, self.scorer.score(question, evidence), self.reader)
        return options_of(question, mentions, formed)

    def candidates(self, question: str, evidence: Sequence[Evidence]) -> list[str]:
        """Every string that may be the answer, the likeliest first; by form alone, those that founded something."""
        if not self._may_have_several(question):
            return []
        formed = [group[0].answer for group in self._group_by_form(question, evidence)]
        if not isinstance(self.reader, CloseReader):
            return formed
        return [option.answer for option in self._weigh_options(question, evidence, formed)]

    def explain(self, question: str, evidence: Sequence[Evidence]) -> dict[str, str]:
        """The answers that were weighed, the likeliest first, and what became of each."""
        if not self._may_have_several(question) or not isinstance(self.reader, CloseReader):
            return {}
        judged = self._judge_readings(
            question, evidence, [group[0].answer for group in self._group_by_form(question, evidence)]
        )
        shown = [one for one in judged if not one.left_out]
        texts = self._tell_apart(question, shown)
        # By identity: two answers may be spelt alike.
        told = {id(one) for one, text in zip(shown, texts, strict=True) if text}
        return {f"“{one.option.answer}”": f"{one.confidence:.2f}, {_outcome(one, shown, told)}" for one in judged}

    @staticmethod
    def _may_have_several(question: str) -> bool:
        # A reason, a yes or a no is no string that a reading could be founded on.
        return expected_type(question) != "explanation" and not _YES_NO.match(question)

    def _group_by_form(self, question: str, evidence: Sequence[Evidence]) -> list[list[Candidate]]:
        return group_candidates(question, self.by_form(question, evidence), founding=self.founding)[: self.most]

    def by_form(self, question: str, evidence: Sequence[Evidence]) -> list[Candidate]:
        passages = {item.number: item.passage for item in evidence}
        scored = self.scorer.score(question, evidence)[: self.sentences]
        found = (best_candidate(question, sentence, passages[sentence.number]) for sentence in scored)
        return [candidate for candidate in found if candidate is not None]


def _candidates(option: WeighedAnswer) -> list[Candidate]:
    return [Candidate(mention.answer, mention.sentence, mention.passage) for mention in option.mentions]


def _outcome(judged: JudgedReading, shown: Sequence[JudgedReading], told: set[int]) -> str:
    """What became of an answer; `told` are those of the likely ones that something tells apart."""
    if judged.left_out:
        return f"left out: {judged.left_out}"
    if len(told) > 1 and id(judged) in told:
        return "a reading"
    # Where no two are told apart the likeliest stands alone.
    if len(told) < 2 and judged is shown[0]:
        return "the one answer"
    return f"left out: {_UNTIMED if not judged.is_sure else _UNTOLD}"


def _make_reading(question: str, text: str, judged: JudgedReading) -> Interpretation:
    option = judged.option
    answers = tuple(dict.fromkeys(mention.answer for mention in option.mentions))
    cited = tuple(sorted({mention.sentence.number for mention in option.mentions[:_CITED]}))
    reading = Interpretation(text, answers, cited, confidence=round(judged.confidence, 3))
    return replace(reading, type=kind_of(question, [reading]) if text != question else "")
