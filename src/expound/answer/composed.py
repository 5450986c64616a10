"""Answer as the question wants it: stretches of text where it asks for an explanation, the place of a value first.

A mosaic of single sentences is kept for what it is good at: questions of which articles give several readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from expound.answer.answerable import LARGE, SMALL, USUAL, answerability, is_answerable
from expound.answer.continued import CONTINUED, continue_extracts
from expound.answer.direct import FoundDirect, Place, find_direct
from expound.answer.entries import Entry, join_entries
from expound.answer.extractive import Extractive
from expound.answer.extracts import FEW_NOTES, LENGTHS, Extract, Lengths, choose_extracts, in_reading_order
from expound.answer.kinds import EXPLAINING, question_kind
from expound.answer.named import name_extracts
from expound.answer.order import order_sentences
from expound.plugins import spec_text
from expound.protocols import Reader, SentenceScorer
from expound.text.genre import are_articles
from expound.text.titled import context_of
from expound.types import Answer, Evidence, Interpretation

MOSAIC_WORDS = 80
"""About the length at which ROUGE-L and STR-EM are best together on ASQA (recipes/LOG.md)."""

READING_WORDS = 20
"""A sentence of an article, about: so much room has every reading that is shown."""

ARTICLE_WORDS = 100
"""Articles come to the point sooner than manuals; ASQA's references have 65 words."""

ASKED_BEYOND = 1.15
"""How far an answer may go beyond the words that were asked for: half a sentence."""


