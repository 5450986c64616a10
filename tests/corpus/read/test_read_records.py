"""JSON Lines, JSON, CSV and TSV: ready passages and documents."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.read.read_helpers import Read, ReadPassages
from expound.corpus.read import Block, Document, read_file
from expound.errors import BadInput, BadRecord
from expound.types import Passage, Source


def test_records_with_an_id_are_ready_passages(read_passages: ReadPassages) -> None:
    line = {"id": " 007 ", "text": "Text.", "title": "T", "url": "http://x", "year": 1990, "meta": {"source": "wiki"}}
    [passage] = read_passages("a.jsonl", json.dumps(line))
    assert passage == Passage(" 007 ", "Text.", "T", Source(url="http://x"), {"source": "wiki", "year": 1990})


def test_a_number_can_be_an_id(read_passages: ReadPassages) -> None:
    assert read_passages("a.ndjson", '{"id": 7, "text": "x"}\n\n{"id": "8", "text": "y"}') == [
        Passage("7", "x"),
        Passage("8", "y"),
    ]


@pytest.mark.parametrize("field", ["text", "content", "body"])
def test_records_without_an_id_are_documents(read: Read, field: str) -> None:
    [document] = read("a.jsonl", json.dumps({field: "Text.", "title": "T", "url": "http://x", "year": 1990}))
    assert document == Document("T", (Block("Text."),), "http://x", {"year": 1990})


def test_a_line_of_a_document_is_a_paragraph_and_a_wiki_heading_its_path(read: Read) -> None:
    [document] = read("a.jsonl", json.dumps({"title": "T", "text": "One `items[0]`.\n\nTwo Server()."}))
    assert (document.blocks, document.is_wiki) == ((Block("One `items[0]`."), Block("Two Server().")), False)
    [document] = read("a.jsonl", json.dumps({"title": "T", "text": "Lead.\n== Diet ==\nMice.\n=== Season ===\nMay."}))
    assert document.is_wiki
    assert document.blocks == (Block("Lead."), Block("Mice.", path=("Diet",)), Block("May.", path=("Diet", "Season")))


def test_a_document_without_a_title_is_named_after_its_line(read: Read) -> None:
    assert [item.title for item in read("news.jsonl", '{"text": "a"}\n{"text": "b"}')] == ["news line 1", "news line 2"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{bad", "not valid JSON"),
        ("[1]", "not a JSON object"),
        ("{}", 'no "text"'),
        ('{"id": "1"}', 'no "text"'),
        ('{"id": "1", "text": 5}', '"text" is not a string'),
        ('{"id": "1", "text": "x", "title": ["T"]}', '"title" is not a string'),
        ('{"id": 1.5, "text": "x"}', '"id" is neither'),
        ('{"id": " ", "text": "x"}', '"id" is empty'),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "."),
        ("\x00\x01", "not valid JSON"),
    ],
)
def test_a_malformed_line_is_named(read: Read, line: str, reason: str) -> None:
    with pytest.raises(BadRecord, match=rf"a\.jsonl, line 3: .*{reason}"):
        read("a.jsonl", f'{{"id": "1", "text": "x"}}\n\n{line}\n')


def test_what_stands_before_a_malformed_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "text": "x"}\n{bad\n')
    items = read_file(path)
    assert next(items) == Passage("1", "x")
    with pytest.raises(BadRecord):
        next(items)


def test_controls_are_taken_out_of_every_string(read_passages: ReadPassages) -> None:
    record = {"id": "a\x1b[1m\nb", "text": "\x1b[31mred\ud800", "title": "T\n\x07", "k": {"deep": ["\x9b1mx"]}}
    [passage] = read_passages("a.jsonl", json.dumps(record))
    assert passage == Passage("ab", "red\ufffd", "T", Source(), {"k": {"deep": ["x"]}})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_lines_are_read_in_other_encodings(read_passages: ReadPassages, encoding: str) -> None:
    lines = '{"id": "1", "text": "café"}\n{"id": "2", "text": "naïve"}\n'
    assert [item.text for item in read_passages("a.jsonl", lines.encode(encoding))] == ["café", "naïve"]


def test_a_json_list_is_read_like_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"id": "1", "text": "x"}, {"text": "y"}]')
    assert list(read_file(path)) == [Passage("1", "x"), Document("a entry 2", (Block("y"),))]


def test_a_json_object_is_one_record(read_passages: ReadPassages) -> None:
    assert read_passages("a.json", '{"id": "1", "text": "x"}') == [Passage("1", "x")]


def test_bad_json_is_refused(read: Read) -> None:
    with pytest.raises(BadInput, match=r"a\.json: not valid JSON .*\.jsonl"):
        read("a.json", '{"id": "1", "text": "x"}\n{"id": "2", "text": "y"}')
    with pytest.raises(BadRecord, match=r"a\.json, entry 2: not a JSON object"):
        read("a.json", '[{"id": "1", "text": "x"}, 2]')


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.tsv"])
def test_files_without_records_are_empty(read: Read, name: str) -> None:
    with pytest.raises(BadInput, match=rf"{name}: (empty|not valid JSON)"):
        read(name, "" if name == "a.json" else "\n")


def test_rows_with_id_and_text_are_ready_passages(read_passages: ReadPassages) -> None:
    items = read_passages("a.csv", 'id,Text,title,Year\n01,"Two\nlines, quoted",T,1990\n\n2,b,,\n')
    assert items == [
        Passage("01", "Two\nlines, quoted", "T", Source(), {"Year": "1990"}),
        Passage("2", "b", "", Source(), {"Year": ""}),
    ]


def test_tab_separated_rows_are_read_passages(read_passages: ReadPassages) -> None:
    assert read_passages("a.tsv", "id\ttext\ttitle\n1\ta, b\tT\n") == [Passage("1", "a, b", "T")]


def test_other_rows_are_documents(read: Read) -> None:
    items = read("faq.csv", "question,answer,url,topic\nWhy?,Because.,http://x,life\n,Nobody asked.,,\n")
    assert items[0] == Document("Why?", (Block("Because."),), "http://x", {"topic": "life"})
    assert items[1].title == "faq row 2"


def test_rows_without_long_text_become_sentences(read: Read) -> None:
    [document] = read("a.csv", "\ufeffName;GDP;population size\nFrance;3.1;68 million.\n")
    assert document == Document("France", (Block("Name: France, GDP: 3.1, population size: 68 million."),))


def test_a_cp1252_table_is_read_passages(read_passages: ReadPassages) -> None:
    assert read_passages("a.csv", "id,text\n1,café\n".encode("cp1252")) == [Passage("1", "café")]


def test_bad_rows_are_named(read: Read) -> None:
    with pytest.raises(BadRecord, match=r"a\.csv, row 2: 3 cells but 2 columns"):
        read("a.csv", "id,text\n1,x\n2,y,z\n")
    with pytest.raises(BadRecord, match=r'a\.csv, row 1: "id" is empty'):
        read("a.csv", "id,text\n,x\n")
    with pytest.raises(BadInput, match=r"a\.csv: not a text file"):
        read("a.csv", b"PK\x03\x04\0\0\n")


def test_a_quote_left_open_is_refused_in_bounded_memory(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.corpus.read.delimited._LONGEST_CELL", 1000)
    with pytest.raises(BadInput, match=r"after row 1: .*is a quote left open"):
        read("a.csv", 'id,text\n1,x\n2,"y\n' + "3,z\n" * 1000)


def test_an_endless_line_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.corpus.read.raw.LONGEST_LINE", 1000)
    with pytest.raises(BadRecord, match=r"line 1: over"):
        read("a.jsonl", "x" * 5000)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv"])
def test_records_stream_fast_and_in_bounded_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    text = "Clots stop bleeding and are useful, but one in the wrong place can block the flow of blood. " * 5
    is_csv = name.endswith("csv")
    lines = ["id,text,title\n"] if is_csv else []
    row = '{},"{}",Clot\n' if is_csv else '{{"id": "{}", "text": "{}", "title": "Clot"}}\n'
    content = "".join(lines + [row.format(i, text) for i in range(50_000)]).encode()
    path.write_bytes(gzip.compress(content, 1) if name.endswith("gz") else content)
    started = time.process_time()
    assert sum(1 for _ in read_file(path)) == 50_000
    assert time.process_time() - started < 10  # 0.3 s of one processor here
    tracemalloc.start()
    for _, _item in zip(range(5000), read_file(path), strict=False):
        pass
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


@given(
    st.lists(
        st.fixed_dictionaries({"id": st.text("abcé-#/ 1", min_size=1).filter(str.strip), "text": st.text("ab c.é")}),
        min_size=1,
    )
)
def test_passages_come_back_as_they_were_written(tmp_path: Path, records: list[dict[str, str]]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    items = [item for item in read_file(path) if isinstance(item, Passage)]
    assert items == [Passage(record["id"], record["text"]) for record in records]
