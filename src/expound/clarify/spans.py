"""The short answers that sentences give to a question, read out of each by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import TypeAlias

from expound.clarify.candidates import Candidate, best_candidate
from expound.clarify.settings import REACH, Reach
from expound.prompts import prompt, quote
from expound.protocols import Reader, SentenceScorer, TextModel
from expound.text.answer_types import expected_type, number_word
from expound.text.normal import normalize_answer
from expound.types import Evidence, Passage, Prompt, ScoredSentence, Sentence

MOST_WORDS = 12
"""Of an answer: what is longer is a clause, not a name, a date or a number."""
# Room for an answer of so many words: a model that goes on is cut off.
# Two tokens a word: names and numbers have several.
_TOKENS = 24
# Numbers below a thousand may be written out in a sentence; years and sums are not.
_DIGITS = 4
_SUPERLATIVE = re.compile(r"\b(?:what|which) (?:is|was|are|were) the (?:[a-z]+est|most [a-z]+) ([a-z]+)", re.IGNORECASE)
_MEASURES = frozenset(
    "age amount area attendance cost depth distance duration height length level mark number percentage point "
    "population price rate record salary score size speed sum temperature time total value wage weight width "
    "year".split()
)
_NONE = ("none", "no answer", "not stated", "unknown")

OnSentence: TypeAlias = Callable[[Sentence], None]
"""Called with each sentence whose answer was found and checked, as soon as it is."""


@dataclass(frozen=True)
class ModelSpans:
    """A text model reads one sentence at a time; what it says counts only if it stands there word for word."""

    model: TextModel
    on_sentence: OnSentence | None = None
    by_form: bool = False
    """Whether a sentence in which the model finds nothing that fits may still give an answer by its form."""

    def __call__(
        self, question: str, scored: Sequence[ScoredSentence], passages: Mapping[int, Passage]
    ) -> list[Candidate]:
        """The answers, in the order of the sentences."""
        return self.read_all([(question, scored)], passages)[0]

    def read_all(
        self, asked: Sequence[tuple[str, Sequence[ScoredSentence]]], passages: Mapping[int, Passage]
    ) -> list[list[Candidate]]:
        """The same for several questions, each with its sentences: none waits for another's replies."""
        replies = self._replies(
            self._prompt(question, sentence, passages[sentence.number])
            for question, scored in asked
            for sentence in scored
        )
        return [self._find_candidates(question, scored, passages, replies) for question, scored in asked]

    def _replies(self, prompts: Iterable[Prompt]) -> Iterator[str]:
        """All at once where calls can go out side by side; else one by one, so that the first answer is soon there."""
        # Side by side there is nothing to be gained from waiting; one by one the user sees the first find early.
        if getattr(self.model, "jobs", 1) > 1:
            yield from self.model.complete(list(prompts))
        else:
            for asked in prompts:
                yield from self.model.complete([asked])

    def _find_candidates(
        self,
        question: str,
        scored: Sequence[ScoredSentence],
        passages: Mapping[int, Passage],
        replies: Iterator[str],
    ) -> list[Candidate]:
        found = []
        for sentence in scored:
            reply = next(replies)
            passage = passages[sentence.number]
            answer = span_in(reply, sentence.text, question)
            if answer and fits(answer, question):
                found.append(Candidate(answer, sentence, passage))
                if self.on_sentence:
                    self.on_sentence(Sentence(sentence.text, sentence.text, (sentence.number,)))
            # Small models overlook what is plainly there; only that a name stands somewhere says too little.
            elif self.by_form and (answer or expected_type(question) != "name"):
                formed = best_candidate(question, sentence, passage)
                found += [formed] if formed else []
        return found

    def _prompt(self, question: str, sentence: ScoredSentence, passage: Passage) -> Prompt:
        fields = {"question": question, "title": quote(passage.title), "sentence": quote(sentence.text)}
        return prompt("span", max_tokens=_TOKENS, **fields)


