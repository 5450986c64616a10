"""ELI5's extractive reader (Fan et al. 2019): a scorer in BiDAF's place chooses the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.answer.quoting import Place, quoted
from expound.answer.support_document import Piece, check_over, evidence_from, support_document
from expound.errors import UserError
from expound.protocols import SentenceScorer
from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class ReaderSentences:
    """The `sentences` that the scorer likes best, in their original order; `over` is `evidence` or `support`."""

    scorer: SentenceScorer = field(repr=False)
    sentences: int = 5
    over: str = "evidence"

    def __post_init__(self) -> None:
        check_over(self.over)
        if self.sentences < 1:
            raise UserError(f"ReaderSentences needs at least 1 sentence, not sentences={self.sentences}")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The chosen sentences, each with its citation."""
        if self.over == "evidence":
            return quoted(self._chosen(question, evidence))
        pieces = support_document(question, evidence)
        chosen = self._chosen(question, evidence_from(pieces, evidence))
        return quoted(_in_source(place, pieces[place.number - 1]) for place in chosen)

    def _chosen(self, question: str, evidence: Sequence[Evidence]) -> list[Place]:
        order = {item.number: rank for rank, item in enumerate(evidence)}
        ranked = sorted(self.scorer.score(question, evidence), key=lambda sentence: -sentence.score)
        best = [Place(found.number, found.position, found.text) for found in ranked[: self.sentences]]
        return sorted(best, key=lambda place: (order[place.number], place.position))


def _in_source(place: Place, piece: Piece) -> Place:
    return Place(piece.number, piece.start + place.position, place.text)
