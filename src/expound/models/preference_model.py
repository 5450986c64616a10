"""A learned preference: question with answer, and answer with evidence, to one number that is higher for the better."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from expound.errors import BadInput, ResourceMissing
from expound.files import sha256_of, user_path, write_whole
from expound.models.embedder import open_session, usable_cores
from expound.models.row_encoder import RowEncoder, TokenRow

ENCODER, HEAD = "encoder.onnx", "head.json"
# As the ranker has it: a longer question would leave no room for the answer.
_QUESTION_TOKENS = 46


@dataclass(frozen=True)
class Head:
    """What turns the two vectors into one score, and how the texts are shown to the encoder."""

    weights: tuple[float, ...]
    bias: float
    most_tokens: int
    sees_evidence: bool

    def write(self, folder: Path) -> None:
        """Put it beside the encoder."""
        with write_whole(folder / HEAD) as file:
            json.dump(asdict(self), file)


def preference_rows(
    encoder: RowEncoder, question: str, answer: str, evidence: str, *, most_tokens: int
) -> tuple[TokenRow, TokenRow]:
    """What is encoded of an answer: after its question, and before its evidence; alone where there is none."""
    asked = encoder.pair(question, answer, most_tokens=most_tokens, most_first=_QUESTION_TOKENS)
    if not evidence:
        return asked, encoder.single(answer, most_tokens=most_tokens)
    return asked, encoder.pair(answer, evidence, most_tokens=most_tokens, most_first=most_tokens // 2)


class PreferenceModel:
    """What `expound train preference` wrote, on onnxruntime; loaded at the first call."""

    def __init__(self, folder: Path) -> None:
        for name in (ENCODER, HEAD, "tokenizer.json", "config.json"):
            if not (folder / name).is_file():
                raise ResourceMissing(
                    f"{folder} is no learned preference: it has no {name}; see expound train preference"
                )
        self._folder = folder

    @cached_property
    def weights(self) -> str:
        """The sha256 of encoder and head."""
        # Half of each: as long as any other sha256, and another one if either file changes.
        return sha256_of(self._folder / ENCODER)[:32] + sha256_of(self._folder / HEAD)[:32]

    def score(self, question: str, answer: str, evidence: str = "") -> float:
        """The score of an answer; only differences mean something."""
        import numpy as np

        head = self.head
        seen = evidence if head.sees_evidence else ""
        rows = preference_rows(self._encoder, question, answer, seen, most_tokens=head.most_tokens)
        # One by one and unpadded: a mean over padding would depend on what is scored beside it.
        joined = np.concatenate([self._vector(row) for row in rows])
        return float(joined @ np.array(head.weights)) + head.bias

    @cached_property
    def head(self) -> Head:
        """What turns vectors into a score."""
        try:
            record = json.loads((self._folder / HEAD).read_text(encoding="utf-8"))
            return Head(**record | {"weights": tuple(map(float, record["weights"]))})
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"{self._folder / HEAD} is damaged; train again, into another folder") from error

    def _vector(self, row: TokenRow) -> Any:
        # The mean over tokens: MiniLM was trained with it, and has no use for [CLS].
        return self._session.run(None, self._encoder.arrays([row]))[0][0].mean(axis=0)

    @cached_property
    def _session(self) -> Any:
        return open_session(self._folder / ENCODER, usable_cores())

    @cached_property
    def _encoder(self) -> RowEncoder:
        return RowEncoder(self._folder)


@lru_cache(maxsize=8)
def open_preference(folder: str) -> PreferenceModel:
    """The learned preference of a folder, opened once."""
    return PreferenceModel(user_path(folder).absolute())
