"""Plain text: encodings, titles, wrapped lines, and what is no text at all."""

from __future__ import annotations

import gzip
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expound.corpus.read import Document, read_file
from expound.corpus.read.unwrap import unwrap
from expound.errors import BadInput


def test_the_first_short_line_is_the_title(read) -> None:
    [document] = read("notes.txt", "Blood Clots\n\nA clot is a plug.\n\nIt dissolves.\n")
    assert document.title == "Blood Clots"
    assert document.sections[0].text == "A clot is a plug.\n\nIt dissolves."


@pytest.mark.parametrize("text", ["A first sentence.\n\nAnd more.", "one line", "lower case start\n\nmore", "A\nB\nC"])
def test_otherwise_the_file_name_is(read, text: str) -> None:
    [document] = read("notes.txt", text)
    assert document.title == "notes"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_the_encoding_is_found(read, encoding: str) -> None:
    [document] = read("a.txt", "Café “naïve” – 5 €.".encode(encoding))
    assert document.sections[0].text == "Café “naïve” – 5 €."


@pytest.mark.parametrize(
    "content",
    [b"\x89PNG\r\n\x1a\n\0\0\0", b"\x01\x02\x03\x04abc" * 50, "hello".encode("utf-16-le"), bytes(range(1, 32)) * 9],
)
def test_binary_content_is_refused(read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.txt: not a text file"):
        read("a.txt", content)


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.txt: empty"):
        read("a.txt", content)


def test_terminal_escapes_are_taken_out(read) -> None:
    [document] = read("a.txt", "\x1b]0;owned\x07A \x1b[31mTitle\n\nRed \x1b[1mtext\u202e.")
    assert (document.title, document.sections[0].text) == ("A Title", "Red text.")


def test_gzip_is_looked_through(read) -> None:
    [document] = read("story.txt.gz", gzip.compress(b"some words"))
    assert (document.title, document.sections[0].text) == ("story", "some words")


@pytest.mark.parametrize("name", ["a.txt.gz", "a.jsonl.gz", "a.csv.gz", "a.html.gz"])
@pytest.mark.parametrize(
    "damage", [lambda data: data[:-12], lambda _: b"no gzip", lambda d: d[:20] + b"\xff\xff" + d[22:]]
)
def test_damaged_gzip_is_refused(read, name: str, damage) -> None:
    content = gzip.compress(b'{"id": "1", "text": "abc"}\n' * 200)
    with pytest.raises(BadInput, match=r"gzip data is cut short or damaged"):
        read(name, damage(content))


def test_a_gzip_bomb_is_refused(read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.corpus.read.raw.LARGEST_FILE", 1 << 20)
    with pytest.raises(BadInput, match="larger than 1 MB"):
        read("a.txt.gz", gzip.compress(b"a" * (2 << 20)))


def test_wrapped_lines_are_joined() -> None:
    lines = [
        "This sentence goes on and on until the line is full and must be",
        "continued on the next one, where it comes to its end. Then another",
        "One follows.",
        "A new paragraph.",
    ]
    assert unwrap(lines) == [" ".join(lines[:3]), lines[3]]


def test_lists_and_headings_are_not_joined() -> None:
    lines = ["Shopping", "- apples and", "- pears", "1. first", "2. second", "== History ==", "it began"]
    assert unwrap(lines) == lines


def test_long_lines_are_paragraphs() -> None:
    lines = ["word " * 60 + "end", "and word " * 60 + "end"]
    assert unwrap(lines) == lines


def test_broken_words_are_made_whole() -> None:
    assert unwrap(["the photo-", "synthesis of plants"]) == ["the photosynthesis of plants"]
    assert unwrap(["in the Austro-", "Hungarian empire"]) == ["in the Austro-Hungarian empire"]
    assert unwrap(["a well-known case, and the well-", "known end"]) == ["a well-known case, and the well-known end"]


@pytest.mark.parametrize("unit", ["word ", "a", "*", "[", "`", "<", "_a", "\x1b]", "([", "| ", "- ", "]( ", "<!--"])
@pytest.mark.parametrize("suffix", [".txt", ".md"])
def test_a_huge_single_line_takes_linear_time(read, unit: str, suffix: str) -> None:
    started = time.perf_counter()
    with suppress(BadInput):
        read("a" + suffix, "x " + unit * (1_000_000 // len(unit)))
    assert time.perf_counter() - started < 4


def test_fifty_megabytes_in_one_line_are_read(read) -> None:
    started = time.perf_counter()
    [document] = read("a.txt", b"The cat sat on the mat. " * (50_000_000 // 24))
    assert len(document.sections[0].text) > 49_000_000
    assert time.perf_counter() - started < 10


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary() | st.text().map(str.encode), suffix=st.sampled_from([".txt", ".md", ".html", ".csv", ".jsonl"])
)
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    with suppress(BadInput):
        assert all(not isinstance(item, Document) or item.sections for item in read_file(path))
