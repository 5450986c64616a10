"""Bring the weights of a shipped int8 file back into safetensors, so that training can start from them.

Two dialects: files of `expound train`, whose arithmetic is float32, and files that multiply whole numbers, as
onnxruntime's own tool makes them: the passage ranker's and the reader's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from expound.errors import BadInput

# `export_float32` wraps the model under this name.
_PREFIX = "m."
# onnxruntime's own tool for quantising names things so.
_WHOLE, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"
_LAYER = re.compile(r"\.layer\.(\d+)\.")


def save_shipped(path: Path, weights: Path) -> int:
    """Write the weights of a shipped file as safetensors, under transformers' names; how many layers it has."""
    from safetensors.numpy import save_file

    found = dict(iter_weights(path))
    # Any ONNX file could be named; ours has word vectors under this name.
    if not any("word_embeddings" in name for name in found):
        raise BadInput(f"{path} is not a file that `expound train` exported: it has no word vectors")
    save_file(found, weights)
    return 1 + max(int(layer[1]) for name in found if (layer := _LAYER.search(name)))


def iter_weights(path: Path) -> Iterator[tuple[str, Any]]:
    """Names as torch has them, and float32 arrays."""
    import onnx

    graph = onnx.load(str(path)).graph
    if any(node.op_type == "MatMulInteger" for node in graph.node):
        yield from iter_whole_number_weights(graph)
        return
    arrays = dict(iter_arrays(graph))
    names = matrix_names(graph, arrays)
    for name, array in arrays.items():
        if name.startswith(_PREFIX):
            yield name.removeprefix(_PREFIX), array
        elif name in names:
            # A torch layer keeps its matrix the other way round than ONNX multiplies with it.
            yield names[name], array.T.copy()


def iter_whole_number_weights(graph: Any) -> Iterator[tuple[str, Any]]:
    """The weights of a file that multiplies whole numbers: vectors as they are, matrices by scale and zero point."""
    from onnx import numpy_helper

    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    places = {node.input[1]: node.name for node in graph.node if node.op_type == "MatMulInteger"}
    for name, array in stored.items():
        if name.endswith(_WHOLE):
            plain = name.removesuffix(_WHOLE)
            weights = (array.astype("float32") - stored[plain + _ZERO].astype("float32")) * stored[plain + _SCALE]
            # A product has lost its name and keeps its place: "/bert/encoder/layer.0/output/dense/MatMul_quant".
            place = places.get(name, "").strip("/").replace("/", ".").rpartition(".")[0]
            found = plain if plain.endswith(".weight") else f"{place}.weight"
            yield found.removeprefix(_PREFIX), weights.T.copy() if name in places else weights
        elif name.endswith((".weight", ".bias")):
            yield name.removeprefix(_PREFIX), array.copy()


def iter_arrays(graph: Any) -> Iterator[tuple[str, Any]]:
    """The stored arrays, int8 ones multiplied by their scales."""
    from onnx import numpy_helper

    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for name, array in stored.items():
        base = name.removesuffix("_q")
        scales = stored.get(f"{base}_s")
        # Scales of other arrays are no weights of their own.
        if name == base and not (name.endswith("_s") and f"{name[:-2]}_q" in stored):
            yield name, array.copy()
        elif scales is not None and name != base:
            # Word vectors have a scale a row, products one a column.
            is_by_row = scales.ndim == 1 and len(scales) == len(array) and base.startswith(_PREFIX)
            yield base, array.astype("float32") * (scales.reshape(-1, 1) if is_by_row else scales)


def matrix_names(graph: Any, arrays: dict[str, Any]) -> dict[str, str]:
    """What torch calls the matrices that ONNX has renamed: each stands before the addition of a bias with its name."""
    matrix_of = {
        node.output[0]: name for node in graph.node if node.op_type == "MatMul" for name in node.input if name in arrays
    }
    names = {}
    for node in (node for node in graph.node if node.op_type == "Add"):
        biases = [name for name in node.input if name.endswith(".bias")]
        products = [name for name in node.input if name in matrix_of]
        if biases and products:
            names[matrix_of[products[0]]] = biases[0].removeprefix(_PREFIX).removesuffix("bias") + "weight"
    return names
