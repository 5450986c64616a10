"""Answer with the sources' own sentences: chosen for coverage of every reading, each with its citation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from expound.answer.article_support import SUPPORT, Support, is_supported
from expound.answer.standalone import standalone
from expound.plugins import spec_text
from expound.protocols import SentenceScorer
from expound.text.answer_types import AnswerType, expected_type, typed_strings
from expound.text.inline import render_inline
from expound.text.normal import normalize_answer
from expound.text.sentences import split_sentences
from expound.text.words import content_stems
from expound.types import Answer, Evidence, Interpretation, ScoredSentence, Sentence


@dataclass(frozen=True, repr=False)
class Choice:
    """What a further sentence is worth (recipes/LOG.md, "Choosing sentences")."""

    overlap_cost: float = 0.05
    """Lost for words that were said already."""
    new_string_bonus: float = 0.2
    """Won by a name, date or number of the kind that is asked for, if it is new."""
    reading_bonus: float = 0.1
    """Won by the answer of a reading that is still open."""
    same: float = 0.75
    """The share of its content words from which on a sentence repeats another one."""
    relevance: float = 0.05
    """Of a logit of the ranker that has read the sentence's whole passage with the question, where one has."""
    far_behind: float = 0.8
    """So far behind the best sentence stands what merely shares its topic: a shorter answer beats filler."""

    __repr__ = spec_text


CHOICE = Choice()


@dataclass(frozen=True, repr=False)
class Extractive:
    """Whole sentences up to about `words` words, most useful first, without saying a thing twice."""

    scorer: SentenceScorer = field(repr=False)
    words: int = 80
    abstains: bool = field(default=True, repr=False)
    choice: Choice = CHOICE
    support: Support = SUPPORT

    def __repr__(self) -> str:
        return spec_text(self, always=("words",))

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The chosen sentences, grouped by source, in its order; nothing if nothing supports an answer."""
        if self.abstains_from(question, evidence):
            return Answer()
        ranked = self._in_read_passages(self.scorer.score(question, evidence), evidence)
        candidates = [
            candidate for scored in ranked if (candidate := _candidate(scored, evidence, question)) is not None
        ]
        # Measured from what can be quoted: the best sentence of all may be one that cannot stand alone.
        floor = max((candidate.scored.score for candidate in candidates), default=0.0) - self.choice.far_behind
        near = [candidate for candidate in candidates if candidate.scored.score >= floor]
        # Several readings are what the answer is about: each is told first, however far behind it stands.
        told = self._tell_readings(candidates, interpretations) if len(interpretations) > 1 else []
        chosen = self._choose(told, near, interpretations)
        sentences = tuple(_sentences(chosen))
        return Answer(" ".join(sentence.text for sentence in sentences), sentences)

    def _in_read_passages(self, ranked: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> list[ScoredSentence]:
        """The sentences, best first, each with what the ranker made of its passage."""
        read = {item.number: item.relevance for item in evidence if item.relevance is not None}
        # What nobody has read may be as far off as the farthest that somebody has.
        unread = min(read.values(), default=0.0)
        scored = [
            replace(sentence, score=sentence.score + self.choice.relevance * read.get(sentence.number, unread))
            for sentence in ranked
        ]
        return sorted(scored, key=lambda sentence: -sentence.score)

    def abstains_from(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether nothing in the evidence supports an answer."""
        return self.abstains and not is_supported(
            question, self.scorer.score(question, evidence), evidence, self.support
        )

    def _tell_readings(
        self, candidates: Sequence[_Candidate], interpretations: Sequence[Interpretation]
    ) -> list[_Candidate]:
        """The best sentence for each reading, in the readings' order, as far as there is room."""
        told: list[_Candidate] = []
        for reading in interpretations:
            answer = _answer_of(reading)
            saying = [candidate for candidate in candidates if candidate.says(answer)]
            if not saying or any(one.says(answer) for one in told):
                continue
            # The best of all that say it, not of those that the reading cites (recipes/LOG.md, "Readings told apart by
            # a time").
            if not told or sum(one.length for one in told) + saying[0].length / 2 <= self.words:
                told.append(saying[0])
        return told

    def _choose(
        self, told: Sequence[_Candidate], candidates: list[_Candidate], interpretations: Sequence[Interpretation]
    ) -> list[_Candidate]:
        """Greedy choice beside what is told already: the score, less what was said, plus what is new."""
        chosen = list(told)
        length = sum(one.length for one in told)
        answers = {_answer_of(reading) for reading in interpretations}
        unsaid = {answer for answer in answers if not any(one.says(answer) for one in told)}
        strings = {string for one in told for string in one.strings}
        pool = [candidate for candidate in candidates if candidate not in told] if length < self.words - 5 else []
        while pool:
            gains = [
                # Ties go to the sentence that the scorer had first.
                (self._gain(candidate, chosen, strings, unsaid), -order)
                for order, candidate in enumerate(pool)
            ]
            best = pool.pop(-max(gains)[1])
            # A sentence that fits by half is taken: answers are about so
            # long, and one that stops early says too little.
            if chosen and (length + best.length / 2 > self.words or self._repeats(best, chosen)):
                continue
            chosen.append(best)
            length += best.length
            strings |= best.strings
            unsaid = {answer for answer in unsaid if not best.says(answer)}
            # Five words of room hold no sentence, see FEWEST_WORDS.
            if length >= self.words - 5:
                break
        return chosen

    def _gain(self, candidate: _Candidate, chosen: list[_Candidate], strings: set[str], unsaid: set[str]) -> float:
        overlap = max((_overlap(candidate, other) for other in chosen), default=0.0)
        gain = candidate.scored.score - self.choice.overlap_cost * overlap
        if candidate.strings - strings:
            gain += self.choice.new_string_bonus
        if any(candidate.says(answer) for answer in unsaid):
            gain += self.choice.reading_bonus
        return gain

    def _repeats(self, candidate: _Candidate, chosen: list[_Candidate]) -> bool:
        return any(_overlap(candidate, other) >= self.choice.same for other in chosen)


