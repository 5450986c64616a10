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
# As for a cell of CSV; no passage and no page comes near it.
_LONGEST_CELL = 16 << 20
# Of one group, unpacked. More is read where it is packed as text can be, to a tenth or so, and refused where it is not.
_LARGEST_COLUMN, _TIMES_PACKED = 128 << 20, 50
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
    from pyarrow import parquet

    metadata = parquet.read_metadata(path)
    _check_sizes(metadata, name_of(path))
    schema = metadata.schema.to_arrow_schema()
    # A text that many rows share is kept once: written out for each of them, a few kB would fill the memory.
    texts = [field.name for field in schema if _is_text(field.type)]
    with parquet.ParquetFile(path, read_dictionary=texts) as file:
        for batch in file.iter_batches(_rows_at_once(metadata)):
            _check_cells(batch, name_of(path))
            # Row by row, for the same reason.
            for row in range(batch.num_rows):
                yield {name: batch.column(name)[row].as_py() for name in batch.schema.names}


def _check_sizes(metadata: Any, name: str) -> None:
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    if any(group.total_byte_size > _LARGEST_GROUP for group in groups):
        raise BadInput(f"{name}: its groups of rows are too large to read; write it anew with smaller ones")
    for column in (group.column(place) for group in groups for place in range(group.num_columns)):
        unpacked = column.total_uncompressed_size
        if unpacked > max(_LARGEST_COLUMN, _TIMES_PACKED * column.total_compressed_size):
            raise BadInput(
                f"{name}: {column.path_in_schema} unpacks to {unpacked >> 20:,} MB, which is too much to read"
            )


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _rows_at_once(metadata: Any) -> int:
    """Fewer rows where lists of texts are large: each of these rows may share, and so repeat, all of them."""
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    columns = [group.column(place) for group in groups for place in range(group.num_columns)]
    nested = [column.total_uncompressed_size for column in columns if "." in column.path_in_schema]
    return max(1, min(_ROWS_AT_ONCE, int(_LARGEST_COLUMN // max([1, *nested]))))


def _check_cells(batch: Any, name: str) -> None:
    from pyarrow import compute, types

    for title, column in zip(batch.schema.names, batch.columns, strict=True):
        if types.is_dictionary(column.type):
            longest = compute.max(compute.binary_length(column.dictionary)).as_py() or 0
            if longest > _LONGEST_CELL:
                raise BadInput(f"{name}: {title} has a text of more than {_LONGEST_CELL >> 20} MB")


def _with_place(passage: Passage) -> Passage:
    meta = dict(passage.meta)
    heading, start, end = (meta.pop(name, None) for name in _PLACES)
    if not (isinstance(heading, str) and isinstance(start, int) and isinstance(end, int)):
        return passage
    return replace(passage, source=replace(passage.source, heading=heading, start=start, end=end), meta=meta)
