"""The table of formats, and the one place where a library's error becomes a clear line."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from expound.corpus.read import (
    asciidoc,
    delimited,
    epub,
    info,
    json_records,
    latex,
    mail,
    man,
    markdown,
    notebook,
    opendocument,
    org,
    parquet_rows,
    pdf,
    plain_text,
    rst,
    slides,
    webpage,
    word,
)
from expound.corpus.read.apart import read_apart
from expound.corpus.read.block_labels import define_labels
from expound.corpus.read.document import Document, PartlyRead, safe_document
from expound.corpus.read.index_tables import drop_index_tables
from expound.corpus.read.limits import MOST_MEMORY
from expound.corpus.read.raw import first_text, is_gzip, name_of, stem_of, suffix_of
from expound.errors import BadInput, ExpoundError
from expound.text.plain import plain_line
from expound.types import Passage

Reader = Callable[[Path], Iterator[Document | Passage | PartlyRead]]

READERS: dict[str, Reader] = {
    ".adoc": asciidoc.read,
    ".asciidoc": asciidoc.read,
    ".csv": delimited.read,
    ".docx": word.read,
    ".eml": mail.read,
    ".epub": epub.read,
    ".htm": webpage.read,
    ".html": webpage.read,
    ".ipynb": notebook.read,
    ".json": json_records.read_list,
    ".jsonl": json_records.read_lines,
    ".markdown": markdown.read,
    ".mbox": mail.read_mailbox,
    ".md": markdown.read,
    ".ndjson": json_records.read_lines,
    ".odt": opendocument.read,
    ".org": org.read,
    ".parquet": parquet_rows.read,
    ".pdf": pdf.read,
    ".pptx": slides.read,
    ".rst": rst.read,
    ".tex": latex.read,
    ".text": plain_text.read,
    ".tsv": delimited.read,
    ".txt": plain_text.read,
    ".xhtml": webpage.read,
}
STREAMED = frozenset((".csv", ".jsonl", ".mbox", ".ndjson", ".parquet", ".tsv"))
"""Read record by record; the longest record is bounded."""
# A table is a shard of many, of which one may have no row: that is nothing to complain of.
_MAY_BE_EMPTY = frozenset((".parquet",))
PACKED = frozenset((".docx", ".epub", ".odt", ".pdf", ".pptx"))
# The worst text of this size, a million bytes of reStructuredText items, takes 700 MB.
_SMALL = 1 << 20
# Names that are text whatever stands behind their point: "README.Debian", "NEWS.2019", "TODO.old".
_TEXT_NAME = re.compile(r"(?:README|NEWS|TODO|FAQ|NOTES|CHANGES|CHANGELOG|HISTORY|INSTALL|COPYING|LICEN[CS]E)\.", re.I)
_LONGEST_REASON = 120  # a library's message may hold the whole line that it did not like


def can_read(path: Path) -> bool:
    """Whether a file can be read: by its suffix, also with `.gz` behind it, or as text that has none."""
    return _reader_of(path) is not None


def _reader_of(path: Path) -> Reader | None:
    """What reads a file; text without a suffix, such as README, or with a word for one (README.Debian), is text.

    A man page is one by its suffix and what it begins with, and mail without a suffix by what it begins with.
    """
    suffix = suffix_of(path)
    if suffix == ".txt" and (inner := READERS.get(suffix_of(Path(stem_of(path))))):
        return inner  # Sphinx keeps the sources of its pages as `page.rst.txt`
    # Its suffix says too little: the log that a program keeps may be called `app.log.1`.
    if man.is_man_page(path):
        return man.read
    if info.is_info_suffix(suffix):
        return info.read
    if not suffix or (suffix not in READERS and _TEXT_NAME.match(path.name)):
        return _reader_of_text(first_text(path))
    return READERS.get(suffix)


def _reader_of_text(beginning: str) -> Reader | None:
    """What reads a file whose name tells nothing, by what it begins with."""
    # Mail programs call their mailboxes "Inbox" and "Sent".
    if mail.looks_like_mailbox(beginning):
        return mail.read_mailbox
    if mail.looks_like_message(beginning):
        return mail.read
    return plain_text.read if beginning else None


def read_file(path: Path) -> Iterator[Document | Passage | PartlyRead]:
    """What a file holds, as a stream; every failure to read it is a BadInput.

    What a stranger could have made to fill the memory is read by another process, which has a limit.
    """
    return read_here(path) if _is_harmless(path) else read_apart(path)


def _is_harmless(path: Path) -> bool:
    """Whether a file is read piece by piece, or is a small one that nothing unpacks, or none at all."""
    # What is not there gets its message from the reader itself.
    if suffix_of(path) in STREAMED or not path.is_file():
        return True
    # A small packed file may unpack to gigabytes; a small plain one is bounded by what the worst text takes.
    return suffix_of(path) not in PACKED and not is_gzip(path) and path.stat().st_size <= _SMALL


def read_here(path: Path) -> Iterator[Document | Passage | PartlyRead]:
    """The same in this process, whatever it takes."""
    reader = _reader_of(path)
    if reader is None:
        readable = f"{', '.join(sorted(READERS))}, .info and man pages (.1 to .9)"
        raise BadInput(f"{name_of(path)}: unknown format; readable are {readable}, also with .gz")
    is_empty, empty = True, 0
    try:
        for item in reader(path):
            if isinstance(item, Document):
                item = drop_index_tables(define_labels(safe_document(item)))
                # A file of records may hold empty ones among others.
                if not item.blocks:
                    empty += 1
                    continue
            elif isinstance(item, Passage):
                empty += not item.text.strip()
            is_empty = False
            yield item
    # Ours already say what to do.
    except ExpoundError:
        raise
    except Exception as error:  # whatever a library raises on a bad document, the reader of the message can act on it
        raise BadInput(f"{name_of(path)}: {_reason(path, error)}") from error
    if is_empty and suffix_of(path) not in _MAY_BE_EMPTY:
        raise BadInput(f"{name_of(path)}: empty, no text in it; remove it or give another file")
    if empty:
        entries = "1 entry has" if empty == 1 else f"{empty:,} entries have"
        yield PartlyRead(f"{name_of(path)}: {entries} no text and {'is' if empty == 1 else 'are'} left out")


def _reason(path: Path, error: Exception) -> str:
    """What is wrong and what to do, in one line."""
    if is_gzip(path) and isinstance(error, (EOFError, zlib.error, gzip.BadGzipFile)):
        return "the gzip data is cut short or damaged; get a new copy of the file"
    if isinstance(error, MemoryError):
        return f"takes more than {MOST_MEMORY >> 20} MB of memory to read; save its text as a .txt file, or split it"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}; check the path and its permissions"
    detail = plain_line(str(error))[:_LONGEST_REASON] or type(error).__name__
    # The file has no part in it: rapidocr without a system library of its own ends so.
    if isinstance(error, ImportError):
        return f"a library that is needed to read it does not load ({detail}); install that one anew"
    return f"broken, or not a {suffix_of(path)} file ({detail}); check the suffix or get a new copy"
