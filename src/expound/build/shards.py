"""A piece of a stage's work, the tables that it writes, and the receipt that says that it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from expound.build.places import OutPlace, open_bytes, public_name
from expound.files import sha256_of

Columns = Mapping[str, type]
"""The columns of a table: str, int, float, bool, bytes, or list for a list of texts."""

# Large enough for Parquet to pack well, small enough to be no memory to speak of.
_ROWS_AT_ONCE = 5_000
# Of all tables of a shard together: the parts of a forum are 64 tables, and a buffer each would be a gigabyte.
_BYTES_AT_ONCE = 16 << 20
# What a row takes in Python beside its texts: small rows by the thousand are more than their letters.
_ROW_BYTES = 400
# Every stage has this table: what was left out, and why.
_DROPPED = "dropped"
DROPPED_COLUMNS: Columns = {"id": str, "reason": str}
_LONGEST_REASON = 300  # a library's message may hold the whole text that it did not like


@dataclass(frozen=True)
class Shard:
    """One piece of work: the name of what it writes, and what it is made of, as plain JSON values."""

    name: str
    inputs: Mapping[str, Any]


class ShardWork(Protocol):
    """What a stage does with a shard: a frozen dataclass, so that it travels to a worker and prints as its settings.

    The same shard gives the same bytes, wherever and however often it is done.
    """

    def __call__(self, shard: Shard, writer: ShardWriter, /) -> None: ...


@dataclass(frozen=True)
class Stage:
    """A step of a build: the work on each shard, and the tables that come out of it, with their columns."""

    name: str
    work: ShardWork
    tables: Mapping[str, Columns]


@dataclass
class ShardWriter:
    """The tables of one shard while it is worked on; rows are written as they come."""

    add_row: Mapping[str, Callable[[Mapping[str, Any]], None]]
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, table: str, **row: Any) -> None:
        """Add a row to a table."""
        self.counts[table] += 1
        self.add_row[table](row)

    def drop(self, identifier: str, reason: str, detail: str = "") -> None:
        """Leave something out, and say why; what belongs to this one alone is its detail."""
        self.reasons[reason] += 1
        text = f"{reason}: {detail}" if detail else reason
        self.add_row[_DROPPED]({"id": identifier, "reason": public_name(text)[:_LONGEST_REASON]})

    def count(self, what: str, number: int = 1) -> None:
        """Count something for the receipt that is no row."""
        self.counts[what] += number


def do_shard(stage: Stage, shard: Shard, place: OutPlace) -> dict[str, Any]:
    """ShardWork on a shard and write its tables, then its receipt: from then on it is finished."""
    begun = begun_name(stage.name, shard.name)
    place.write_json(begun, {"shard": shard.name})
    tables = {**stage.tables, dropped_table(stage.name): DROPPED_COLUMNS}
    hashes: dict[str, str] = {}
    with _open_tables(place, shard.name, tables, hashes) as add_row:
        writer = ShardWriter({**add_row, _DROPPED: add_row[dropped_table(stage.name)]})
        stage.work(shard, writer)
    receipt = {
        "shard": shard.name,
        "counts": dict(sorted(writer.counts.items())),
        "dropped": dict(sorted(writer.reasons.items())),
        "sha256": hashes,
    }
    place.write_json(receipt_name(stage.name, shard.name), receipt)
    place.remove(begun)
    return receipt


def receipt_name(stage: str, shard: str) -> str:
    """Where the receipt of a shard lies: hidden, so that nobody takes it for data."""
    return f".shards/{stage}/{shard}.json"


def begun_name(stage: str, shard: str) -> str:
    """The mark of a shard that somebody works on, or died over."""
    return f".shards/{stage}/{shard}.begun"


def dropped_table(stage: str) -> str:
    """The table of what a stage left out: a folder of each stage's own."""
    return f"{_DROPPED}/{stage}"


def table_name(table: str, shard: str) -> str:
    """Where a table of a shard lies, below the output."""
    return f"{table}/{shard}.parquet"


def read_table(place: OutPlace, table: str, shard: str, columns: Columns) -> Iterator[dict[str, Any]]:
    """The rows of a table that a shard wrote; so many at once as they were written."""
    import pyarrow.parquet

    with open_bytes(place.join(table_name(table, shard))) as file:
        for batch in pyarrow.parquet.ParquetFile(file).iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
            yield from batch.to_pylist()


@contextmanager
def _open_tables(
    place: OutPlace, shard: str, tables: Mapping[str, Columns], hashes: dict[str, str]
) -> Iterator[dict[str, Callable[[Mapping[str, Any]], None]]]:
    """The tables of a shard, open for rows; all of them appear when the block ends well, none of them otherwise."""
    with ExitStack() as stack:
        paths = {table: stack.enter_context(place.written(table_name(table, shard))) for table in tables}
        writers = {table: _TableWriter(str(path), tables[table]) for table, path in paths.items()}
        room = _Room(list(writers.values()))
        try:
            yield {table: partial(room.add, writer) for table, writer in writers.items()}
        finally:
            for writer in writers.values():
                writer.close()
        hashes.update({table: sha256_of(path) for table, path in sorted(paths.items())})


class _TableWriter:
    """A Parquet file that rows are added to; the same rows make the same bytes."""

    def __init__(self, path: str, columns: Columns) -> None:
        import pyarrow as arrow
        import pyarrow.parquet

        kinds = {
            str: arrow.string(),
            int: arrow.int64(),
            float: arrow.float64(),
            bool: arrow.bool_(),
            bytes: arrow.binary(),
            list: arrow.list_(arrow.string()),
        }
        self._schema = arrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._batch = arrow.RecordBatch
        self.rows: list[Mapping[str, Any]] = []
        self.size = 0

    def close(self) -> None:
        self.flush()
        self._writer.close()

    def flush(self) -> None:
        """Write what waits as a group of rows."""
        if self.rows:
            self._writer.write_batch(self._batch.from_pylist(self.rows, schema=self._schema))
        self.rows, self.size = [], 0


@dataclass
class _Room:
    """The memory in which rows of all tables of a shard wait to be written."""

    writers: Sequence[_TableWriter]
    taken: int = 0

    def add(self, writer: _TableWriter, row: Mapping[str, Any]) -> None:
        size = _ROW_BYTES + sum(map(_size_of, row.values()))
        writer.rows.append(row)
        writer.size += size
        self.taken += size
        if len(writer.rows) >= _ROWS_AT_ONCE:
            self._flush(writer)
        while self.taken >= _BYTES_AT_ONCE:
            # The fullest alone: many small groups of rows would pack badly. Rows alone decide, so bytes stay the same.
            self._flush(max(self.writers, key=lambda writer: writer.size))

    def _flush(self, writer: _TableWriter) -> None:
        self.taken -= writer.size
        writer.flush()


def _size_of(value: Any) -> int:
    """The bytes of a text, or of a list of them; numbers are no matter."""
    if isinstance(value, str | bytes):
        return len(value)
    return sum(map(len, value)) if isinstance(value, list) else 0
