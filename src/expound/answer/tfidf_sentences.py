"""ELI5's extractive baseline (Fan et al. 2019): the sentences with the highest TF-IDF similarity to the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.quoting import Place, places_of, quote_sentence
from expound.answer.support_document import check_over, places_in, support_document
from expound.answer.tfidf import best_first, table_of
from expound.answer.top_passages import fill_words
from expound.errors import UserError
from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class TfidfSentences:
    """The best `sentences` of the evidence, or of its support document, in their original order.

    With `most_words` the length decides instead: the best sentences up to about so many words. A sentence that stands
    in several passages is taken once. `over` is `evidence` or `support`.
    """

    # ELI5's baseline returns seven (section 5.1).
    sentences: int = 7
    most_words: int | None = None
    over: str = "evidence"

    def __post_init__(self) -> None:
        check_over(self.over)
        if self.sentences < 1:
            raise UserError(f"TfidfSentences needs at least 1 sentence, not sentences={self.sentences}")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The chosen sentences, each with its citation."""
        over_support = self.over == "support"
        found = places_in(support_document(question, evidence)) if over_support else places_of(evidence)
        # Before ranking: a sentence that ten passages copy would otherwise fill the answer.
        places = without_repetitions(found)
        ranked = best_first(table_of([place.text for place in places]).similarities(question))
        best = [places[row] for row in ranked]
        chosen = set(best[: self.sentences] if self.most_words is None else fill_words(best, self.most_words))
        return quote_sentence(place for place in places if place in chosen)


def without_repetitions(places: Sequence[Place]) -> list[Place]:
    """Each text once, where it stands first."""
    first: dict[str, Place] = {}
    for place in places:
        first.setdefault(place.text, place)
    return list(first.values())
