"""Token vectors of a layer within a file that gives only logits: what ships as a reader serves other heads too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.models.embedder import make_session
from expound.models.loaded import load_once
from expound.models.onnx_bytes import GRAPH, OUTPUT, VALUE_NAME, make_field

if TYPE_CHECKING:
    from expound.protocols import Vectors

_LAYER = "/m/bert/encoder/layer.{}/output/LayerNorm/LayerNormalization_output_0"


def open_layer(model: Path, layer: int, threads: int) -> LayerOutput:
    """A layer of a file that `expound train` exported, counted from 0."""
    name = _LAYER.format(layer)
    return LayerOutput(
        load_once(
            model, ("layer", layer, threads), lambda: make_session(with_output(model.read_bytes(), name), threads)
        ),
        name,
    )


class LayerOutput:
    """One row of token ids at a time to the vectors of its tokens."""

    def __init__(self, session: Any, name: str) -> None:
        self._session, self._name = session, name

    def run(self, ids: Sequence[int], sides: Sequence[int]) -> Vectors:
        """A vector for every token."""
        import numpy as np

        # One by one: activations are rounded by the range of all that is read together.
        row = np.array([ids], dtype=np.int64)
        inputs = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.array([sides], np.int64)}
        found: Vectors = self._session.run([self._name], inputs)[0][0]
        return found


def with_output(model: bytes, name: str) -> bytes:
    """A model that gives one of its inner values besides its outputs.

    Protocol buffers join by being written one after the other, and what is repeated is then longer by what follows: the
    output is added without the library that takes such files apart, which only training has.
    """
    return model + make_field(GRAPH, make_field(OUTPUT, make_field(VALUE_NAME, name)))
