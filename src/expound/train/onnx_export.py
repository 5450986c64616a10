"""Export a trained model as ONNX, with int8 weights where it bears them, and check what it says against the model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

from expound.errors import ExpoundError
from expound.files import sha256_of
from expound.models.embedder import open_session
from expound.models.exported_encoder import OPSET
from expound.models.row_encoder import TokenRow
from expound.train.bases import TOKENIZER, save_model
from expound.train.int8 import quantise_weights
from expound.train.token_rows import Encoder, take_known

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
# Any ids that every vocabulary has; two lengths, so that neither size is taken as fixed.
_EXAMPLE = (TokenRow((1, 2, 3, 4, 5, 3), 3), TokenRow((1, 2, 3, 4, 3), 3))


class LogitsDiffer(ExpoundError):
    """The exported file does not score as the trained model does."""


@dataclass(frozen=True)
class Parity:
    """How far the logits of two models are apart."""

    largest: float
    mean: float


@dataclass(frozen=True)
class Outputs:
    """What a file gives: the names of its outputs and how they are made of the model's result."""

    names: tuple[str, ...]
    pick: Callable[[Any], Any]
    """From the model's result to one tensor for each name, the first axis of which is the batch."""
    has_tokens: bool
    """Whether there is a number for every token, or one in all."""
    tolerance: float
    """How far a logit of the file may be from the model's."""
    look: Callable[[Any], Any] = lambda output: output
    """What is compared of an output of one unpadded row, as an array."""
    unit: str = "logit"
    """What a number of it is called."""


def export_model(
    model: Any, path: Path, outputs: Outputs, *, encoder: Encoder, check: Sequence[TokenRow]
) -> dict[str, Any]:
    """Write the model to go on from, the ONNX file, and the tokenizer beside it; how far the file is from the model."""
    save_model(model, encoder.base, path.with_name("model"))
    parity = export_onnx(model, path, outputs, encoder=encoder, check=check)
    copyfile(encoder.base / TOKENIZER, path.with_name(TOKENIZER))
    distances = {"largest": parity.largest, "mean": parity.mean}
    named = {f"{name}_{outputs.unit}_difference": value for name, value in distances.items()}
    return {**named, "sha256": sha256_of(path)}


def export_onnx(model: Any, path: Path, outputs: Outputs, *, encoder: Encoder, check: Sequence[TokenRow]) -> Parity:
    """Write the model as weight-only int8 ONNX, or as float32 where int8 would move what it says too far.

    The file appears only if it agrees with the model on `check`.
    """
    partial = path.with_name(f"{path.name}.part")

    def is_near(parity: Parity) -> bool:
        # Written the other way round, a NaN would pass.
        return parity.largest <= outputs.tolerance

    try:
        export_float32(model, partial, outputs, encoder=encoder)
        quantise_weights(partial)
        # After quantising: what is compared is what will be used.
        parity = compare_outputs(model, partial, outputs, encoder=encoder, rows=check)
        if not is_near(parity):
            # Some encoders lose too much in int8, and a trained model is worth four times the bytes.
            export_float32(model, partial, outputs, encoder=encoder)
            parity = compare_outputs(model, partial, outputs, encoder=encoder, rows=check)
        if not is_near(parity):
            moved = f"{outputs.unit}s move by up to {parity.largest:.3f} (allowed: {outputs.tolerance})"
            raise LogitsDiffer(f"{moved}; {path} not written")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return parity


def export_float32(model: Any, path: Path, outputs: Outputs, *, encoder: Encoder) -> None:
    """Write the model as it is, with free batch size and length."""
    import torch

    class Exported(torch.nn.Module):  # type: ignore[misc]  # mypy does not look into torch
        def __init__(self) -> None:
            super().__init__()
            # The name becomes part of every node name: with another the shipped file would not come out byte for byte.
            self.m = model

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            inputs = dict(zip(INPUTS, (input_ids, attention_mask, token_type_ids), strict=True))
            return outputs.pick(self.m(**take_known(self.m, inputs)))

    model.eval()
    # As the shipped files were exported; fused attention makes another graph.
    model.set_attn_implementation("eager")
    example, tokens = encoder.pad(_EXAMPLE), {0: "batch", 1: "tokens"}
    free_outputs = tokens if outputs.has_tokens else {0: "batch"}
    with warnings.catch_warnings():
        # The tracer doubts whether the graph holds for other lengths; that is compared afterwards.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported(),
            tuple(example[name] for name in INPUTS),
            str(path),
            input_names=list(INPUTS),
            output_names=list(outputs.names),
            dynamic_axes={**dict.fromkeys(INPUTS, tokens), **dict.fromkeys(outputs.names, free_outputs)},
            opset_version=OPSET,
            dynamo=False,
        )
    _declare_inputs(path)


def compare_outputs(model: Any, path: Path, outputs: Outputs, *, encoder: Encoder, rows: Sequence[TokenRow]) -> Parity:
    """Distance between the outputs of the torch model and of an ONNX file, each row on its own."""
    import numpy as np
    import torch

    if not rows:
        raise ValueError("no rows to compare the outputs on")
    distances = []
    session = open_session(path, threads=1)
    for row in rows:
        # One by one and unpadded: a difference must not come from padding.
        padded = encoder.pad([row])
        with torch.no_grad():
            picked = outputs.pick(model(**take_known(model, padded)))
        ours = picked if isinstance(picked, tuple) else (picked,)
        theirs = session.run(list(outputs.names), {name: padded[name].numpy() for name in INPUTS})
        distances += [outputs.look(a) - outputs.look(b.numpy()) for a, b in zip(theirs, ours, strict=True)]
    flat = np.concatenate([np.abs(distance).ravel() for distance in distances])
    return Parity(float(flat.max()), float(flat.mean()))


def _declare_inputs(path: Path) -> None:
    """Give the file all three inputs, as whoever runs it expects: those that a model does not use were left out."""
    import onnx

    proto = onnx.load(str(path))
    known = {item.name for item in proto.graph.input}
    missing = [name for name in INPUTS if name not in known]
    for name in missing:
        added = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["batch", "tokens"])
        proto.graph.input.append(added)
    if missing:
        onnx.save(proto, str(path))
