"""Web pages that can be searched: for each shard of pages an index of words, and the texts beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from heapq import nsmallest
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple
from urllib.parse import urlsplit

from expound.build.places import OutPlace
from expound.build.shards import Columns, Shard, ShardWriter, read_table
from expound.index.lexical import LexicalIndex

PAGES = "pages"
COLUMNS: Columns = {"url": str, "title": str, "text": str}
# The forum itself and where its threads are copied word for word: they would hold the answer.
FORUM_HOSTS = ("reddit.com", "redd.it", "redditmedia.com", "reddit-stream.com", "removeddit.com", "ceddit.com")


class FoundPage(NamedTuple):
    """A page that was found: its address, title and text, and how well it fits."""

    id: str
    title: str
    text: str
    score: float


@dataclass(frozen=True)
class IndexPages:
    """Index the pages of a shard, without those of the forum's own hosts."""

    without_hosts: tuple[str, ...] = FORUM_HOSTS

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        folder = Path(shard.inputs["folder"])
        # What a killed worker left: an index that lacks its last pages looks like a whole one.
        rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with closing(sqlite3.connect(folder / "texts.sqlite")) as texts:
            texts.execute("CREATE TABLE page (number INTEGER PRIMARY KEY, id TEXT, title TEXT, text TEXT)")
            LexicalIndex(folder / "words").update(self._pages(shard, writer, texts), ())
            texts.commit()

    def _pages(self, shard: Shard, writer: ShardWriter, texts: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
        rows = read_table(OutPlace(shard.inputs["place"]), PAGES, shard.inputs["shard"], COLUMNS)
        for number, row in enumerate(rows):
            if is_of_host(row["url"], self.without_hosts):
                writer.reasons["a page of the forum"] += 1
                continue
            writer.count("pages indexed")
            # The texts beside the index: of Parquet a whole block would be read for every page.
            texts.execute("INSERT INTO page VALUES (?, ?, ?, ?)", (number, row["url"], row["title"], row["text"]))
            yield number, row["title"], row["text"]


class PageSearch:
    """All shards of an index, opened once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._words = [LexicalIndex(folder / "words") for folder in folders]
        self._texts = [sqlite3.connect(f"file:{folder / 'texts.sqlite'}?mode=ro", uri=True) for folder in folders]

    def __enter__(self) -> PageSearch:
        return self

    def __exit__(self, *_: object) -> None:
        for texts in self._texts:
            texts.close()

    def search(self, question: str, *, k: int) -> list[FoundPage]:
        """The k best pages of all shards; each shard weighs words by its own pages, as Lucene's shards do."""
        hits = (
            (-score, shard, number)
            for shard, index in enumerate(self._words)
            for number, score in index.search(question, k=k)
        )
        return [self._page(*hit) for hit in nsmallest(k, hits)]

    def _page(self, score: float, shard: int, number: int) -> FoundPage:
        query = "SELECT id, title, text FROM page WHERE number = ?"
        id, title, text = self._texts[shard].execute(query, (number,)).fetchone()
        return FoundPage(id, title, text, -score)


def is_of_host(url: str, hosts: Sequence[str]) -> bool:
    """Whether an address is of one of the hosts or of a part of it.

    >>> is_of_host("https://old.reddit.com/r/x", ["reddit.com"]), is_of_host("https://notreddit.com", ["reddit.com"])
    (True, False)
    """
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:  # an address that is none has no host
        return False
    return any(host == name or host.endswith(f".{name}") for name in hosts)
