"""Read Parquet as a stream: rows as ready passages or as documents, such as `expound build` writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Document
from expound.corpus.read.raw import is_gzip, name_of, stem_of
from expound.corpus.read.record import item_of
from expound.errors import BadInput, BadRecord
from expound.types import Passage

_ROWS_AT_ONCE = 1000  # some hundred kB of passages
# A group of rows is unpacked as one; those of other tools are rarely of more than 100 MB.
_LARGEST_GROUP = 1 << 30
_PLACES = ("heading", "start", "end")


def read(path: Path) -> Iterator[Document | Passage]:
    """One passage or document per row; where a passage stands in its page becomes its source."""
    for number, row in enumerate(_rows(path), 1):
        record = {name: value for name, value in row.items() if value is not None}
        try:
            item = item_of(record, f"{stem_of(path)} row", number)
        except ValueError as error:
            raise BadRecord(f"{name_of(path)}, row {number}: {error}") from error
        yield _with_place(item) if isinstance(item, Passage) else item


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if find_spec("pyarrow") is None:
        raise BadInput(f"{name_of(path)}: Parquet needs pyarrow: pip install 'expound[build]'")
    if is_gzip(path):
        raise BadInput(f"{name_of(path)}: Parquet is read from its end, and packed already; unpack it first")
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        groups = range(file.metadata.num_row_groups)
        if any(file.metadata.row_group(group).total_byte_size > _LARGEST_GROUP for group in groups):
            raise BadInput(
                f"{name_of(path)}: its groups of rows are too large to read; write it anew with smaller ones"
            )
        for batch in file.iter_batches(_ROWS_AT_ONCE):
            yield from batch.to_pylist()


def _with_place(passage: Passage) -> Passage:
    meta = dict(passage.meta)
    heading, start, end = (meta.pop(name, None) for name in _PLACES)
    if not (isinstance(heading, str) and isinstance(start, int) and isinstance(end, int)):
        return passage
    return replace(passage, source=replace(passage.source, heading=heading, start=start, end=end), meta=meta)
