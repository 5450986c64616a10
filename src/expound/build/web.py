"""`build web`: web archives as clean pages of one language; whatever is left out has its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from expound.build.building import Building, Report, StageResult, open_build
from expound.build.engines import ShardEngine
from expound.build.near_duplicates import (
    BAND_COLUMNS,
    BANDS,
    DOUBLE_COLUMNS,
    DOUBLES,
    EDGE_COLUMNS,
    EDGES,
    FindEdges,
    JoinEdges,
    band_rows,
    read_doubles,
)
from expound.build.places import OutPlace, fingerprint, list_inputs, require_build
from expound.build.shards import Columns, Shard, ShardWriter, Stage, read_table
from expound.build.unpack import GZIP_MARK, find_streams
from expound.build.warc_records import WebRecord, check_archive, is_member, iter_records
from expound.build.web_quality import Quality
from expound.build.web_text import FAST, WebText, check_extractor, extract
from expound.corpus.read.language import detect_language
from expound.errors import UserError

SUFFIXES = (".warc", ".warc.gz", ".wet", ".wet.gz")
EXTRACTED, PAGES = "extracted", "pages"
# No column is called "id": to a corpus such a row is a ready passage, and these are documents to be cut.
PAGE_COLUMNS: Columns = {"page": str, "url": str, "title": str, "text": str, "date": str, "record": str}

# A round figure, not measured: what a kill can cost.
SHARD_BYTES = 64 << 20
_LANGUAGE = re.compile("[a-z]{2,3}")
_PAGE_KINDS = ("response", "resource", "conversion")
_HTML, _TEXT = ("text/html", "application/xhtml+xml"), ("text/plain",)
# A round figure: so many keys are sorted in a few hundred MB.
_SHARDS_A_BUCKET = 8
_FOUND, _MISSING = 200, 300  # the statuses that mean that there is a page


@dataclass(frozen=True)
class ExtractPages:
    """What becomes of the records of a shard: pages of the wanted language that keep the bounds of quality."""

    language: str = "en"
    extractor: str = FAST
    buckets: int = 1
    least_sure: float = 0.65
    quality: Quality = field(default_factory=Quality)

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        def damaged(place: int, reason: str) -> None:
            writer.drop(f"{shard.name}, byte {place}", "damaged", reason)

        for number, record in enumerate(iter_records(shard, damaged)):
            writer.count("records")
            name = record.url or record.id or f"{shard.name}, record {number}"
            if reason := _no_page(record):
                writer.drop(name, reason)
                continue
            page = _text_of(record, self.extractor)
            if reason := page.fault or self._fault(page.text):
                writer.drop(name, reason)
                continue
            identifier = f"{shard.name}/{number:07}"
            row = {"url": record.url, "title": page.title, "text": page.text, "date": record.date, "record": record.id}
            writer.add(EXTRACTED, page=identifier, **row)
            for band in band_rows(identifier, page.text, self.buckets):
                writer.add(BANDS, **band)

    def _fault(self, text: str) -> str:
        words = text.split()
        # The cheap rule comes first: most of what goes is too short to tell its language.
        if reason := self.quality.fault_of_length(len(words)):
            return reason
        found, sure = detect_language(text) or ("", 0.0)
        if self.language and found != self.language:
            return f"language {found or 'unknown'}"
        if self.language and sure < self.least_sure:
            return "no sure language"
        # The stop words are English ones.
        quality = self.quality if self.language == "en" else replace(self.quality, fewest_stop_words=0)
        return quality.fault(text, words)


@dataclass(frozen=True)
class KeepFirst:
    """The pages of a shard without those that say what an earlier one says."""

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        place = OutPlace(shard.inputs["place"])
        doubles = read_doubles(place, shard.inputs["doubles"], shard.name)
        for row in read_table(place, EXTRACTED, shard.name, PAGE_COLUMNS):
            if row["page"] in doubles:
                kept, is_exact = doubles[row["page"]]
                writer.drop(row["url"], "the same text" if is_exact else "nearly the same text", f"as {kept}")
            else:
                writer.add(PAGES, **row)


def build_web(
    inputs: Sequence[str],
    out: str,
    *,
    work: ExtractPages | None = None,
    engine: ShardEngine | None = None,
    report: Report | None = None,
) -> dict[str, StageResult]:
    """Make clean pages of web archives: Parquet shards of pages below `out`; what each stage came to, by its name."""
    require_build()
    work = work or ExtractPages()
    check_extractor(work.extractor)
    if work.language and not _LANGUAGE.fullmatch(work.language):
        raise UserError(f"{work.language!r} is no language; write its ISO 639 code, such as en")
    urls = list_inputs(inputs, SUFFIXES)
    for url in urls:
        check_archive(url)
    prints = [fingerprint(url) for url in urls]
    pieces = [piece for url, item in zip(urls, prints, strict=True) for piece in _pieces(url, item["bytes"])]
    shards = [Shard(f"{number:05}", piece) for number, piece in enumerate(pieces)]
    with open_build(out, engine=engine, report=report) as build:
        return _run(build, work, shards, prints)


def _run(
    build: Building, work: ExtractPages, shards: Sequence[Shard], prints: Sequence[dict[str, Any]]
) -> dict[str, StageResult]:
    buckets = 1 + len(shards) // _SHARDS_A_BUCKET
    work = replace(work, buckets=buckets)
    extract_stage = Stage(EXTRACTED, work, {EXTRACTED: PAGE_COLUMNS, BANDS: BAND_COLUMNS})
    extracted = build.run(extract_stage, shards, inputs=prints)
    place, names = build.place.url, list(extracted.shards)
    of_buckets = [
        Shard(f"{bucket:05}", {"place": place, "shards": names, "bucket": bucket}) for bucket in range(buckets)
    ]
    edges = build.run(Stage(EDGES, FindEdges(), {EDGES: EDGE_COLUMNS}), of_buckets)
    joined = build.run(
        Stage(DOUBLES, JoinEdges(), {DOUBLES: DOUBLE_COLUMNS}),
        [Shard("00000", {"place": place, "shards": list(edges.shards)})],
    )
    last = [Shard(name, {"place": place, "doubles": list(joined.shards)}) for name in names]
    pages = build.run(Stage(PAGES, KeepFirst(), {PAGES: PAGE_COLUMNS}), last)
    return {EXTRACTED: extracted, EDGES: edges, DOUBLES: joined, PAGES: pages}


def _pieces(url: str, size: int) -> Iterator[dict[str, Any]]:
    """An archive in pieces that begin with a record."""
    if url.endswith(".gz"):
        cuts = find_streams(url, (GZIP_MARK,), every=SHARD_BYTES, size=size, is_start=is_member)
    else:
        cuts = [0]
    for start, end in zip(cuts, [*cuts[1:], size], strict=True):
        yield {"url": url, "start": start, "end": end}


def _no_page(record: WebRecord) -> str:
    """Why a record is no page; empty if it is one."""
    if record.kind not in _PAGE_KINDS:
        return f"a record of the kind {record.kind}"
    if record.fault:
        return record.fault
    if record.kind != "conversion" and not _FOUND <= record.status < _MISSING:
        return f"status {record.status}"
    if record.kind != "conversion" and record.media not in (*_HTML, *_TEXT):
        return f"not text: {record.media or 'no type'}"
    return "" if record.content.strip() else "empty"


def _text_of(record: WebRecord, extractor: str) -> WebText:
    if record.kind != "conversion" and record.media in _HTML:
        return extract(record.content, extractor)
    text = record.content.decode(errors="replace")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return WebText("", "\n".join(line for line in lines if line))
