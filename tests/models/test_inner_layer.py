"""A layer within a shipped file, by an output that is written behind it."""

from __future__ import annotations

from expound.models.inner_layer import open_layer, with_output
from expound.models.reader import READER_FILE


def test_an_output_is_a_graph_written_behind_the_model() -> None:
    assert with_output(b"model", "x") == b"model" + bytes([0x3A, 5, 0x62, 3, 0x0A, 1]) + b"x"


def test_long_names_have_lengths_of_two_bytes() -> None:
    added = with_output(b"", "n" * 200)
    assert added.endswith(b"\x0a\xc8\x01" + b"n" * 200)


def test_the_shipped_reader_has_a_vector_for_every_token() -> None:
    vectors = open_layer(READER_FILE, 11, 1).run([101, 2040, 102, 2002, 102], [0, 0, 0, 1, 1])
    assert vectors.shape == (5, 384)
