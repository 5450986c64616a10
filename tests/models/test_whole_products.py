"""MiniLM with products of whole numbers: other arithmetic, nearly the same vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expound.errors import BadInput
from expound.models.embedder import MiniLM
from expound.models.inner_layer import with_output
from expound.models.onnx_bytes import GRAPH, NODE, NODE_OPERATION, iter_fields, make_field
from expound.models.whole_products import with_whole_products

TEXTS = [f"Louis Philippe was the last king of France. {'He went to England. ' * n}" for n in range(4)]


def operations(model: bytes) -> list[str]:
    graph = next(field.message for field in iter_fields(model) if field.number == GRAPH)
    nodes = [iter_fields(field.message) for field in iter_fields(graph) if field.number == NODE]
    return [part.text for node in nodes for part in node if part.number == NODE_OPERATION]


def test_fields_put_together_again_are_the_message() -> None:
    message = make_field(7, make_field(1, "a" * 200)) + b"\x08\x96\x01" + b"\x15\x00\x00\x80\x3f"
    fields = list(iter_fields(message))
    assert b"".join(field.whole for field in fields) == message
    assert [field.number for field in fields] == [7, 1, 2]
    assert fields[1].first_number == 150


def test_products_with_stored_numbers_are_of_whole_numbers(embedder_files: dict[str, Path]) -> None:
    model = embedder_files["minilm"].read_bytes()
    before, after = operations(model), operations(with_whole_products(model))
    # Six layers with query, key, value, output and two products more; those of attention have no stored side.
    assert after.count("MatMulInteger") == before.count("MatMul") - after.count("MatMul") == 36
    # Query, key and value begin with the same.
    assert after.count("DynamicQuantizeLinear") == 24


def test_a_model_without_such_weights_stays_as_it_is() -> None:
    model = with_output(b"\x08\x08", "x")
    assert with_whole_products(model) == model


def test_vectors_of_whole_numbers_are_nearly_the_same(embedder_files: dict[str, Path]) -> None:
    files = embedder_files["minilm"], embedder_files["minilm-tokenizer"]
    exact, whole = MiniLM(*files), MiniLM(*files, whole_products=True)
    cosines = (exact.embed(TEXTS) * whole.embed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.985
    assert exact.name != whole.name


def test_a_vector_of_whole_numbers_does_not_depend_on_its_neighbours(embedder_files: dict[str, Path]) -> None:
    embedder = MiniLM(embedder_files["minilm"], embedder_files["minilm-tokenizer"], whole_products=True)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(embedder.embed(TEXTS), alone)


def test_a_damaged_file_is_named(tmp_path: Path, embedder_files: dict[str, Path]) -> None:
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(embedder_files["minilm"].read_bytes()[:100_000])
    with pytest.raises(BadInput, match=r"damaged\.onnx"):
        MiniLM(damaged, embedder_files["minilm-tokenizer"], whole_products=True).embed(["One"])
