"""`build passages`: a Wikipedia dump as passages, pages, redirects and what ambiguous titles may mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from expound.build.as_corpus import corpus_name, make_corpus
from expound.build.building import Report, StageResult, open_build
from expound.build.engines import ShardEngine
from expound.build.places import fingerprint, list_inputs, require_build
from expound.build.shards import Columns, Shard, ShardWriter, Stage
from expound.build.unpack import BZIP2_MARKS, find_streams
from expound.build.wiki_pages import ARTICLES, WikiPage, check_dump, is_json, iter_pages
from expound.build.wikitext import Wikitext, is_disambiguation, read_wikitext, redirect_of, takes_too_long
from expound.corpus.read.document import Block, Document
from expound.corpus.split import split
from expound.errors import BadInput

SUFFIXES = (".bz2", ".xml", ".xml.gz", ".json", ".json.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
PASSAGES, PAGES = "passages", "pages"
TABLES: dict[str, Columns] = {
    PASSAGES: {
        "id": str, "title": str, "text": str, "heading": str, "kind": str,
        "start": int, "end": int, "wikipedia_id": str, "revision": str,
    },
    PAGES: {"id": str, "title": str, "revision": str, "kind": str, "targets": list, "text": str},
}  # fmt: skip

# A packed piece that a core is done with in about half a minute: what a kill can cost.
SHARD_BYTES = 8 << 20


@dataclass(frozen=True)
class PassagesOf:
    """What becomes of the pages of a shard: passages of so many words; with none, passages of whole sentences."""

    words: int = 100

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        for page in iter_pages(shard, writer.drop):
            if page.namespace != ARTICLES:
                writer.count(f"pages of namespace {page.namespace}")
            else:
                self._write(page, writer)

    def _write(self, page: WikiPage, writer: ShardWriter) -> None:
        target = page.redirect or redirect_of(page.text)
        if target:
            writer.count("redirect")
            writer.add(PAGES, **_page_row(page, "redirect", [target], ""))
            return
        if not page.is_plain and takes_too_long(page.text):
            writer.drop(page.title, "markup that is never closed")
            return
        content = _read(page)
        kind = "disambiguation" if is_disambiguation(page.title, page.text) else "article"
        targets = content.listed if kind == "disambiguation" else ()
        writer.count(kind)
        text = "\n".join(block.text for block in content.blocks)
        writer.add(PAGES, **_page_row(page, kind, list(targets), text))
        # With its revision: two dumps may hold a page as it was at two times.
        name = f"{page.id}.{page.revision}" if page.revision else page.id
        for number, row in enumerate(self._cut(page, content.blocks)):
            writer.add(PASSAGES, id=f"{name}:{number}", wikipedia_id=page.id, revision=page.revision, **row)

    def _cut(self, page: WikiPage, blocks: Sequence[Block]) -> Iterator[dict[str, Any]]:
        return _by_words(page, blocks, self.words) if self.words else _by_sentences(page, blocks)


def build_passages(
    inputs: Sequence[str],
    out: str,
    *,
    words: int = 100,
    corpus: str | None = None,
    engine: ShardEngine | None = None,
    report: Report | None = None,
) -> StageResult:
    """Make passages of Wikipedia dumps: Parquet shards of passages and pages below `out`, and a corpus of them.

    The corpus has the output's name, or that of `corpus`; an empty name makes none.
    """
    require_build()
    name = corpus_name(out, corpus, PASSAGES)
    urls = list_inputs(inputs, SUFFIXES)
    for url in urls:
        check_dump(url)
    prints = [fingerprint(url) for url in urls]
    shards = _shards(urls, [item["bytes"] for item in prints])
    with open_build(out, engine=engine, report=report) as build:
        result = build.run(Stage(PASSAGES, PassagesOf(words), TABLES), shards, inputs=prints)
        _check_read(result)
        if name and result.counts.get(PASSAGES):
            make_corpus(out, name, PASSAGES, report=build.report)
        return result


def _check_read(result: StageResult) -> None:
    """Refuse input of which nothing at all could be read: counts of what was left out look like a success."""
    if result.dropped and not any(result.counts.values()):
        reason, count = max(result.dropped.items(), key=lambda item: item[1])
        raise BadInput(f"no page could be read, {count:,} left out as: {reason}; a dump has <page>s, or a page a line")


def _shards(urls: Sequence[str], sizes: Sequence[int]) -> list[Shard]:
    """Each file in pieces that can be read by themselves: a multistream dump has one every hundred pages."""
    pieces = [piece for url, size in zip(urls, sizes, strict=True) for piece in _pieces(url, size)]
    return [Shard(f"{number:05}", piece) for number, piece in enumerate(pieces)]


def _pieces(url: str, size: int) -> Iterator[dict[str, Any]]:
    marks = (
        () if is_json(url) else BZIP2_MARKS if url.endswith(".bz2") else (b"<page>",) if url.endswith(".xml") else ()
    )
    cuts = find_streams(url, marks, every=SHARD_BYTES, size=size) if marks else [0]
    for start, end in zip(cuts, [*cuts[1:], size], strict=True):
        yield {"url": url, "start": start, "end": end}


def _read(page: WikiPage) -> Wikitext:
    if page.is_plain:
        lines = (line.strip() for line in page.text.split("\n"))
        return Wikitext(tuple(Block(line) for line in lines if line), (), ())
    return read_wikitext(page.text)


def _page_row(page: WikiPage, kind: str, targets: list[str], text: str) -> dict[str, Any]:
    return {
        "id": page.id, "title": page.title, "revision": page.revision, "kind": kind, "targets": targets, "text": text,
    }  # fmt: skip


def _by_words(page: WikiPage, blocks: Sequence[Block], words: int) -> Iterator[dict[str, Any]]:
    """Runs of so many words of prose, as DPR cut Wikipedia; offsets count in the page's text.

    The title is the beginning of the page, and the last run is filled up from there: all have the same length.
    """
    prose = list(_words_of(blocks))
    placed = [*((word, prose[0][1]) for word in page.title.split()), *prose] if prose else []
    for first in range(0, len(placed), words):
        run = placed[first : first + words]
        own = [place + len(word) for word, place in run if first or place != prose[0][1]]
        texts = [word for word, _ in run]
        # A page that is shorter than a passage is not said twice.
        texts += [word for word, _ in placed[: words - len(run)]] if first else []
        start, end = run[0][1], max(own, default=prose[0][1] + len(prose[0][0]))
        row = {"title": page.title, "text": " ".join(texts), "heading": "", "kind": "prose"}
        yield {**row, "start": start, "end": end}


def _words_of(blocks: Sequence[Block]) -> Iterator[tuple[str, int]]:
    """The words of the prose, each with its place in the text of all blocks."""
    offset = 0
    for block in blocks:
        if block.kind == "paragraph":
            place = 0
            for word in block.text.split():
                place = block.text.index(word, place)
                yield word, offset + place
                place += len(word)
        offset += len(block.text) + 1


def _by_sentences(page: WikiPage, blocks: Sequence[Block]) -> Iterator[dict[str, Any]]:
    """Passages of whole sentences, lists and tables, each under one heading."""
    for passage in split(Document(page.title, tuple(blocks)), file=page.id):
        kinds = {part.kind for part in passage.parts}
        yield {
            "title": page.title,
            "text": passage.text,
            "heading": passage.source.heading,
            "kind": "table" if kinds == {"table"} else "list" if kinds == {"item"} else "prose",
            "start": passage.source.start,
            "end": passage.source.end,
        }