@dataclass(frozen=True)
class ReaderSpans:
    """A span reader reads the sentences; a span counts when its score is over that of no answer by `threshold`."""

    reader: Reader
    threshold: float = 0.0

    def __call__(
        self, question: str, scored: Sequence[ScoredSentence], passages: Mapping[int, Passage]
    ) -> list[Candidate]:
        """The answers, in the order of the sentences."""
        # Alone, a sentence says "it" and "he"; with its page's title the reader finds twice as much.
        spans = self.reader.read([(question, f"{passages[s.number].title}: {s.text}") for s in scored])
        return [
            Candidate(answer, sentence, passages[sentence.number])
            for sentence, span in zip(scored, spans, strict=True)
            if span.score - span.null_score > self.threshold
            if (answer := span_in(span.text, sentence.text, question))
        ]


def find_promising(
    scorer: SentenceScorer, question: str, evidence: Sequence[Evidence], most: int, *, reach: Reach = REACH
) -> tuple[list[ScoredSentence], dict[int, Passage]]:
    """The sentences that are worth reading, surest first, and the passages of the evidence by number."""
    # By confidence and not by score: what reads like an answer, rather than what fits into one.
    scored = sorted(scorer.score(question, evidence), key=lambda sentence: -sentence.confidence)
    once: list[ScoredSentence] = []
    for sentence in scored:
        # The same sentence in two passages would be paid for twice, and counts as one source anyway.
        if all(sentence.text != other.text for other in once):
            once.append(sentence)
    floor = max(reach.least, reach.of_best * once[0].confidence) if once else 0.0
    sure = sum(sentence.confidence >= floor for sentence in once)
    chosen = once[: min(most, max(sure, reach.fewest))]
    return chosen, {item.number: item.passage for item in evidence}


def span_in(reply: str, sentence: str, question: str) -> str:
    """The reply as it stands in the sentence; empty if it does not, is long, or only repeats the question.

    >>> span_in("theresa may.", "The Prime Minister is Theresa May.", "Who is the prime minister?")
    'Theresa May'
    """
    wanted = " ".join(reply.split()).strip(" .\"'“”,;:")
    words = set(normalize_answer(wanted).split())
    if not words or wanted.casefold() in _NONE or len(wanted.split()) > MOST_WORDS:
        return ""
    asked = set(normalize_answer(question).split())
    # The model has copied the question, which small ones do when they find nothing.
    if words <= asked:
        return ""
    number = number_word(int(wanted)) if wanted.isdecimal() and len(wanted) < _DIGITS else ""  # "4" for "four"
    # From the literal to the lenient: as replied, with a word in between,
    # a number written out, without the question's words.
    forms = (re.escape(wanted), _loosely(wanted), number, re.escape(_without(asked, wanted)))
    return next((found for form in forms if (found := _find_words(form, sentence))), "")


def fits(answer: str, question: str) -> bool:
    """Whether an answer may be of the kind that is asked for: no figure for a person, a place or the tallest building.

    >>> fits("828 metres", "What is the tallest building?"), fits("828 metres", "What is the greatest height?")
    (False, True)
    """
    # Only figures are told from names for sure; all else is believed.
    if not answer[:1].isdigit():
        return True
    asks_for_thing = _SUPERLATIVE.search(question)
    is_thing = asks_for_thing is not None and asks_for_thing.group(1).lower().removesuffix("s") not in _MEASURES
    return expected_type(question) not in ("person", "place") and not is_thing


def _without(asked: set[str], reply: str) -> str:
    """The reply without the question's words at its beginning: "England" of "Cambridge, England"."""
    words = reply.split()
    return " ".join(dropwhile(lambda word: normalize_answer(word) in asked, words))


def _loosely(reply: str) -> str:
    """The reply's words with what may stand between them: a comma, an "and", a middle name."""
    return r"\W+(?:\w+\W+)?".join(re.escape(word) for word in re.findall(r"\w+", reply))


def _find_words(pattern: str, sentence: str) -> str:
    """The first whole words that match: no "art" in "party"."""
    found = re.search(rf"(?<!\w){pattern}(?!\w)", sentence, re.IGNORECASE) if pattern else None
    return found.group() if found else ""
