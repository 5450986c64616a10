"""Export a trained ranker or reader as ONNX with int8 weights, and check its logits against the float32 model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import ExpoundError
from expound.models.reader import padded as padded_windows
from expound.models.reader_windows import Window
from expound.train.int8 import quantise_weights
from expound.train.ranker import Pair, padded, score_pairs

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OPSET = 17
# Any ids that every vocabulary has; two lengths, so that neither size is taken as fixed.
_EXAMPLE = (Pair((1, 2, 3, 4, 5, 3), 3), Pair((1, 2, 3, 4, 3), 3))


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


ONE_LOGIT = Outputs(("logits",), lambda result: result.logits[:, 0], has_tokens=False)


def export_ranker(model: Any, path: Path, *, check: Sequence[Pair], tolerance: float = 0.5) -> Parity:
    """Write the model as weight-only int8 ONNX; the file appears only if its logits on `check` are close enough."""
    return _export(model, path, ONE_LOGIT, lambda file: compare_logits(model, file, check), tolerance)


def export_reader(
    model: Any, path: Path, *, check: Sequence[Window], offset: float = 0.0, tolerance: float = 1.5
) -> Parity:
    """The same for a span reader; `offset` is added to its null score, so that the threshold of the file is 0.

    The tolerance is wider: it is held against the worst of two logits for every token, most of which no answer uses.
    """
    outputs = span_outputs(offset)
    return _export(model, path, outputs, lambda file: compare_span_logits(model, file, check, outputs), tolerance)


def span_outputs(offset: float) -> Outputs:
    """Start and end logits, the offset added to the start at [CLS]."""

    def pick(result: Any) -> tuple[Any, Any]:
        import torch

        starts = result.start_logits
        return torch.cat([starts[:, :1] + offset, starts[:, 1:]], 1), result.end_logits

    return Outputs(("start_logits", "end_logits"), pick, has_tokens=True)


def compare_logits(model: Any, path: Path, pairs: Sequence[Pair]) -> Parity:
    """Distance between the logits of the torch ranker and of an ONNX file."""
    import numpy as np

    if not pairs:
        raise ValueError("no pairs to compare the logits on")
    return _parity(np.abs(score_pairs(model, pairs) - onnx_logits(path, pairs)))


def compare_span_logits(model: Any, path: Path, windows: Sequence[Window], outputs: Outputs) -> Parity:
    """Distance between the logits of the torch reader and of an ONNX file, over all tokens of the windows."""
    import numpy as np
    import torch

    feeds = [padded_windows([window]) for window in windows]
    ours = _run_each(path, outputs.names, feeds)
    with torch.no_grad():
        theirs = [outputs.pick(model(**{k: torch.from_numpy(v) for k, v in feed.items()})) for feed in feeds]
    pairs = zip(ours, theirs, strict=True)
    return _parity(np.concatenate([np.abs(a - b.numpy()).ravel() for x, y in pairs for a, b in zip(x, y, strict=True)]))


def onnx_logits(path: Path, pairs: Sequence[Pair]) -> Any:
    """Logits of an ONNX ranker, each pair on its own."""
    import numpy as np

    feeds = ({name: value.numpy() for name, value in padded([pair]).items()} for pair in pairs)
    return np.concatenate([logits for (logits,) in _run_each(path, ("logits",), feeds)])


def export_float32(model: Any, path: Path, outputs: Outputs = ONE_LOGIT) -> None:
    """Write the model as it is, with free batch size and length."""
    import torch

    class Exported(torch.nn.Module):  # type: ignore[misc]  # torch is not installed where mypy runs
        def __init__(self) -> None:
            super().__init__()
            # The name becomes part of every node name: with another the shipped file would not come out byte for byte.
            self.m = model

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            inputs = dict(zip(INPUTS, (input_ids, attention_mask, token_type_ids), strict=True))
            return outputs.pick(self.m(**inputs))

    model.eval()
    # As the shipped file was exported; fused attention makes another graph.
    model.set_attn_implementation("eager")
    example, tokens = padded(_EXAMPLE), {0: "batch", 1: "tokens"}
    free_outputs = tokens if outputs.has_tokens else {0: "batch"}
    torch.onnx.export(
        Exported(),
        tuple(example[name] for name in INPUTS),
        str(path),
        input_names=list(INPUTS),
        output_names=list(outputs.names),
        dynamic_axes={**dict.fromkeys(INPUTS, tokens), **dict.fromkeys(outputs.names, free_outputs)},
        opset_version=_OPSET,
        dynamo=False,
    )


def _export(model: Any, path: Path, outputs: Outputs, compare: Callable[[Path], Parity], tolerance: float) -> Parity:
    partial = path.with_name(f"{path.name}.part")
    try:
        export_float32(model, partial, outputs)
        quantise_weights(partial)
        parity = compare(partial)
        # Written the other way round, a NaN would pass.
        if not parity.largest <= tolerance:
            raise LogitsDiffer(f"logits move by up to {parity.largest:.3f} (allowed: {tolerance}); {path} not written")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return parity


def _parity(distances: Any) -> Parity:
    return Parity(float(distances.max()), float(distances.mean()))


def _run_each(path: Path, names: Sequence[str], feeds: Iterable[dict[str, Any]]) -> list[Any]:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return [session.run(list(names), feed) for feed in feeds]
