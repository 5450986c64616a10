"""Probabilities of a text's tokens by a GGUF file: llama.cpp gives a vector a token, and the last layer is done here.

llama.cpp's server has no probabilities of what it reads, only of what it writes. Token by token they could be had at
the price of writing the text; by their vectors a text is read at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.errors import ModelFailed, UserError
from expound.models.likelihood import MOST_TOKENS, NEW_LINE, place_tokens
from expound.models.llama import LlamaServer

if TYPE_CHECKING:
    from expound.protocols import Numbers, Vectors

# Logits of so many tokens at once: with a vocabulary of 150,000 they take 80 MB.
_ROWS = 128
# What some models do to their logits, and we do not: their numbers would be wrong without a word.
_NOT_DONE = ("final_logit_softcapping", "logit_scale")


class GgufLikelihood:
    """A GGUF file that is asked for probabilities; loaded at the first call."""

    def __init__(self, file: Path, *, weights: str, adapter: Path | None = None) -> None:
        self._file, self.weights, self._adapter = file, weights, adapter

    def log_probabilities(self, text: str, given: str = "") -> list[float]:
        """Of every token of the text after what is given; without it, of every token but the first."""
        before = self._ids(given + NEW_LINE, marks=True) if given else []
        before, after = place_tokens(before, self._ids(text, marks=not given), MOST_TOKENS)
        first, ids = max(len(before), 1), before + after
        if len(ids) <= first:
            return []
        found: list[float] = self._log_probabilities(self._vectors(ids)[first - 1 : -1], ids[first:]).tolist()
        return found

    def _log_probabilities(self, vectors: Vectors, wanted: Sequence[int]) -> Numbers:
        import numpy as np

        found = []
        for start in range(0, len(wanted), _ROWS):
            logits = vectors[start : start + _ROWS] @ self._output.T
            own = logits[np.arange(len(logits)), list(wanted[start : start + _ROWS])]
            # Less the largest: the exponential of a logit of a hundred is beyond float32.
            largest = logits.max(axis=1)
            found.append(own - largest - np.log(np.exp(logits - largest[:, None]).sum(axis=1)))
        return np.concatenate(found).astype(np.float64)

    def _ids(self, text: str, *, marks: bool) -> list[int]:
        found: list[int] = self._server.post("/tokenize", {"content": text, "add_special": marks})["tokens"]
        return found

    def _vectors(self, ids: Sequence[int]) -> Vectors:
        import numpy as np

        reply = self._server.post("/embedding", {"content": list(ids)})
        if not isinstance(reply, list):
            raise ModelFailed(f"{self._file.name} refused a text: {reply.get('error', reply)}")
        return np.array(reply[0]["embedding"], dtype=np.float32)

    @cached_property
    def _server(self) -> LlamaServer:
        # One thread: texts are short, and on a busy machine two threads waiting for each other took five times the CPU.
        return LlamaServer(self._file, context=MOST_TOKENS, threads=1, gives_vectors=True, adapter=self._adapter)

    @cached_property
    def _output(self) -> Vectors:
        """The matrix from vectors to logits; many small models have only that of their word vectors."""
        gguf = _library()
        reader = gguf.GGUFReader(self._file)
        tensors = {tensor.name: tensor for tensor in reader.tensors}
        if "output.bias" in tensors or any(name.endswith(_NOT_DONE) for name in reader.fields):
            raise UserError(f"{self._file.name} changes its logits in a way of its own; take another model")
        tensor = tensors.get("output.weight", tensors["token_embd.weight"])
        matrix: Vectors = gguf.dequantize(tensor.data, tensor.tensor_type)
        return matrix


def _library() -> Any:
    try:
        import gguf
    except ImportError as error:
        raise UserError(
            "probabilities of a GGUF file need gguf; install it with: pip install 'expound[llm]'"
        ) from error
    return gguf
