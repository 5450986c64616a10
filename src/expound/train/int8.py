"""Store the large matrices of an ONNX file as int8; the arithmetic stays float32.

Quantised activations would be twice as fast, but then a result depends on the others of its batch (see the ranker's
model card).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Weights = np.ndarray[Any, np.dtype[np.float32]]

# Smaller matrices are not worth the loss: they hardly add to the file.
FEWEST_WEIGHTS = 50_000
_LAST_AXIS = "axes_last"


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
            # Look-ups are replaced; products keep their node and only get another input.
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
    # A scale for each output of the matrix, whichever way round it lies.
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
    # A row of zeros would divide by zero.
    scales[scales == 0] = 1
    # -128 has no counterpart and is left out, so that the values are symmetric.
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
