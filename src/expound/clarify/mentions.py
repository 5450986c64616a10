"""The strings of the evidence that may answer a question, and what speaks for each place where one stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from expound.clarify.candidates import closeness_of, is_of_kind, without_origin
from expound.clarify.groups import words_said
from expound.protocols import CloseReader, ContextRead
from expound.text.answer_types import DATE, AnswerType, asked_noun, counted_strings, expected_type, typed_strings
from expound.text.normal import normalize_answer
from expound.text.sentences import split_sentences
from expound.text.whole_words import take_whole_words
from expound.text.words import content_stems
from expound.types import Evidence, Passage, ScoredSentence

SPANS = 8
"""Of the reader, in a passage: those behind are pieces of these."""
MOST_WORDS = 8
"""Of an answer; nineteen in twenty of AmbigNQ's have no more."""
_EDGES = " .,;:\"'“”‘’()[]–-"
# "In New York" is New York: of 19,541 answers to AmbigNQ's training questions 15 begin so, and 11 end so.
_LEADING = re.compile(r"^(?:in|on|at|by|with|and|or|between(?!.* and )) (?=\w)", re.IGNORECASE)
_DANGLING = re.compile(r"(?<=\w)(?: (?:in|on|at|by|from|of|to|with|and|or|the|a|an))+$")
# "11.2 km long" is 11.2 km.
_MEASURED = re.compile(r"(?<=\w) (?:long|tall|high|wide|deep|old|away|ago)$")
_TWO_DATES = re.compile(rf"{DATE.pattern},? and (?:{DATE.pattern})$")
# Below any score of a span that begins and ends with a word: the reader did not see the string as one.
_UNSEEN = -12.0


@dataclass(frozen=True, slots=True)
class Mention:
    """A string in its sentence, with the reader's score above that of no answer and of the passage's best span."""

    answer: str
    sentence: ScoredSentence
    passage: Passage
    rank: int
    """Of the passage, from 0."""
    nearness: float
    """The score that the retrieval gave the passage."""
    above_none: float
    behind_best: float
    is_of_kind: bool
    closeness: float
    said: float
    """The share of the question's content words that the sentence and the passage's title have."""

    @property
    def key(self) -> str:
        """Strings with the same key are one answer."""
        return normalize_answer(self.answer)


def find_mentions(
    question: str, evidence: Sequence[Evidence], scored: Sequence[ScoredSentence], reader: CloseReader
) -> list[Mention]:
    """Every string that the reader or its form proposes as an answer, in the order of the passages."""
    # With its page's title before it, a passage that says "it" and "he" is understood (recipes/LOG.md).
    reads = reader.read_closely([(question, _context(item.passage)) for item in evidence])
    by_place = {(sentence.number, sentence.position): sentence for sentence in scored}
    asked = _Asked.of(question)
    return [
        mention
        for rank, (item, read) in enumerate(zip(evidence, reads, strict=True))
        for mention in _Page(asked, item, rank=rank, read=read, scored=by_place).mentions()
    ]


