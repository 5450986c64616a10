"""Pages that say the same: by hash, and nearly by MinHash; the first of them stays, in the order of the shards."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from expound.build.places import OutPlace, open_bytes
from expound.build.shards import Columns, Shard, ShardWriter, read_table, table_name

BANDS, EDGES, DOUBLES = "bands", "edges", "doubles"
BAND_COLUMNS: Columns = {"bucket": int, "key": bytes, "page": str, "is_exact": bool}
EDGE_COLUMNS: Columns = {"first": str, "other": str, "is_exact": bool}
DOUBLE_COLUMNS: Columns = {"shard": str, "page": str, "kept": str, "is_exact": bool}

# As FineWeb chose them (Penedo et al. 2024): pages that share three quarters of their runs of five words are found in
# three of four cases, those that share nine tenths nearly always, and those that share half in one of twenty.
_RUN, _BANDS, _ROWS = 5, 14, 8
_SEED = 1  # any will do, as long as it stays
_KEY_BYTES = 12  # of a hash: by chance two keys of ten billion are the same once in a million times
_WORD = re.compile(r"\w+")


def band_rows(page: str, text: str, buckets: int) -> Iterator[dict[str, Any]]:
    """The keys by which a page is compared: whoever shares one with another page is like it."""
    words = _WORD.findall(text.lower())
    for number, key in enumerate(_keys(words)):
        digest = hashlib.sha256(b"%d:%s" % (number, key)).digest()
        yield {
            "bucket": int.from_bytes(digest[:4]) % buckets,
            "key": digest[4 : 4 + _KEY_BYTES],
            "page": page,
            "is_exact": number == 0,
        }


def _keys(words: Sequence[str]) -> Iterator[bytes]:
    from rensa import RMinHash

    yield " ".join(words).encode()
    # A text that is shorter than a run is one by itself.
    runs = list(map(" ".join, zip(*(words[start:] for start in range(_RUN)), strict=False))) or [" ".join(words)]
    sketch = RMinHash(num_perm=_BANDS * _ROWS, seed=_SEED)
    sketch.update(runs)
    digest = sketch.digest()
    for band in range(_BANDS):
        yield b"".join(value.to_bytes(4) for value in digest[band * _ROWS : (band + 1) * _ROWS])


@dataclass(frozen=True)
class FindEdges:
    """The pages of a bucket that share a key, each with the first that has it."""

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        rows = _bucket_rows(OutPlace(shard.inputs["place"]), shard.inputs["shards"], shard.inputs["bucket"])
        for _, group in groupby(sorted(rows), key=lambda row: row[0]):
            (_, first, _), *others = group
            for _, other, is_exact in others:
                # A page may repeat itself: that is no other page.
                if other != first:
                    writer.add(EDGES, first=first, other=other, is_exact=is_exact)


def _bucket_rows(place: OutPlace, shards: Sequence[str], bucket: int) -> list[tuple[bytes, str, bool]]:
    import pyarrow.parquet

    rows: list[tuple[bytes, str, bool]] = []
    for name in shards:
        with open_bytes(place.join(table_name(BANDS, name))) as file:
            table = pyarrow.parquet.read_table(file, filters=[("bucket", "=", bucket)])
        rows += zip(*(table[column].to_pylist() for column in ("key", "page", "is_exact")), strict=True)
    return rows


@dataclass(frozen=True)
class JoinEdges:
    """All edges as groups of pages that say the same: each but the first is a double of it."""

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        place = OutPlace(shard.inputs["place"])
        edges = [row for name in shard.inputs["shards"] for row in read_table(place, EDGES, name, EDGE_COLUMNS)]
        exact = {row["other"] for row in edges if row["is_exact"]}
        for page, kept in sorted(_first_of_each((row["first"], row["other"]) for row in edges).items()):
            name = page.partition("/")[0]
            writer.add(DOUBLES, shard=name, page=page, kept=kept, is_exact=page in exact)


def _first_of_each(edges: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Every page that hangs together with an earlier one, with the earliest of its group."""
    parents: dict[str, str] = {}

    def root(page: str) -> str:
        while (parent := parents.get(page, page)) != page:
            # Half of the way is cut short, so that long chains are walked once.
            parents[page] = page = parents.get(parent, parent)
        return page

    for pair in edges:
        first, other = sorted(map(root, pair))
        parents[other] = first
    return {page: first for page in list(parents) if (first := root(page)) != page}


def read_doubles(place: OutPlace, shards: Sequence[str], wanted: str) -> Mapping[str, tuple[str, bool]]:
    """The doubles among the pages of one shard: what they repeat, and whether word for word."""
    rows = (row for name in shards for row in read_table(place, DOUBLES, name, DOUBLE_COLUMNS))
    return {row["page"]: (row["kept"], row["is_exact"]) for row in rows if row["shard"] == wanted}
