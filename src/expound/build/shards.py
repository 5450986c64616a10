"""A piece of a stage's work, the tables that it writes, and the receipt that says that it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from expound.build.places import OutPlace, open_bytes, public_name
from expound.files import sha256_of

Columns = Mapping[str, type]
"""The columns of a table: str, int, float, bool, bytes, or list for a list of texts."""

# Large enough for Parquet to pack well, small enough that a few of them are no memory to speak of.
_ROWS_AT_ONCE = 5_000
_BYTES_AT_ONCE = 16 << 20
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
        try:
            yield {table: writer.add for table, writer in writers.items()}
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
        self._rows: list[Mapping[str, Any]] = []
        self._size = 0

    def add(self, row: Mapping[str, Any]) -> None:
        self._rows.append(row)
        self._size += sum(len(value) for value in row.values() if isinstance(value, str | bytes))
        # By size as well: a thousand whole pages are more than a thousand reasons.
        if len(self._rows) >= _ROWS_AT_ONCE or self._size >= _BYTES_AT_ONCE:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_batch(self._batch.from_pylist(self._rows, schema=self._schema))
        self._rows, self._size = [], 0
