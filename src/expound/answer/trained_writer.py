"""The writer that `expound train writer` made, as an answerer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.quoting import cite_nothing
from expound.answer.support_document import check_over, support_text
from expound.answer.verification import is_whole, verify, without_repetition
from expound.errors import UserError
from expound.models.decoder import BEAMS, Decoding
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.writer_inputs import writer_source
from expound.text.sentences import split_sentences
from expound.types import Answer, Evidence, Interpretation, Passage


@dataclass(frozen=True)
class TrainedWriter:
    """A writer's folder, asked as it was trained.

    As it stands what it writes is neither proved nor cited, which is for measuring. With `proved` a sentence stays only
    with the passage that supports it, or gives way to a sentence of the evidence that says it instead.
    `over='support'` has it read ELI5's support document in place of the passages: what it learnt on such rows.
    `no_repeat` is the length of runs of tokens that may not come twice; with `top_p` words are drawn at random.
    """

    folder: str
    decoding: Decoding = BEAMS
    proved: bool = False
    over: str = "evidence"

    def __post_init__(self) -> None:
        check_over(self.over)
        if not self.folder:
            raise UserError("TrainedWriter needs the folder of a writer: TrainedWriter(folder='RUN/model')")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What it writes; a writer that was taught to read documents is not asked without any."""
        writer = self._writer
        passages = self._passages(question, evidence)
        # From memory it would write as fluently, and nobody could tell.
        if writer.card.k and not passages:
            return Answer()
        source = writer_source(writer.card, question, passages, writer.token_ends)
        text = writer.write(source, self.decoding)
        return prove(text, evidence) if self.proved else cite_nothing(text)

    def _passages(self, question: str, evidence: Sequence[Evidence]) -> list[Passage]:
        if self.over == "evidence":
            return [item.passage for item in evidence]
        text = support_text(question, evidence)
        return [Passage("1", text)] if text else []

    @property
    def _writer(self) -> TorchWriter:
        return open_writer(self.folder)


def prove(text: str, evidence: Sequence[Evidence]) -> Answer:
    """What the evidence proves of a text, with citations; what was cut off at its end is no sentence."""
    sentences = split_sentences(text)
    whole = sentences if is_whole(text) else sentences[:-1]
    proved = without_repetition(sentence for said in whole if (sentence := verify(said, evidence)))
    return Answer(" ".join(sentence.text for sentence in proved), tuple(proved))
