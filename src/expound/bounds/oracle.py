"""The best answer that sentences of the evidence could make, by looking at the references."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.quoting import Place, places_of, quote_sentence
from expound.answer.sentence_scores import is_whole
from expound.answer.support_document import check_over, places_in, support_document
from expound.answer.tfidf import table_of
from expound.answer.tfidf_sentences import without_repetitions
from expound.bounds.beam import search
from expound.errors import UserError
from expound.score.eli5_metrics import Eli5Rouge
from expound.score.rouge import Rouge
from expound.score.str_em import StrEm
from expound.text.splitters import resources_of
from expound.types import Answer, Evidence, Interpretation, Prediction, Question


@dataclass(frozen=True)
class OracleSentences:
    """ELI5's extractive oracle (Fan et al. 2019): a beam search for the sentences most similar to the reference.

    The beam holds the `beam` sets of sentences with the highest TF-IDF similarity to the reference and adds a sentence
    at a time, `sentences` times. Of all sets that were in it, the one with the best ROUGE is the answer. With several
    references there is a search for each. `over` is `evidence` or `support`, `kind` the kind of `Eli5Rouge`.
    """

    beam: int = 10
    sentences: int = 10
    over: str = "evidence"
    kind: str = "1"

    def __post_init__(self) -> None:
        check_over(self.over)
        Eli5Rouge(self.kind)  # refuses an unknown kind
        if self.beam < 1 or self.sentences < 1:
            raise UserError("OracleSentences needs a beam and sentences of at least 1")

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The chosen sentences in their original order, each with its citation."""
        over_support = self.over == "support"
        found = places_in(support_document(question.text, evidence)) if over_support else places_of(evidence)
        places = without_repetitions(found)
        table = table_of([place.text for place in places])
        rows = [
            state
            for reference in question.references
            for state in search(table, reference, beam=self.beam, most=self.sentences)
        ]
        # Sets that two references led to are scored once.
        options = [quote_sentence(places[row] for row in state) for state in dict.fromkeys(rows)]
        rouge = Eli5Rouge(self.kind)
        # The first of equals is the shorter one, since smaller sets come first.
        return max(options, key=lambda answer: rouge.count(question, _prediction(question, answer)), default=Answer())


@dataclass(frozen=True)
class Oracle:
    """A greedy choice of up to `words` words: always the sentence that raises sqrt(ROUGE x STR-EM) of ASQA most.

    `splitter` is that of `Rouge(profile='asqa')`: `rules` needs no fetched file.
    """

    words: int = 80
    splitter: str = "punkt"

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return resources_of(self.splitter)

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The chosen sentences in the order of their choice, each with its citation."""
        pool = without_repetitions([place for place in places_of(evidence) if is_whole(place.text)])
        chosen: list[Place] = []
        best = 0.0
        room = self.words
        # A sentence that does not fit is passed over; a shorter one behind it may.
        while fitting := [place for place in pool if len(place.text.split()) <= room]:
            values = [self._quality(question, [*chosen, place]) for place in fitting]
            # Greedy: it stops where no sentence helps, though two together might.
            if max(values) <= best:
                break
            best = max(values)
            chosen.append(fitting[values.index(best)])
            pool.remove(chosen[-1])
            room -= len(chosen[-1].text.split())
        return quote_sentence(chosen)

    def _quality(self, question: Question, places: Sequence[Place]) -> float:
        prediction = _prediction(question, quote_sentence(places))
        overlap = Rouge(profile="asqa", splitter=self.splitter).count(question, prediction)
        found = StrEm().count(question, prediction)
        # A little of ROUGE alone lets the search start before both are above zero, or where there are no readings.
        return (0.0 if math.isnan(found) else math.sqrt(overlap * found)) + 0.1 * overlap


def _prediction(question: Question, answer: Answer) -> Prediction:
    return Prediction(id=question.id, question=question.text, system="oracle", answer=answer)
