"""ELI5's extractive reader (Fan et al. 2019): a scorer in BiDAF's place chooses the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from expound.answer.quoting import Place, places_of, quote_sentence
from expound.answer.support_document import Piece, check_over, evidence_from, support_document
from expound.errors import UserError
from expound.files import user_path
from expound.protocols import Ranker, SentenceScorer
from expound.text.titled import add_title
from expound.types import Answer, Evidence, Interpretation

TOKENIZER = "tokenizer.json"


@dataclass(frozen=True)
class ReaderSentences:
    """The `sentences` that the scorer likes best, in their original order; `over` is `evidence` or `support`.

    `model` is a ranker of your own, an ONNX file: it alone then scores every sentence. Its `tokenizer.json` is the one
    beside it, or MiniLM's where there is none.
    """

    scorer: SentenceScorer = field(repr=False)
    # BiDAF did best with five, rather than three or seven (ELI5, section 5.1).
    sentences: int = 5
    over: str = "evidence"
    model: str = ""

    def __post_init__(self) -> None:
        check_over(self.over)
        if self.sentences < 1:
            raise UserError(f"ReaderSentences needs at least 1 sentence, not sentences={self.sentences}")
        if self.model and not user_path(self.model).is_file():
            raise UserError(f"ReaderSentences: no such file: {self.model}; name the ONNX file of a ranker")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The chosen sentences, each with its citation."""
        if self.over == "evidence":
            return quote_sentence(self._choose_places(question, evidence))
        pieces = support_document(question, evidence)
        chosen = self._choose_places(question, evidence_from(pieces, evidence))
        # Cited is the passage of the evidence; the pieces of the support document are only for choosing.
        return quote_sentence(_in_source(place, pieces[place.number - 1]) for place in chosen)

    @cached_property
    def ranker(self) -> Ranker:
        """The user's own model, opened when first needed."""
        from expound import resources
        from expound.models.ranker import CrossEncoder

        model = user_path(self.model)
        own = model.with_name(TOKENIZER)
        return CrossEncoder(model, own if own.is_file() else resources.path("minilm-tokenizer"))

    def _choose_places(self, question: str, evidence: Sequence[Evidence]) -> list[Place]:
        order = {item.number: rank for rank, item in enumerate(evidence)}
        scored = self._by_model(question, evidence) if self.model else self._by_scorer(question, evidence)
        # The sort is stable: equal scores keep the order of the evidence.
        best = [place for _, place in sorted(scored, key=lambda pair: -pair[0])[: self.sentences]]
        return sorted(best, key=lambda place: (order[place.number], place.position))

    def _by_scorer(self, question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Place]]:
        found = self.scorer.score(question, evidence)
        return [(item.score, Place(item.number, item.position, item.text)) for item in found]

    def _by_model(self, question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Place]]:
        titles = {item.number: item.passage.title for item in evidence}
        places = places_of(evidence)
        try:
            logits = self.ranker.rank(question, [add_title(titles[place.number], place.text) for place in places])
        except Exception as error:  # whatever ONNX Runtime finds wrong with a file that is no ranker
            raise UserError(f"ReaderSentences: {self.model} does not work as a ranker ({error})") from error
        return list(zip(logits, places, strict=True))


def _in_source(place: Place, piece: Piece) -> Place:
    return Place(piece.number, piece.start + place.position, place.text)
