"""The door to span readers: what was read once is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from expound.errors import ExpoundError, UserError
from expound.models.reader_windows import Window
from expound.models.readers import CachedReader, open_reader
from expound.models.span_search import CloseRead, Read
from expound.types import Span


class Counting:
    """Answers with the first word, and counts."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        self.asked += len(pairs)
        return [Span(text.partition(" ")[0], 0, len(text.partition(" ")[0]), 1.5, -0.5) for _, text in pairs]


def test_the_same_pair_is_read_once(tmp_path: Path) -> None:
    reader = Counting()
    cached = CachedReader(reader, tmp_path / "spans.sqlite")
    pairs = [("Who?", "Ada wrote it."), ("Who?", "Bob did."), ("Who?", "Ada wrote it.")]
    first = cached.read(pairs)
    assert [span.text for span in first] == ["Ada", "Bob", "Ada"]
    assert reader.asked == 2
    again = CachedReader(reader, tmp_path / "spans.sqlite").read(list(reversed(pairs)))
    assert again == list(reversed(first))
    assert reader.asked == 2


class Close(Counting):
    """Gives the logits of one window for each pair, and counts."""

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> list[CloseRead]:
        self.asked += len(pairs)
        window = Window((101, 7, 102, 8, 9, 102), 3, ((0, 3), (4, 9)))
        rows = np.array([[0.1, 0, 0, 2.5, 1, 0], [0.2, 0, 0, 1, 3.25, 0]], dtype=np.float32)
        return [CloseRead(context, (Read(window, *rows),)) for _, context in pairs]


def test_the_scores_of_all_spans_are_kept_as_they_were(tmp_path: Path) -> None:
    reader, path, pairs = Close(), tmp_path / "spans.sqlite", [("Who?", "Ada wrote it.")]
    first = CachedReader(reader, path).read_closely(pairs)[0]
    again = CachedReader(reader, path).read_closely(pairs)[0]
    assert reader.asked == 1
    assert (again.null_score, again.best(3)) == (first.null_score, first.best(3))
    assert again.score(0, 9) == first.score(0, 9) == 5.75


def test_reads_that_were_damaged_are_read_again(tmp_path: Path) -> None:
    reader, path, pairs = Close(), tmp_path / "spans.sqlite", [("Who?", "Ada wrote it.")]
    CachedReader(reader, path).read_closely(pairs)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE closely SET reads = x'00'")
    assert CachedReader(reader, path).read_closely(pairs)[0].score(0, 9) == 5.75
    assert reader.asked == 2


def test_a_damaged_cache_is_done_without(tmp_path: Path) -> None:
    path = tmp_path / "spans.sqlite"
    path.write_bytes(b"not a database" * 100)
    assert CachedReader(Counting(), path).read([("Who?", "Ada wrote it.")])[0].text == "Ada"


def test_nothing_to_read_is_nothing_read(tmp_path: Path) -> None:
    assert CachedReader(Counting(), tmp_path / "spans.sqlite").read([]) == []


def test_none_is_no_reader_and_a_missing_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_HOME", str(tmp_path))
    assert open_reader("none") is None
    with pytest.raises(UserError, match=r"there is no reader .*x\.onnx"):
        open_reader(str(tmp_path / "x.onnx"))


def test_without_its_tokenizer_the_reader_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_HOME", str(tmp_path))
    with pytest.raises(ExpoundError, match="expound models get minilm-tokenizer"):
        open_reader("auto")
