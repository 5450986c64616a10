"""Reading takes bounded memory: a small file that unpacks to gigabytes is refused by name, the others come in."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from corpus.read.made_bombs import (
    MB,
    docx_bomb,
    epub_bomb,
    gz_bomb,
    many_members,
    odt_bomb,
    parquet_bomb,
    pdf_bomb,
    pptx_bomb,
    repeated,
    word_body,
)
from corpus.read.read_helpers import read_document
from expound.corpus.ingest import ingest
from expound.corpus.read import parquet_rows, read_file
from expound.corpus.read.limits import MOST_MEMORY
from expound.corpus.store import Store
from expound.errors import BadInput

MOST = 900 * MB
TEXT = "The lighthouse at Holm was built in 1843 by nine masons, and its lamp was lit on the first of May."
# Adds a folder and prints what the process and the one that reads for it took at their largest, in kilobytes. Of itself
# by what the kernel says of its memory: `ru_maxrss` begins with the size of whoever started it, which may be large.
ADD = """
import re, resource, sys
from pathlib import Path
from typing import Any
from expound.corpus.ingest import ingest
from expound.corpus.store import Store
summary = ingest(Store(Path(sys.argv[2]) / "passages.sqlite"), [Path(sys.argv[1])])
own = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
other = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(own, other, summary.added, *map(repr, summary.rejected.values()), sep="\\n")
"""

MANY_PARTS = "Content-Type: multipart/mixed; boundary=b\n\n"
BOMBS: dict[str, Callable[[], bytes]] = {
    "named-oddly.docx": lambda: docx_bomb(word_body("<w:p/>", 300 * MB), name="word/document.bin"),
    "elements.docx": lambda: docx_bomb(word_body("<w:p/>", 60 * MB)),
    "attributes.docx": lambda: docx_bomb(word_body('<w:p a="" b="" c="" d=""/>', 60 * MB)),
    "bzip2.docx": lambda: docx_bomb(word_body("<w:p/>", 20 * MB), kind=zipfile.ZIP_BZIP2),
    "members.docx": lambda: many_members(200_000),
    "elements.odt": lambda: odt_bomb("<p/>", 60 * MB),
    "large.odt": lambda: odt_bomb(" ", 300 * MB),
    "elements.pptx": lambda: pptx_bomb("<sp/>", 60 * MB),
    "large.pptx": lambda: pptx_bomb(" ", 300 * MB),
    "tags.epub": lambda: epub_bomb("<p>a", 60 * MB),
    "chapters.epub": lambda: epub_bomb(" ", 60 * MB, chapters=20),
    "large.txt.gz": lambda: gz_bomb(repeated("a", 500 * MB)),
    "paragraphs.txt.gz": lambda: gz_bomb(repeated("a\n\n", 100 * MB)),
    "terms.1.gz": lambda: gz_bomb(repeated(".TP\na\nb\n", 100 * MB, before=".TH X 1\n")),
    "items.rst.gz": lambda: gz_bomb(repeated("- a\n", 100 * MB)),
    "quotes.md.gz": lambda: gz_bomb(repeated("> ", 100 * MB)),
    "tags.html.gz": lambda: gz_bomb(repeated("<p>a", 100 * MB)),
    "lists.json.gz": lambda: gz_bomb(repeated("[],", 100 * MB, before="[", behind="[]]")),
    "lists.jsonl.gz": lambda: gz_bomb(repeated("[],", 100 * MB, before='{"id":"1","text":"a","x":[', behind="[]]}")),
    "cells.csv.gz": lambda: gz_bomb(repeated('"a\n",', 200 * MB, before="a,b\n")),
    "parts.eml.gz": lambda: gz_bomb(repeated("--b\n\na\n", 60 * MB, before=MANY_PARTS)),
    "cell.parquet": lambda: parquet_bomb(600 * MB),
    "page.parquet": lambda: parquet_bomb(100 * MB),
    "spaces.pdf": lambda: pdf_bomb(repeated(" ", 900 * MB)),
    "twice.pdf": lambda: pdf_bomb(repeated(" ", 900 * MB), folds=2),
    "drawing.pdf": lambda: pdf_bomb(repeated("0 0 m 1 1 l S ", 100 * MB)),
}


def test_a_bomb_is_refused_and_the_other_files_are_added(tmp_path: Path) -> None:
    said, peak = add_beside_a_letter(tmp_path, "named-oddly.docx")
    assert "named-oddly.docx: unpacks to too much data (a zip bomb?)" in said
    assert peak < MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_no_small_file_fills_the_memory(tmp_path: Path, name: str) -> None:
    said, peak = add_beside_a_letter(tmp_path, name)
    assert peak < MOST, said
    assert f"{name}" in said


def add_beside_a_letter(folder: Path, name: str) -> tuple[str, int]:
    """Add a folder with a bomb and a letter: what was said of the bomb, and the most memory that it took."""
    (folder / "documents").mkdir()
    (folder / "documents" / name).write_bytes(BOMBS[name]())
    (folder / "documents" / "letter.txt").write_text(TEXT)
    command = [sys.executable, "-P", "-c", ADD, str(folder / "documents"), str(folder)]
    own, other, added, *said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert int(added) == 1
    return " ".join(said), (int(own) + int(other)) * 1024


def test_a_text_that_many_rows_of_a_table_share_is_kept_once(tmp_path: Path) -> None:
    (tmp_path / "shared.parquet").write_bytes(parquet_bomb(4 * MB, rows=200))
    before = pyarrow.total_allocated_bytes()
    rows = parquet_rows.read(tmp_path / "shared.parquet")
    next(rows)
    assert pyarrow.total_allocated_bytes() - before < 40 * MB
    assert sum(1 for _ in rows) == 199


@pytest.mark.slow
def test_a_large_ordinary_document_is_read(tmp_path: Path) -> None:
    paragraphs = "".join(f"<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{n}: {TEXT}</w:t></w:r></w:p>" for n in range(100_000))
    (tmp_path / "long.docx").write_bytes(docx_bomb(word_body(paragraphs)))
    document = read_document(tmp_path / "long.docx")
    assert len(document.blocks) == 100_000


def test_what_kills_its_reader_is_refused_and_the_next_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("expound.corpus.read.apart._COMMAND", ("-c", "import os; input(); os.abort()"))
    monkeypatch.setattr("expound.corpus.read.apart._idle", [])
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(BadInput, match=rf"a\.pdf: not read: it takes more than {MOST_MEMORY // MB} MB of memory, or"):
        list(read_file(tmp_path / "a.pdf"))
    monkeypatch.undo()
    (tmp_path / "b.txt.gz").write_bytes(gz_bomb([TEXT.encode()]))
    document = read_document(tmp_path / "b.txt.gz")
    assert document.blocks[0].text == TEXT


def test_work_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 9)); input()\nwhile True: pass"
    monkeypatch.setattr("expound.corpus.read.apart._COMMAND", ("-c", busy))
    monkeypatch.setattr("expound.corpus.read.apart._idle", [])
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(BadInput, match=r"a\.pdf: not read after 60 seconds of work"):
        list(read_file(tmp_path / "a.pdf"))


def test_one_process_reads_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.setattr("expound.corpus.read.apart._idle", [])
    start = subprocess.Popen

    def count(*args: Any, **options: Any) -> Any:
        started.append(args)
        return start(*args, **options)

    monkeypatch.setattr(subprocess, "Popen", count)
    for number in range(5):
        (tmp_path / f"{number}.txt.gz").write_bytes(gz_bomb([f"{number} {TEXT}".encode()]))
    assert ingest(Store(tmp_path / "store.sqlite"), [tmp_path]).added == 5
    assert len(started) == 1


def test_a_file_read_apart_is_the_same_as_one_read_here(tmp_path: Path) -> None:
    from expound.corpus.read.formats import read_here

    records = '[{"id": "1", "title": "T", "text": "A.", "n": {"x": [1]}}, {"title": "U", "text": "B.\\n\\nC."}]'
    (tmp_path / "a.json.gz").write_bytes(gz_bomb([records.encode()]))
    (tmp_path / "b.md.gz").write_bytes(gz_bomb([b"# A\n\n## B\n\n- one\n\n```python\nx = 1\n```\n"]))
    (tmp_path / "c.1.gz").write_bytes(gz_bomb([b".TH C 1\n.SH OPTIONS\n.TP\n.B -x\nDoes it.\n"]))
    for name in ("a.json.gz", "b.md.gz", "c.1.gz"):
        assert list(read_file(tmp_path / name)) == list(read_here(tmp_path / name))


def test_a_relative_path_is_read_from_where_the_user_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt.gz").write_bytes(gz_bomb([f"{name}. {TEXT}".encode()]))
        monkeypatch.chdir(tmp_path / name)
        assert read_document(Path("a.txt.gz")).blocks[0].text.startswith(name)
