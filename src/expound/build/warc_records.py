"""The records of a web archive (WARC or WET) as a stream; behind a damaged one the next is looked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Any

from expound.build.places import open_bytes, public_name
from expound.build.shards import Shard
from expound.build.unpack import GZIP_MARK, Damaged, next_mark
from expound.errors import BadInput

# The largest pages of crawls are cut at 1 MB; what is far longer is no page, and must not fill the memory.
LONGEST_RECORD = 8 << 20
_BEGIN = b"WARC/"
_LOOKED_AT = 512  # packed bytes that are enough to see how a record begins


@dataclass(frozen=True, slots=True)
class WebRecord:
    """A record of an archive, as far as it matters here; `content` is empty for what is no page."""

    id: str
    kind: str
    url: str
    date: str
    media: str = ""
    status: int = 0
    content: bytes = b""
    fault: str = ""


def is_member(file: IO[bytes], place: int) -> bool:
    """Whether a packed record begins at a place: three bytes of a mark also occur by chance."""
    file.seek(place)
    try:
        return zlib.decompressobj(wbits=31).decompress(file.read(_LOOKED_AT), len(_BEGIN)) == _BEGIN
    except zlib.error:
        return False


def check_archive(url: str) -> None:
    """Refuse a file that does not begin as an archive does, before anything is written."""
    with open_bytes(url) as file:
        beginning = file.read(len(_BEGIN))
        if beginning != _BEGIN and not (beginning.startswith(GZIP_MARK) and is_member(file, 0)):
            raise BadInput(
                f"{public_name(url)}: not a web archive; it begins with WARC/, also gzipped record by record"
            )


def iter_records(shard: Shard, damaged: Damaged) -> Iterator[WebRecord]:
    """The records that begin in the shard's piece of a file, in their order."""
    place, end = int(shard.inputs["start"]), int(shard.inputs["end"])
    with open_bytes(shard.inputs["url"]) as file:
        is_packed = file.read(len(GZIP_MARK)) == GZIP_MARK
        while place < end:
            last = yield from _run(file, place, end)
            if last is None:
                return
            damaged(last.place, last.reason)
            found = _next_record(file, last.place + 1, end, is_packed=is_packed)
            if found is None:
                return
            place = found


@dataclass(frozen=True)
class _Fault:
    place: int
    reason: str


def _run(file: IO[bytes], place: int, end: int) -> Any:
    """Records until the piece ends or one is broken; returns what broke."""
    from fastwarc.warc import ArchiveIterator

    file.seek(place)
    here = place
    try:
        for record in ArchiveIterator(file, parse_http=True, auto_decode="all"):
            here = int(record.stream_pos)
            if here >= end:
                return None
            yield _record(record)
    except Exception as error:  # whatever a library raises on a broken record, the next may be sound
        return _Fault(here, f"{type(error).__name__}: {error}")
    # It ends without a word also where a record is cut short: what follows is looked for.
    return _Fault(here, "the archive breaks off") if _is_more(file, here, end) else None


def _is_more(file: IO[bytes], here: int, end: int) -> bool:
    is_packed = _starts_packed(file)
    return _next_record(file, here + 1, end, is_packed=is_packed) is not None


def _starts_packed(file: IO[bytes]) -> bool:
    file.seek(0)
    return file.read(len(GZIP_MARK)) == GZIP_MARK


def _next_record(file: IO[bytes], start: int, end: int, *, is_packed: bool) -> int | None:
    """Where the next record begins, from a place on."""
    if not is_packed:
        # Behind an empty line, so that no page that speaks of archives is taken for one.
        found = next_mark(file, start, (b"\r\n\r\nWARC/",), end)
        return None if found is None else found + 4
    found = next_mark(file, start, (GZIP_MARK,), end)
    while found is not None and not is_member(file, found):
        found = next_mark(file, found + 1, (GZIP_MARK,), end)
    return found


def _record(record: Any) -> WebRecord:
    kind = str(record.record_type).rpartition(".")[2]
    headers, http = record.headers, record.http_headers
    known = WebRecord(
        id=str(record.record_id or ""),
        kind=kind,
        url=str(headers.get("WARC-Target-URI") or ""),
        date=str(headers.get("WARC-Date") or ""),
    )
    if kind not in ("response", "resource", "conversion"):
        return known
    status = int(http.status_code or 0) if http is not None else 200
    media = str((record.http_content_type if http is not None else headers.get("Content-Type")) or "")
    content = record.reader.read(LONGEST_RECORD + 1)
    is_short = http is None and len(content) < min(int(record.content_length), LONGEST_RECORD)
    fault = "longer than a page may be" if len(content) > LONGEST_RECORD else "cut short" if is_short else ""
    media = media.partition(";")[0].strip().lower()
    return replace(known, media=media, status=status, content=b"" if fault else content, fault=fault)