def _context(passage: Passage) -> str:
    return f"{passage.title}: {passage.text}"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with what is looked up for every string."""

    text: str
    kind: AnswerType
    words: frozenset[str]
    stems: frozenset[str]
    noun: str

    @classmethod
    def of(cls, question: str) -> _Asked:
        words = frozenset(normalize_answer(question).split())
        stems = frozenset(content_stems(question))
        return cls(question, expected_type(question), words=words, stems=stems, noun=asked_noun(question))


@dataclass(frozen=True, slots=True)
class _Page:
    """A passage that is looked through."""

    asked: _Asked
    item: Evidence
    rank: int
    read: ContextRead
    scored: dict[tuple[int, int], ScoredSentence]

    def mentions(self) -> Iterator[Mention]:
        best = max((span.score for span in self.read.best(1)), default=self.read.null_score)
        text = self.item.passage.text
        spans = [(span.start, span.end) for span in self.read.best(SPANS)]
        # The reader saw the title and ": " in front: its offsets count from there.
        ahead = len(self.item.passage.title) + 2
        for start, end, sentence in _sentences(text):
            scored = self._score_sentence(sentence, start, text)
            said = words_said(self.asked.text, f"{self.item.passage.title} {sentence}") / max(1, len(self.asked.stems))
            inside = [
                take_whole_words(text, max(a - ahead, 0), b - ahead)
                for a, b in spans
                if start <= a - ahead and b - ahead <= end
            ]
            formed = [_trim_mention(string) for string in self._find_formed(sentence)]
            whole = [self._without_origin(_complete_name(_trim_mention(one), formed, sentence)) for one in inside]
            for string in dict.fromkeys([*whole, *formed]):
                if self._may_answer(string):
                    yield self._mention(string, scored, start + ahead, said=said, best=best)

    def _find_formed(self, sentence: str) -> list[str]:
        """The strings of the wanted form: dates, numbers, names, "season 5"."""
        kind = "name" if self.asked.kind == "explanation" else self.asked.kind
        counted = counted_strings(self.asked.noun, sentence) if self.asked.noun else []
        found = typed_strings(kind, sentence, context=self.item.passage.text)
        return [*counted, *(map(without_origin, found) if kind == "person" else found)]

    def _without_origin(self, string: str) -> str:
        return without_origin(string) if self.asked.kind == "person" else string

    def _may_answer(self, string: str) -> bool:
        """Whether a string says something that was not asked, in few words."""
        words = normalize_answer(string).split()
        # "1948 and 1954" are two answers; 32 of 4,566 dates that AmbigNQ's training questions ask for are joined so.
        are_two = self.asked.kind == "date" and _TWO_DATES.match(string) is not None
        return 0 < len(words) <= MOST_WORDS and not set(words) <= self.asked.words and not are_two

    def _mention(self, string: str, scored: ScoredSentence, ahead: int, said: float, best: float) -> Mention:
        start = ahead + scored.text.find(string)
        # Bounded from below: a string that the reader's tokens cut differently has no score, and would outweigh every
        # other sign.
        score = max(self.read.score(start, start + len(string)), self.read.null_score + _UNSEEN)
        passage = self.item.passage
        return Mention(
            answer=string,
            sentence=scored,
            passage=passage,
            rank=self.rank,
            nearness=self.item.score,
            above_none=score - self.read.null_score,
            behind_best=score - best,
            is_of_kind=is_of_kind(string, self.asked.kind, passage.title),
            closeness=closeness_of(string, self.asked.kind, scored.text, set(self.asked.stems)),
            said=said,
        )

    def _score_sentence(self, sentence: str, start: int, text: str) -> ScoredSentence:
        """The sentence as it was scored; what the ranker did not see has no confidence."""
        position = sum(1 for begin, _, _ in _sentences(text) if begin < start)
        found = self.scored.get((self.item.number, position))
        return found or ScoredSentence(
            text=sentence, number=self.item.number, position=position, score=0.0, similarity=0.0, confidence=0.0
        )


def _sentences(text: str) -> list[tuple[int, int, str]]:
    """The sentences of a text with the characters at which they begin and end."""
    found = []
    place = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, place)
        if start < 0:  # white space within it was changed
            continue
        place = start + len(sentence)
        found.append((start, place, sentence))
    return found


def _complete_name(string: str, formed: Sequence[str], sentence: str) -> str:
    """The name or date that a string is a piece of, where it stands once: "Donald" of "Allan Donald"."""
    whole = [form for form in formed if string in form and string != form]
    return whole[0] if len(whole) == 1 and sentence.count(string) == 1 and string[:1].isalnum() else string


def _trim_mention(string: str) -> str:
    whole = _MEASURED.sub("", re.sub(r"['’]s$", "", string.strip(_EDGES)).strip(_EDGES))
    return _DANGLING.sub("", _LEADING.sub("", whole)).strip(_EDGES)
