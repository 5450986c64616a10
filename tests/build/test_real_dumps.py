"""Real dumps of Wikipedia: every page is read, tables are kept, and the text is that of DPR's passages."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from build.real_dumps import fetch_dumps
from build.test_passages_of_a_dump import rows
from expound.build import build_passages
from expound.errors import ExpoundError
from golden import SHARED

pytestmark = pytest.mark.slow
DPR = SHARED / "data" / "wikipedia" / "wikipedia_passages_59460.jsonl.gz"


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    try:
        return fetch_dumps(tmp_path_factory.mktemp("gensim"))
    except ExpoundError as error:
        pytest.skip(f"no package index: {error}")


def test_every_page_of_a_real_dump_is_read(dumps: tuple[Path, Path], tmp_path: Path) -> None:
    result = build_passages([str(dumps[0])], str(tmp_path), words=0, corpus="")
    assert (result.dropped, result.aside) == ({}, {})
    kinds = ("article", "disambiguation", "redirect", "pages of namespace 4")
    # The dump has 206 <page> elements.
    assert [result.counts[kind] for kind in kinds] == [98, 8, 99, 1]
    passages = Counter(row["kind"] for row in rows(tmp_path, "passages"))
    assert passages["table"] > 200
    assert passages["list"] > 300


def test_tables_of_a_real_dump_are_kept_row_by_row(dumps: tuple[Path, Path], tmp_path: Path) -> None:
    result = build_passages([str(dumps[1])], str(tmp_path), words=0, corpus="")
    assert (result.counts["article"], result.dropped) == (5, {})
    tables = [row["text"] for row in rows(tmp_path, "passages") if row["kind"] == "table"]
    assert tables
    assert not [text for text in tables if "{|" in text or "|-" in text]


def test_the_text_is_that_of_the_passages_that_dpr_made(dumps: tuple[Path, Path], tmp_path: Path) -> None:
    if not DPR.exists():
        pytest.skip("needs ../shared/data/wikipedia")
    build_passages([str(dumps[0])], str(tmp_path), words=0, corpus="")
    pages = {row["title"]: words(row["text"]) for row in rows(tmp_path, "pages") if row["kind"] == "article"}
    found = [best_f1(words(text), pages[title]) for title, text in dpr_passages() if title in pages]
    assert len(found) > 50
    # The dumps are years apart: articles that were written anew since have other words, the others nearly the same.
    assert median(found) > 0.75
    assert sum(value > 0.9 for value in found) > len(found) / 5


def dpr_passages() -> Iterator[tuple[str, str]]:
    with gzip.open(DPR, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["title"], record["text"]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def best_f1(wanted: list[str], page: list[str], step: int = 10) -> float:
    """The highest token F1 of a passage with as many words of the page in a row."""
    size, bag = len(wanted), Counter(wanted)
    starts = range(0, max(1, len(page) - size + 1), step)
    return max(2 * (Counter(page[start : start + size]) & bag).total() / (2 * size) for start in starts)