@dataclass(frozen=True)
class _Candidate:
    """A sentence that could stand in the answer, with what the choice looks at."""

    scored: ScoredSentence
    shown: str
    text: str
    stems: frozenset[str]
    strings: frozenset[str]
    normal: str
    length: int

    def says(self, answer: str) -> bool:
        """Whether it has an answer, normalised, in whole words: "10" does not stand in "1810"."""
        return bool(answer) and f" {answer} " in f" {self.normal} "


def _answer_of(reading: Interpretation) -> str:
    # The first alias stands for its reading: clarifiers put the fullest form first.
    return normalize_answer(reading.answers[0]) if reading.answers else ""


def _candidate(scored: ScoredSentence, evidence: Sequence[Evidence], question: str) -> _Candidate | None:
    passage = next(item.passage for item in evidence if item.number == scored.number)
    before = split_sentences(passage.text)[: scored.position]
    text = standalone(render_inline(scored.text, passage.source.file), title=passage.title, before=before)
    if text is None:
        return None
    kind: AnswerType = expected_type(question)
    # What stands in the question is no answer to it: "Who voiced Simba?" is not answered by "Simba".
    asked = normalize_answer(question)
    strings = frozenset(
        normal
        for string in typed_strings(kind, scored.text)
        if (normal := normalize_answer(string)) and normal not in asked
    )
    stems = frozenset(content_stems(scored.text))
    shown = render_inline(scored.text, passage.source.file)
    return _Candidate(
        scored=scored,
        shown=shown,
        text=text,
        stems=stems,
        strings=strings,
        # Compared with answers of readings, so normalised as they are in scoring.
        normal=normalize_answer(scored.text),
        length=len(text.split()),
    )


def _overlap(one: _Candidate, other: _Candidate) -> float:
    smaller = min(len(one.stems), len(other.stems))
    return len(one.stems & other.stems) / smaller if smaller else 0.0


def _sentences(chosen: list[_Candidate]) -> list[Sentence]:
    """In reading order: sources by their best sentence, sentences of a source as they stand there."""
    sources = list(dict.fromkeys(candidate.scored.number for candidate in chosen))
    ordered = sorted(chosen, key=lambda candidate: (sources.index(candidate.scored.number), candidate.scored.position))
    result: list[Sentence] = []
    last: ScoredSentence | None = None
    for candidate in ordered:
        scored = candidate.scored
        # Right behind the sentence it follows in its source, a pronoun needs no help.
        follows = last is not None and (last.number, last.position + 1) == (scored.number, scored.position)
        result.append(Sentence(candidate.shown if follows else candidate.text, scored.text, (scored.number,)))
        last = scored
    return result
