"""A file of the user's own in MiniLM's place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expound import resources
from expound.corpus.kept_models import default_embedder
from expound.models.embedder import MiniLM
from expound.models.inner_layer import with_output
from expound.models.onnx_bytes import GRAPH, NODE, NODE_INPUT, NODE_OPERATION, iter_fields


def first_matrix(model: bytes) -> str:
    """The name of what the first product multiplies with."""
    graph = next(field.message for field in iter_fields(model) if field.number == GRAPH)
    nodes = [list(iter_fields(field.message)) for field in iter_fields(graph) if field.number == NODE]
    products = [node for node in nodes if any(part.number == NODE_OPERATION and part.text == "MatMul" for part in node)]
    return [part.text for part in products[0] if part.number == NODE_INPUT][1]


def test_a_file_of_the_users_own_is_loaded_as_it_is(
    tmp_path: Path, embedder_files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    stock = embedder_files["minilm"].read_bytes()
    own = tmp_path / "own.onnx"
    # A matrix of floats that is asked for could not be left out.
    own.write_bytes(with_output(stock, first_matrix(stock)))
    monkeypatch.setenv(resources.override_variable("minilm"), str(own))
    embedder = default_embedder()
    assert embedder is not None
    assert embedder.name == f"all-MiniLM-L6-v2-int8-{own.stat().st_size}"
    # Kept vectors are of half precision.
    plain = MiniLM(own, embedder_files["minilm-tokenizer"])
    assert np.allclose(embedder.embed(["One"]), plain.embed(["One"]), atol=1e-3)
