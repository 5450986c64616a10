"""An encoder's folder on onnxruntime: the same float32 weights in one file, which reads a text in less time."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound import resources
from expound.errors import ExpoundError
from expound.files import appearing_whole, sha256_of
from expound.models.embedder import open_session, usable_cores
from expound.models.model_folder import sha256_of_weights

if TYPE_CHECKING:
    from expound.protocols import Vectors

INPUT = "input_ids"
OPSET = 17
"""ONNX's version: the first with layer normalisation as one node; every onnxruntime that we allow reads it."""
# Part of a file's name: whoever exports otherwise must not find what was exported in this way.
_FORMAT = "1"
# Such a file cannot have more than 2 GiB, which are 537 million numbers; the rest is for names and nodes.
_MOST_WEIGHTS = 500_000_000
# What a tracer cannot follow it takes for a constant of the traced length, which shows at other ones.
_TRACED, _CHECKED = 7, (3, 60)
# Of vectors of length 1; BERTScore is to be the package's to 1e-5.
_TOLERANCE = 1e-5


def open_exported(folder: Path, layer: int, load: Callable[[], Any], *, most_tokens: int) -> Any | None:
    """A session that gives what the model of `load` gives; none where it cannot be exported, or differs."""
    file = resources.home() / "cache" / "encoders" / f"{_identity(folder, layer)}.onnx"
    if not file.is_file() and not _export(load(), file, most_tokens):
        return None
    # Who says how many threads, as one does on a busy machine, is heard, as torch hears it.
    return open_session(file, int(os.environ.get("OMP_NUM_THREADS") or usable_cores()))


def unit_rows(vectors: Vectors) -> Vectors:
    """Every row at length 1."""
    import numpy as np

    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
    return unit


def _identity(folder: Path, layer: int) -> str:
    # The settings too: the same weights under another activation are another model.
    parts = (sha256_of_weights(folder), sha256_of(folder / "config.json"), str(layer), _FORMAT)
    return sha256(" ".join(parts).encode("ascii")).hexdigest()


def _export(model: Any, file: Path, most_tokens: int) -> bool:
    """Whether the file is there: it appears only if it gives what the model does, at short and long texts."""
    if sum(weights.numel() for weights in model.parameters()) > _MOST_WEIGHTS:
        return False
    try:
        with appearing_whole(file) as partial:
            _trace(model, partial)
            _check(model, partial, (*_CHECKED, most_tokens))
    except Exception:  # exporters have a class of their own for everything that an architecture may hold
        return False
    return True


def _trace(model: Any, file: Path) -> None:
    import torch

    class Exported(torch.nn.Module):  # type: ignore[misc]  # mypy does not look into torch
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any) -> Any:
            return self.model(ids).last_hidden_state

    with warnings.catch_warnings():
        # The tracer doubts whether the graph holds for other lengths; that is compared afterwards.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            # Not to be trained: the exporter puts a model back as it was, and dropout would be at work in it.
            Exported().eval(),
            (_draw_ids(model, _TRACED),),
            str(file),
            input_names=[INPUT],
            output_names=["vectors"],
            dynamic_axes={INPUT: {1: "tokens"}, "vectors": {1: "tokens"}},
            opset_version=OPSET,
            dynamo=False,
        )


def _check(model: Any, file: Path, lengths: tuple[int, ...]) -> None:
    import numpy as np
    import torch

    session = open_session(file, threads=1)
    for length in lengths:
        ids = _draw_ids(model, min(length, max(lengths)))
        with torch.inference_mode():
            wanted = model(ids).last_hidden_state[0].numpy()
        [found] = session.run(None, {INPUT: ids.numpy()})
        # Written the other way round, a NaN would pass.
        if not np.abs(unit_rows(found[0]) - unit_rows(wanted)).max() <= _TOLERANCE:
            raise ExpoundError(f"the exported encoder differs at {length} tokens")


def _draw_ids(model: Any, length: int) -> Any:
    """Some tokens of the vocabulary, always the same."""
    import torch

    # Beside its first tokens, which are marks in many vocabularies: padding is left out by some models.
    words = model.get_input_embeddings().num_embeddings
    return torch.arange(length).reshape(1, -1) * 7919 % max(1, words // 2) + words // 2
