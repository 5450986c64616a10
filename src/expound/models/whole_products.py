"""A model that stores whole numbers made to multiply them, too: as it is loaded, without another file.

Weights of 8 bits that are brought back to float32 save space and no time. Left as they are, and with what they are
multiplied with rounded to 8 bits by its range, the products take a third of the time (recipes/LOG.md, "Whole numbers").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from expound.models.onnx_bytes import (
    ARRAY_NAME,
    DIMENSION,
    GRAPH,
    INITIALIZER,
    NODE,
    NODE_ATTRIBUTE,
    NODE_INPUT,
    NODE_NAME,
    NODE_OPERATION,
    NODE_OUTPUT,
    Field,
    iter_fields,
    make_field,
)


@dataclass(frozen=True, slots=True)
class _Node:
    """A step of the computation, as bytes and taken apart."""

    whole: memoryview
    operation: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[memoryview, ...]


@dataclass(frozen=True, slots=True)
class _Stored:
    """A matrix that is made of whole numbers: their name, that of their scales, and whether each row has its own."""

    numbers: str
    scales: str
    is_by_row: bool
    to_float: memoryview
    """The attribute that makes a cast one to float32."""


def with_whole_products(model: bytes) -> bytes:
    """The model with products of whole numbers where it stores them; without such weights, as it is."""
    return b"".join(
        make_field(GRAPH, _rewrite(field.message)) if field.number == GRAPH else field.whole
        for field in iter_fields(model)
    )


def _rewrite(graph: memoryview) -> bytes:
    fields = list(iter_fields(graph))
    nodes = [_node(field) for field in fields if field.number == NODE]
    others = (field.whole for field in fields if field.number != NODE)
    writer = _Writer(nodes, _first_dimensions(fields))
    return b"".join([*(make_field(NODE, node) for node in writer.written()), *others])


@dataclass(frozen=True)
class _Writer:
    """The nodes of a graph, and how many rows each of its stored arrays has."""

    nodes: Sequence[_Node]
    rows: Mapping[str, int]

    def written(self) -> Iterator[bytes | memoryview]:
        """The nodes, products and look-ups in whole numbers, and without what brought weights back for them."""
        rounded: set[str] = set()
        replaced = [self._replace(node, rounded) for node in self.nodes]
        left = {
            name
            for node, new in zip(self.nodes, replaced, strict=True)
            for name in node.inputs
            if new is None and node.operation not in ("Cast", "Mul")
        }
        for node, new in zip(self.nodes, replaced, strict=True):
            if new is not None:
                yield from new
            elif not self._only_restores(node, left):
                yield node.whole

    def _replace(self, node: _Node, rounded: set[str]) -> list[bytes] | None:
        if node.operation == "MatMul" and (stored := self._stored.get(node.inputs[1])):
            return list(_multiply(node, stored, rounded))
        if node.operation == "Gather" and (stored := self._stored.get(node.inputs[0])) and stored.is_by_row:
            return list(_look_up(node, stored))
        return None

    def _only_restores(self, node: _Node, left: set[str]) -> bool:
        """Whether a node is a step from whole numbers to a matrix of floats that nobody asks for any more."""
        return node.outputs[0] in self._steps and self._steps[node.outputs[0]] not in left

    @cached_property
    def _stored(self) -> dict[str, _Stored]:
        """By the name of the matrix as floats."""
        casts = {
            node.outputs[0]: node for node in self.nodes if node.operation == "Cast" and node.inputs[0] in self.rows
        }
        return {
            node.outputs[0]: _Stored(
                numbers=(numbers := casts[node.inputs[0]].inputs[0]),
                scales=node.inputs[1],
                is_by_row=self.rows[numbers] == self.rows[node.inputs[1]],
                to_float=casts[node.inputs[0]].attributes[0],
            )
            for node in self.nodes
            if node.operation == "Mul" and node.inputs[0] in casts and node.inputs[1] in self.rows
        }

    @cached_property
    def _steps(self) -> dict[str, str]:
        """What brings weights back, by name of the step's value, with the matrix that it leads to."""
        products = {node.outputs[0]: node for node in self.nodes if node.outputs[0] in self._stored}
        return {name: name for name in products} | {node.inputs[0]: name for name, node in products.items()}


def _multiply(node: _Node, stored: _Stored, rounded: set[str]) -> Iterator[bytes]:
    """A product: one side rounded to whole numbers, multiplied with those of the other, both scales put back."""
    [out] = node.outputs
    given = node.inputs[0]
    values, scale, zero = (f"{given}/{part}" for part in ("rounded", "scale", "zero"))
    # Once, also where three products begin with the same: query, key and value.
    if given not in rounded:
        rounded.add(given)
        yield _make_node("DynamicQuantizeLinear", [given], [values, scale, zero])
    yield _make_node("MatMulInteger", [values, stored.numbers, zero], [f"{out}/whole"])
    yield _make_node("Cast", [f"{out}/whole"], [f"{out}/float"], stored.to_float)
    yield _make_node("Mul", [scale, stored.scales], [f"{out}/scales"])
    yield _make_node("Mul", [f"{out}/float", f"{out}/scales"], [out])


def _look_up(node: _Node, stored: _Stored) -> Iterator[bytes]:
    """Rows of a table, brought back after they were chosen: the whole table takes longer than reading a passage."""
    [out] = node.outputs
    for name, part in ((stored.numbers, "whole"), (stored.scales, "scales")):
        yield _make_node("Gather", [name, node.inputs[1]], [f"{out}/{part}"], *node.attributes)
    yield _make_node("Cast", [f"{out}/whole"], [f"{out}/float"], stored.to_float)
    yield _make_node("Mul", [f"{out}/float", f"{out}/scales"], [out])


def _node(field: Field) -> _Node:
    parts = list(iter_fields(field.message))
    return _Node(
        whole=field.message,
        operation=next((part.text for part in parts if part.number == NODE_OPERATION), ""),
        inputs=tuple(part.text for part in parts if part.number == NODE_INPUT),
        outputs=tuple(part.text for part in parts if part.number == NODE_OUTPUT),
        attributes=tuple(part.message for part in parts if part.number == NODE_ATTRIBUTE),
    )


def _make_node(operation: str, inputs: Sequence[str], outputs: Sequence[str], *attributes: memoryview) -> bytes:
    return b"".join(
        (
            *(make_field(NODE_INPUT, name) for name in inputs),
            *(make_field(NODE_OUTPUT, name) for name in outputs),
            make_field(NODE_NAME, f"{outputs[0]}/{operation}"),
            make_field(NODE_OPERATION, operation),
            *(make_field(NODE_ATTRIBUTE, attribute) for attribute in attributes),
        )
    )


def _first_dimensions(fields: Sequence[Field]) -> dict[str, int]:
    """How many rows each stored array has; one without dimensions is a number and has one."""
    stored = [list(iter_fields(field.message)) for field in fields if field.number == INITIALIZER]
    return {
        next(part.text for part in parts if part.number == ARRAY_NAME): next(
            (part.first_number for part in parts if part.number == DIMENSION), 1
        )
        for parts in stored
    }
