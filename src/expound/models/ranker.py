"""The rankers: small cross-encoders that read question and sentence, or question and passage, together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.models.embedder import open_session, open_tokenizer, usable_cores
from expound.models.token_limits import RANKER_TOKENS

# Half of the room, as in training: a longer question would leave nothing for the sentence.
QUESTION_TOKENS = 46
# About 120 pairs a CPU-second, 90 one by one (models/ranker.md); memory grows with the batch.
BATCH = 8


class CrossEncoder:
    """One logit a pair: above 0 the text more likely answers the question than not."""

    def __init__(
        self,
        model: Path,
        tokenizer: Path,
        *,
        threads: int = 0,
        most_tokens: int = RANKER_TOKENS,
        batch: int = BATCH,
        name: str = "expound-ranker",
    ) -> None:
        self._model, self._tokenizer_file = model, tokenizer
        self._most_tokens, self._batch, self.name = most_tokens, batch, name
        self._threads = threads or usable_cores()

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        """The logits of the texts, in their order."""
        # As in training: lower case, without the question mark (models/ranker.md).
        asked = self._short(" ".join(question.lower().replace("?", " ").split()))
        encodings = self._tokenizer.encode_batch([(asked, text) for text in texts]) if texts else []
        order = sorted(range(len(texts)), key=lambda position: sum(encodings[position].attention_mask))
        logits = [0.0] * len(texts)
        for start in range(0, len(order), self._batch):
            positions = order[start : start + self._batch]
            values = self._run([encodings[position] for position in positions])
            for position, value in zip(positions, values, strict=True):
                logits[position] = value
        return logits

    def _short(self, question: str) -> str:
        """The question's first 46 tokens: a longer one would leave no room for the sentence."""
        offsets = self._question_tokenizer.encode(question, add_special_tokens=False).offsets
        return question[: offsets[QUESTION_TOKENS - 1][1]] if len(offsets) > QUESTION_TOKENS else question

    def _run(self, encodings: Sequence[Any]) -> list[float]:
        import numpy as np

        width = max(sum(encoding.attention_mask) for encoding in encodings)
        fields = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        inputs = {
            name: np.array([getattr(encoding, field)[:width] for encoding in encodings], dtype=np.int64)
            for name, field in fields.items()
        }
        return [float(value) for value in self._session.run(None, inputs)[0].reshape(-1)]

    @cached_property
    def _session(self) -> Any:
        return open_session(self._model, self._threads)

    @cached_property
    def _question_tokenizer(self) -> Any:
        # One token more than is kept, to see whether there are more.
        return open_tokenizer(self._tokenizer_file, QUESTION_TOKENS + 1)

    @cached_property
    def _tokenizer(self) -> Any:
        # The question stays whole; it was cut before.
        return open_tokenizer(self._tokenizer_file, self._most_tokens, cut="only_second")
