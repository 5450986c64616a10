"""The writer that `expound train writer` made, as an answerer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.quoting import cite_nothing
from expound.errors import UserError
from expound.models.decoder import BEAMS, Decoding
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.writer_inputs import writer_source
from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class TrainedWriter:
    """A writer's folder, asked as it was trained; nothing that it writes is proved or cited.

    `no_repeat` is the length of runs of tokens that may not come twice; with `top_p` words are drawn at random.
    """

    folder: str
    decoding: Decoding = BEAMS

    def __post_init__(self) -> None:
        if not self.folder:
            raise UserError("TrainedWriter needs the folder of a writer: TrainedWriter(folder='RUN/model')")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What it writes; a writer that was taught to read documents is not asked without any."""
        writer = self._writer
        # From memory it would write as fluently, and nobody could tell.
        if writer.card.k and not evidence:
            return Answer()
        passages = [item.passage for item in evidence]
        source = writer_source(writer.card, question, passages, writer.token_ends)
        return cite_nothing(writer.write(source, self.decoding))

    @property
    def _writer(self) -> TorchWriter:
        return open_writer(self.folder)
