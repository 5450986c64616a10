"""ONNX files field by field: they are taken apart and put together without the library that only training has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

# Numbers of fields in ONNX's protocol buffers (onnx.proto). Of a model:
GRAPH = 7
# Of its graph:
NODE, INITIALIZER, OUTPUT = 1, 5, 12
# Of a node:
NODE_INPUT, NODE_OUTPUT, NODE_NAME, NODE_OPERATION, NODE_ATTRIBUTE = 1, 2, 3, 4, 5
# Of a value:
VALUE_NAME = 1
# Of a stored array:
DIMENSION, ARRAY_NAME = 1, 8
# Wire types of protocol buffers: a number of any length, eight bytes, what says its own length, four bytes.
_VARINT, _EIGHT, _HAS_LENGTH, _FOUR = 0, 1, 2, 5


class Field(NamedTuple):
    """A field of a message: its number, what it holds, and its bytes as they stand there."""

    number: int
    content: memoryview | int
    whole: memoryview

    @property
    def text(self) -> str:
        """What a field of text holds."""
        return bytes(self.message).decode()

    @property
    def message(self) -> memoryview:
        """What a field holds that says its own length: a text, or a message within the message."""
        assert isinstance(self.content, memoryview)
        return self.content

    @property
    def first_number(self) -> int:
        """A number, or the first of several that were written into one field."""
        return self.content if isinstance(self.content, int) else _read_varint(self.content, 0)[0]


def iter_fields(message: bytes | memoryview) -> Iterator[Field]:
    """The fields of a message, in order."""
    # Views: the weights of a model would be copied at every level.
    message = memoryview(message)
    at = 0
    while at < len(message):
        start = at
        key, at = _read_varint(message, at)
        number, wire = key >> 3, key & 7
        content: memoryview | int
        if wire == _VARINT:
            content, at = _read_varint(message, at)
        else:
            length, at = _read_varint(message, at) if wire == _HAS_LENGTH else ({_EIGHT: 8, _FOUR: 4}[wire], at)
            content, at = message[at : at + length], at + length
        yield Field(number, content, message[start:at])


def make_field(number: int, content: bytes | memoryview | str) -> bytes:
    """A field that says its own length."""
    raw = content.encode() if isinstance(content, str) else content
    return b"".join((_varint(number << 3 | _HAS_LENGTH), _varint(len(raw)), raw))


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    # Seven bits a byte, the lowest first; the eighth says that more follow.
    number = shift = 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return number, at


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
