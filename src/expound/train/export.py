"""Export a trained ranker as ONNX with int8 weights, and check its logits against the float32 model.

Only the stored weights are int8; the arithmetic stays float32. Quantised activations would be twice as fast, but then
a score depends on the other pairs of its batch (see the model card).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.errors import ExpoundError
from expound.train.ranker import Pair, padded, score_pairs

if TYPE_CHECKING:
    import numpy as np

    Weights = np.ndarray[Any, np.dtype[np.float32]]

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
# Smaller matrices are not worth the loss: they hardly add to the file.
FEWEST_WEIGHTS = 50_000
_OPSET = 17
_LAST_AXIS = "axes_last"


class LogitsDiffer(ExpoundError):
    """The exported file does not score as the trained model does."""


@dataclass(frozen=True)
class Parity:
    """How far the logits of two models are apart."""

    largest: float
    mean: float


def export_ranker(model: Any, path: Path, *, check: Sequence[Pair], tolerance: float = 0.5) -> Parity:
    """Write the model as weight-only int8 ONNX; the file appears only if its logits on `check` are close enough."""
    partial = path.with_name(f"{path.name}.part")
    try:
        export_float32(model, partial)
        quantise_weights(partial)
        parity = compare_logits(model, partial, check)
        # Written the other way round, a NaN would pass.
        if not parity.largest <= tolerance:
            raise LogitsDiffer(f"logits move by up to {parity.largest:.3f} (allowed: {tolerance}); {path} not written")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return parity


def compare_logits(model: Any, path: Path, pairs: Sequence[Pair]) -> Parity:
    """Distance between the logits of the torch model and of an ONNX file."""
    import numpy as np

    if not pairs:
        raise ValueError("no pairs to compare the logits on")
    distances = np.abs(score_pairs(model, pairs) - onnx_logits(path, pairs))
    return Parity(float(distances.max()), float(distances.mean()))


def onnx_logits(path: Path, pairs: Sequence[Pair]) -> Any:
    """Logits of an ONNX file, each pair on its own."""
    import numpy as np
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    feeds = ({name: value.numpy() for name, value in padded([pair]).items()} for pair in pairs)
    return np.concatenate([session.run(["logits"], feed)[0] for feed in feeds])


# --- float32 --------------------------------------------------------------------------------------


def export_float32(model: Any, path: Path) -> None:
    """Write the model as it is, with free batch size and length and one logit a pair."""
    import torch

    class OneLogit(torch.nn.Module):  # type: ignore[misc]  # torch is not installed where mypy runs
        def __init__(self) -> None:
            super().__init__()
            # The name becomes part of every node name: with another the shipped file would not come out byte for byte.
            self.m = model

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            inputs = dict(zip(INPUTS, (input_ids, attention_mask, token_type_ids), strict=True))
            return self.m(**inputs).logits[:, 0]

    model.eval()
    # As the shipped file was exported; fused attention makes another graph.
    model.set_attn_implementation("eager")
    # Any ids that every vocabulary has; two lengths, so that neither size is taken as fixed.
    example = padded([Pair((1, 2, 3, 4, 5, 3), 3), Pair((1, 2, 3, 4, 3), 3)])
    free = {name: {0: "batch", 1: "tokens"} for name in INPUTS}
    torch.onnx.export(
        OneLogit(),
        tuple(example[name] for name in INPUTS),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={**free, "logits": {0: "batch"}},
        opset_version=_OPSET,
        dynamo=False,
    )


# --- int8 weights ---------------------------------------------------------------------------------


def quantise_weights(path: Path) -> None:
    """Store the large matrices of an ONNX file as int8 with float scales, and multiply them out when it runs."""
    import numpy as np
    import onnx
    from onnx import numpy_helper

    proto = onnx.load(str(path))
    graph = proto.graph
    added: list[Any] = []
    replaced: list[Any] = []
    for tensor in list(graph.initializer):
        users = [node for node in graph.node if tensor.name in node.input]
        if is_quantisable(tensor, users):
            added += quantise(graph, tensor, users)
            replaced += [node for node in users if node.op_type == "Gather"]
    graph.initializer.append(numpy_helper.from_array(np.array([-1], np.int64), _LAST_AXIS))
    sort_nodes(graph, [*added, *(node for node in graph.node if node not in replaced)])
    onnx.checker.check_model(proto)
    onnx.save(proto, str(path))


def is_quantisable(tensor: Any, users: Sequence[Any]) -> bool:
    """Whether a weight is a large float matrix that is only multiplied with, or only looked up by row."""
    from onnx import TensorProto

    is_large = len(tensor.dims) == 2 and tensor.dims[0] * tensor.dims[1] >= FEWEST_WEIGHTS
    operations = {node.op_type for node in users}
    is_usual = operations == {"Gather"} or (bool(operations) and operations <= {"MatMul", "Gemm"})
    return tensor.data_type == TensorProto.FLOAT and is_large and is_usual


def quantise(graph: Any, tensor: Any, users: Sequence[Any]) -> list[Any]:
    """Replace a weight by int8 values and scales; the nodes that turn them back into floats."""
    from onnx import numpy_helper

    name, weights = tensor.name, numpy_helper.to_array(tensor)
    is_gathered, is_turned = users[0].op_type == "Gather", any(map(is_transposed, users))
    values, scales = to_int8(weights, axis=1 if is_gathered or is_turned else 0)
    graph.initializer.remove(tensor)
    graph.initializer.append(numpy_helper.from_array(values, f"{name}_q"))
    graph.initializer.append(numpy_helper.from_array(scales if is_turned else scales.reshape(-1), f"{name}_s"))
    if is_gathered:
        return [new for user in users for new in gather_nodes(name, user)]
    return multiply_nodes(name)


def is_transposed(node: Any) -> bool:
    """Whether a node multiplies with the transposed matrix, so that a row makes one output."""
    return node.op_type == "Gemm" and any(item.name == "transB" and item.i for item in node.attribute)


def to_int8(weights: Weights, *, axis: int) -> tuple[Any, Any]:
    """Whole numbers from -127 to 127, and the scales, taken along the axis, that bring the weights back."""
    import numpy as np

    scales = np.abs(weights).max(axis=axis, keepdims=True) / 127
    scales[scales == 0] = 1
    return np.clip(np.rint(weights / scales), -127, 127).astype(np.int8), scales.astype(np.float32)


def multiply_nodes(name: str) -> list[Any]:
    """Nodes that make the float matrix from its int8 values and scales."""
    from onnx import TensorProto, helper

    return [
        helper.make_node("Cast", [f"{name}_q"], [f"{name}_f"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}_f", f"{name}_s"], [name]),
    ]


def gather_nodes(name: str, lookup: Any) -> list[Any]:
    """Nodes that look up int8 rows and make floats of those alone: the whole table would be slow."""
    from onnx import TensorProto, helper

    rows, out = lookup.input[1], lookup.output[0]
    return [
        helper.make_node("Gather", [f"{name}_q", rows], [f"{out}_g"], axis=0),
        helper.make_node("Cast", [f"{out}_g"], [f"{out}_f"], to=TensorProto.FLOAT),
        helper.make_node("Gather", [f"{name}_s", rows], [f"{out}_gs"], axis=0),
        helper.make_node("Unsqueeze", [f"{out}_gs", _LAST_AXIS], [f"{out}_u"]),
        helper.make_node("Mul", [f"{out}_f", f"{out}_u"], [out]),
    ]


def sort_nodes(graph: Any, nodes: Iterable[Any]) -> None:
    """Put nodes into the graph, each after those whose output it reads: ONNX asks for this order."""
    waiting = list(nodes)
    del graph.node[:]
    # An optional input that is left out has an empty name.
    ready = {"", *(item.name for item in graph.input), *(item.name for item in graph.initializer)}
    while waiting:
        late = []
        for node in waiting:
            if ready.issuperset(node.input):
                graph.node.append(node)
                ready.update(node.output)
            else:
                late.append(node)
        if len(late) == len(waiting):
            raise ValueError(f"node {late[0].name} reads something that no node makes")
        waiting = late
