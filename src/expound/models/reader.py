"""The span reader that ships with expound: a question and a text to the words that answer it, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import BadInput
from expound.files import sha256_of
from expound.models.embedder import open_session, usable_cores
from expound.models.reader_windows import Window, WindowCutter
from expound.models.span_search import CloseRead, read_closely, read_spans
from expound.protocols import Reader
from expound.types import Span

READER_FILE = Path(__file__).with_name("reader.onnx")
READER_SHA256 = "82ad579322cc25d3f21da5d5fcf3e7b31b11890d47b4bfdcdeced1bcdbcd98a0"


def default_reader() -> Reader | None:
    """The reader that ships with expound; None while its tokenizer is not installed."""
    if not (READER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    return SpanReader(READER_FILE, resources.path("minilm-tokenizer"), sha256=READER_SHA256)


class SpanReader:
    """SQuAD 2.0 reading on onnxruntime: windows of 384 tokens, the best span of up to 30, or none.

    The answer to a pair does not depend on the other pairs. `sha256` is what the model file must have; without it any
    file will do that has the inputs and outputs of `expound train reader`.
    """

    def __init__(
        self, model: Path, tokenizer: Path, *, sha256: str = "", threshold: float = 0.0, threads: int = 0
    ) -> None:
        # A file of one's own is another reader, and its numbers are another metric.
        self.name = "expound-minilm-l12" if sha256 else model.stem
        self._model, self._sha256, self._threshold = model, sha256, threshold
        self._threads = threads or usable_cores()
        self._cutter = WindowCutter(tokenizer)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        """The answer to each (question, context) pair, in their order; no text where there is none."""
        return read_spans(pairs, self._cutter, self._run, threshold=self._threshold)

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> list[CloseRead]:
        """Each pair with the score of every span of its context."""
        return read_closely(pairs, self._cutter, self._run)

    @cached_property
    def weights(self) -> str:
        """The sha256 of the model file."""
        # Hashing the file would take longer than looking up all that is kept; it is checked before it reads.
        return self._sha256 or sha256_of(self._model)

    @property
    def identity(self) -> str:
        """All that an answer depends on besides the pair: what is kept under one identity is no other reader's."""
        return f"{self.name} {self.weights} {self._threshold}"

    def _run(self, windows: Sequence[Window]) -> tuple[Any, Any]:
        # One at a time and unpadded: activations are rounded by the range of all that is read together, so that a
        # batch would make an answer depend on its neighbours. A batch is no faster either.
        rows = [self._session.run(["start_logits", "end_logits"], pad_windows([window])) for window in windows]
        return [starts[0] for starts, _ in rows], [ends[0] for _, ends in rows]

    @cached_property
    def _session(self) -> Any:
        # Weights that were changed would read differently under the same name.
        if self._sha256 and sha256_of(self._model) != self._sha256:
            raise BadInput(f"{self._model} is damaged (its sha256 is not that of this version); install expound again")
        return open_session(self._model, self._threads)


def pad_windows(windows: Sequence[Window]) -> dict[str, Any]:
    """Model inputs of a few windows, padded to the longest."""
    import numpy as np

    width = max(len(window.ids) for window in windows)
    ids, mask, sides = (np.zeros((len(windows), width), dtype=np.int64) for _ in range(3))
    for row, window in enumerate(windows):
        length = len(window.ids)
        ids[row, :length] = window.ids
        mask[row, :length] = 1
        # From the first separator's successor on, as BERT's segments have it.
        sides[row, window.context_start : length] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": sides}