@dataclass(frozen=True, repr=False)
class Composed:
    """Extracts, or a mosaic of sentences, by the kind of question and the sort of evidence.

    `words` is about how long the answer should be; 0 leaves it to the kind of answer. `passages` is how many the
    evidence was found among: a few notes are asked in other words than a manual.
    """

    scorer: SentenceScorer = field(repr=False)
    words: int = 0
    reader: Reader | None = field(default=None, repr=False)
    abstains: bool = field(default=True, repr=False)
    passages: int = field(default=USUAL, repr=False)
    lengths: Lengths = LENGTHS

    __repr__ = spec_text

    def answer(
        self,
        question: str,
        evidence: Sequence[Evidence],
        interpretations: Sequence[Interpretation] = (),
        behind: Sequence[Evidence] = (),
    ) -> Answer:
        """The answer, or nothing if the evidence does not hold one; `behind` is what the documents go on with."""
        if self.is_mosaic(question, evidence):
            answer = self._mosaic(len(interpretations)).answer(question, evidence, interpretations)
            return replace(answer, notes={"style": "sentences of several places"})
        best = self._order_evidence(question, evidence)
        # Told also where an answer is given, so that a run's records show how near the question was to being refused.
        notes = {"style": "extracts", "answerable": f"{answerability(question, best, self._size):.2f}"}
        if self.abstains_from(question, evidence):
            return Answer(notes=notes)
        lengths = self._lengths(are_articles(evidence))
        # The scorer's embedder is asked only for passages that have to be cut: whole ones need no similarities.
        extracts = choose_extracts(best, lambda texts: self.scorer.similarities(question, texts), lengths)
        seen = [*best, *behind]
        extracts = continue_extracts(extracts, seen, question_kind(question), lengths)
        found = self._direct(question, extracts, seen)
        extracts = in_reading_order(extracts, seen)
        # After the choice: the direct answer moves an extract to the
        # front, but never brings one in that was not chosen.
        extracts = name_extracts(lead_with(found, extracts) if found else extracts, seen)
        sentences = tuple(sentence for extract in extracts for sentence in extract.sentences())
        notes |= {"extracts": _places(extracts)}
        text = join_entries([entry for extract in extracts for entry in extract.entries])
        return Answer(text, sentences, found.direct if found else None, notes)

    def _direct(self, question: str, extracts: Sequence[Extract], evidence: Sequence[Evidence]) -> FoundDirect | None:
        """A value in a word or two, if it can be told."""
        if self.reader is None or question_kind(question) != "value":
            return None
        # The reader sees headings as well: "default: 80" says nothing without the name of the setting above it.
        places = {item.number: _place_of(item) for item in evidence}
        return find_direct(question, extracts, [places[extract.number] for extract in extracts], self.reader)

    def may_continue(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether what stands behind the evidence may belong to the answer: the rest of a list or of some steps."""
        return question_kind(question) in CONTINUED and not are_articles(evidence)

    def abstains_from(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether nothing in the evidence supports an answer; articles and documents have each their own signs."""
        # Both are asked with the same name, but articles are judged by
        # sentences, documents by passages (recipes/LOG.md).
        if are_articles(evidence):
            return self._mosaic().abstains_from(question, evidence)
        if not self.abstains:
            return False
        return not is_answerable(question, self._order_evidence(question, evidence), self._size)

    def is_mosaic(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether the answer is made of single sentences: articles often give such a question several readings."""
        return question_kind(question) not in EXPLAINING and are_articles(evidence)

    def _order_evidence(self, question: str, evidence: Sequence[Evidence]) -> list[Evidence]:
        """The evidence in the order of its worth; found by words alone, it is scored by the question's words."""
        # Found by words alone, the scores are BM25's, and the order's weight of 0.3 was chosen beside cosines.
        if not self._has_meaning:
            likeness = self.scorer.similarities(question, [item.passage.text for item in evidence])
            evidence = [replace(item, score=value) for item, value in zip(evidence, likeness, strict=True)]
        return order_sentences(question, evidence)

    @property
    def _has_meaning(self) -> bool:
        """Whether passages were compared by meaning, and not by words alone."""
        return getattr(self.scorer, "embedder", None) is not None

    @property
    def _size(self) -> int:
        """Among how many passages the best was found; by words alone even a few notes must say the question's words."""
        return self.passages if self._has_meaning else max(LARGE, self.passages)

    def _mosaic(self, readings: int = 0) -> Extractive:
        usual = max(MOSAIC_WORDS, READING_WORDS * readings)
        return Extractive(self.scorer, words=self.words or usual, abstains=self.abstains)

    def _lengths(self, of_articles: bool) -> Lengths:
        """The lengths for the words that were asked for, or that suit the sort of text."""
        words = self.words or (ARTICLE_WORDS if of_articles else self.lengths.total)
        # Who names lengths in a spec means them for any corpus.
        usual = FEW_NOTES if self._size <= SMALL and self.lengths == LENGTHS and not of_articles else self.lengths
        # Who asks for a length means every answer, not their mean.
        return replace(usual, total=words, beyond=ASKED_BEYOND if self.words else usual.beyond)


def lead_with(found: FoundDirect, extracts: Sequence[Extract]) -> list[Extract]:
    """The extracts with the one that holds the direct answer first, and in it the sentence that says it."""
    led = found.extract
    # Code and steps stay where they are: out of their order nobody can follow them.
    if found.entry.kind == "sentence" and led.entries[0] is not found.entry:
        rest = tuple(entry for entry in led.entries if entry is not found.entry)
        led = replace(led, entries=(replace(found.entry, opens=True), *_open_paragraph(rest)))
    return [led, *(extract for extract in extracts if extract is not found.extract)]


def _open_paragraph(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries, the first of them as the opening of a paragraph."""
    yield from (replace(entry, opens=entry.opens or place == 0) for place, entry in enumerate(entries))


def _place_of(item: Evidence) -> Place:
    """Where a passage stands, for the direct answer."""
    context = context_of(item.passage.title, item.passage.source.heading)
    return Place(context) if item.relevance is None else Place(context, item.relevance)


def _places(extracts: Sequence[Extract]) -> str:
    return ", ".join(f"{extract.words} words of passage {extract.number}" for extract in extracts)
