"""What a passage or an answer quotes stands in the file: whoever searches for a line of it there finds it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2
import pytest
from pyarrow import parquet

from corpus.read.made_hard import CODE, HARD, ITEM, MADE, PROSE
from expound.answer.entries import entries_of
from expound.corpus.ingest import ingest
from expound.corpus.read.formats import READERS
from expound.corpus.store import Store
from expound.types import Passage


class _Seen(HTMLParser):
    """The text of a page as the standard library sees it."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(markup)

    def handle_data(self, data: str) -> None:
        self.text += data


def xml_text(markup: str) -> str:
    """The text between the tags, a line a paragraph."""
    return unescape(re.sub(r"<[^>]*>", "", re.sub(r"</[a-z]+:p>|<[a-z]+:s [^>]*/>", "\n", markup)))


def zipped_text(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        markup = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith("ml")}
    return "\n".join(_Seen(text).text if name.endswith("xhtml") else xml_text(text) for name, text in markup.items())


def strings(value: object) -> Iterator[str]:
    """Every string of a JSON value; the lines of a cell as one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        yield "".join(value)
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def viewed(suffix: str, content: bytes) -> str:
    """The text that a viewer of such a file shows and searches, by other means than our readers."""
    if suffix in (".docx", ".odt", ".pptx", ".epub"):
        return zipped_text(content)
    if suffix == ".pdf":
        return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content))
    if suffix == ".parquet":
        return "\n".join(strings(parquet.read_table(io.BytesIO(content)).to_pylist()))
    text = content.decode()
    if suffix in (".htm", ".html", ".xhtml"):
        return _Seen(text).text
    if suffix in (".json", ".ipynb"):
        return "\n".join(strings(json.loads(text)))
    if suffix in (".jsonl", ".ndjson"):
        return "\n".join(string for line in text.split("\n") for string in strings(json.loads(line)))
    if suffix in (".csv", ".tsv"):
        return "\n".join(
            "\n".join(row) for row in csv.reader(io.StringIO(text), delimiter="," if suffix == ".csv" else "\t")
        )
    if suffix in (".1", ".3"):
        # As `man` shows it, whose own programs are not on every machine.
        text = re.sub(r"^\.[A-Za-z]+ ?", "", text, flags=re.MULTILINE).replace("\\-", "-").replace(" Ta ", " ")
        return re.sub(r"\\f.", "", text)
    return text


def folded(text: str) -> str:
    return " ".join(text.split())


def passages_of(path: Path) -> list[Passage]:
    store = Store(path.parent / "corpus" / "passages.sqlite")
    ingest(store, [path])
    return [passage for _, passage in store.iter_passages()]


def quoted(passages: list[Passage]) -> Iterator[str]:
    """Every line that a reader is shown as what stands in the file; of a row every cell."""
    for passage in passages:
        texts = [passage.text, *(entry.source_text for entry in entries_of(passage))]
        yield from (line for text in texts for line in text.split("\n"))


def is_found(line: str, text: str) -> bool:
    """Whether a line, or every cell of a row, can be found."""
    return folded(line) in text or all(folded(cell) in text for cell in line.split(" | "))


def test_every_format_has_a_made_document() -> None:
    assert set(MADE) == {*READERS, ".1", ".3"}


@pytest.mark.parametrize("compressed", ["", ".gz"])
@pytest.mark.parametrize("suffix", sorted(MADE))
def test_every_line_that_is_quoted_is_found_in_the_file(tmp_path: Path, suffix: str, compressed: str) -> None:
    made = MADE[suffix]()
    content = made.encode() if isinstance(made, str) else made
    if suffix == ".parquet" and compressed:
        pytest.skip("packed already, and refused")
    path = tmp_path / f"a{suffix}{compressed}"
    path.write_bytes(gzip.compress(content) if compressed else content)
    passages = passages_of(path)
    text = folded(viewed(suffix, content))
    assert [line for line in quoted(passages) if not is_found(line, text)] == []
    read = folded("\n".join(passage.text for passage in passages))
    assert [hard for hard in [*HARD, *map(folded, CODE)] if hard not in read] == []


@pytest.mark.parametrize(
    "suffix", sorted(set(MADE) - {".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".pptx"})
)
def test_code_keeps_its_lines_and_their_indentation(tmp_path: Path, suffix: str) -> None:
    made = MADE[suffix]()
    path = tmp_path / f"a{suffix}"
    path.write_bytes(made.encode() if isinstance(made, str) else made)
    assert any("\n".join(CODE) in passage.text for passage in passages_of(path))


@pytest.mark.parametrize(
    "suffix", sorted({".1", ".3", ".md", ".rst", ".html", ".txt", ".org", ".adoc", ".tex", ".pdf"})
)
def test_an_answer_quotes_sentences_code_and_rows_apart(tmp_path: Path, suffix: str) -> None:
    made = MADE[suffix]()
    path = tmp_path / f"a{suffix}"
    path.write_bytes(made.encode() if isinstance(made, str) else made)
    entries = [entry for passage in passages_of(path) for entry in entries_of(passage)]
    assert any(entry.kind == "code" and entry.text == entry.source_text for entry in entries)
    assert any(entry.kind == "rows" and "Server()" in entry.source_text for entry in entries) or suffix == ".txt"
    assert any(entry.kind == "steps" and ITEM in entry.source_text for entry in entries)
    assert any(entry.kind == "sentence" and entry.source_text == PROSE for entry in entries)


@pytest.mark.parametrize(("suffix", "between"), [(".csv", ","), (".csv", ";"), (".tsv", "\t")])
def test_of_a_row_without_a_text_every_cell_is_found_in_the_file(tmp_path: Path, suffix: str, between: str) -> None:
    rows = [["Part", "price", "call"], *([f"Part-0{n}", f"{n}.50", f"items[{n}]"] for n in range(1, 60))]
    path = tmp_path / f"parts{suffix}"
    path.write_text("\n".join(between.join(row) for row in rows), encoding="utf-8")
    sentences = [line.removesuffix(".") for line in quoted(passages_of(path))]
    said = {tuple(tuple(cell.split(": ")) for cell in sentence.split(", ")) for sentence in sentences}
    assert said == {tuple(zip(rows[0], row, strict=True)) for row in rows[1:]}


def test_ready_passages_of_wiki_prose_are_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "1", "text": "It rained.[3] So Server() began."}), encoding="utf-8")
    assert [passage.text for passage in passages_of(path)] == ["It rained. So Server() began."]
