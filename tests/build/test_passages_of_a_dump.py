"""A Wikipedia dump as passages: pages, redirects, ambiguous titles, tables, offsets, and whatever is broken."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import Capture, as_json, fail, succeed
from expound.build import OutPlace, build_passages, passages, read_table
from expound.build.passages import PAGES, PASSAGES, TABLES
from expound.corpus import open_named
from expound.errors import UserError

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "build" / "ostrand-wiki.xml"
PAGE = "<page><title>{}</title><ns>0</ns><id>{}</id><revision><id>9</id><text>{}</text></revision></page>\n"


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    place = OutPlace(str(out))
    return [row for name in place.names(table, ".parquet") for row in read_table(place, table, name, TABLES[table])]


def dropped(out: Path) -> list[str]:
    place, columns = OutPlace(str(out)), {"reason": str}
    names = place.names("dropped/passages", ".parquet")
    return [row["reason"] for name in names for row in read_table(place, "dropped/passages", name, columns)]


def dump(*texts: str) -> bytes:
    pages = "".join(PAGE.format(f"Page {number}", number, text) for number, text in enumerate(texts))
    return f"<mediawiki>\n{pages}</mediawiki>".encode()


def build(path: Path, **options: Any) -> Path:
    out = path.parent / "out"
    build_passages([str(path)], str(out), corpus="", **options)
    return out


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_pages_redirects_and_ambiguous_titles_are_told_apart(tmp_path: Path) -> None:
    result = build_passages([str(EXAMPLE)], str(tmp_path), corpus="")
    assert {row["title"]: (row["kind"], row["targets"]) for row in rows(tmp_path, PAGES)} == {
        "Ostrand": ("article", []),
        "Ostrand Light": ("redirect", ["Ostrand"]),
        "Holm": ("disambiguation", ["Holm (island)", "Holm (ship)"]),
        "Holm (ship)": ("article", []),
    }
    assert result.counts["pages of namespace 1"] == 1


def test_a_page_keeps_its_infobox_table_and_lists_and_loses_its_references(tmp_path: Path) -> None:
    build_passages([str(EXAMPLE)], str(tmp_path), corpus="", words=0)
    text = next(row["text"] for row in rows(tmp_path, PAGES) if row["title"] == "Ostrand")
    for kept in ("population | 8,400", "Line | First | Last\nDay ferry | 06:10 | 20:10", "9 m deep", "17 sea miles"):
        assert kept in text
    for gone in ("Town register", "harbour.jpg", "[[", "'''", "{{"):
        assert gone not in text


@pytest.mark.parametrize("words", [0, 10])
def test_offsets_lead_back_to_the_page(words: int, tmp_path: Path) -> None:
    build_passages([str(EXAMPLE)], str(tmp_path), corpus="", words=words)
    texts = {row["id"]: row["text"] for row in rows(tmp_path, PAGES)}
    found = rows(tmp_path, PASSAGES)
    assert found
    for row in found:
        there = texts[row["wikipedia_id"]][row["start"] : row["end"]]
        own = (row["text"].removeprefix(row["title"]) if words else row["text"]).split()
        # The last passage of a page goes on with the page's beginning.
        assert own[:3] == there.split()[:3]


def test_passages_are_cut_as_dpr_cut_them(tmp_path: Path) -> None:
    """Wikipedia of 2018 in 100 words: the title first, and the last passage filled up from the beginning."""
    words = [f"w{number}" for number in range(25)]
    out = build(write(tmp_path / "a.xml", dump(" ".join(words))), words=10)
    assert [row["text"].split() for row in rows(out, PASSAGES)] == [
        ["Page", "0", *words[:8]],
        words[8:18],
        [*words[18:], "Page", "0", "w0"],
    ]
    assert [row["id"] for row in rows(out, PASSAGES)] == ["0.9:0", "0.9:1", "0.9:2"]


def test_a_short_page_is_not_said_twice(tmp_path: Path) -> None:
    out = build(write(tmp_path / "a.xml", dump("Only this.")))
    assert [row["text"] for row in rows(out, PASSAGES)] == ["Page 0 Only this."]


def multistream(pages: int) -> bytes:
    streams = [PAGE.format(f"Page {number}", number, "Some words. " * 40) for number in range(pages)]
    return b"".join(bz2.compress(text.encode()) for text in ("<mediawiki>", *streams, "</mediawiki>"))


@pytest.mark.parametrize("pack", [bytes, bz2.compress, gzip.compress, lambda _plain: multistream(30)])
def test_a_dump_gives_the_same_however_it_is_packed_and_cut(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passages, "SHARD_BYTES", 500)
    suffix = {bytes: ".xml", gzip.compress: ".xml.gz"}.get(pack, ".xml.bz2")
    out = build(write(tmp_path / f"a{suffix}", pack(dump(*["Some words. " * 40] * 30))))
    assert [row["id"] for row in rows(out, PAGES)] == [str(number) for number in range(30)]
    assert not dropped(out)


def test_a_multistream_dump_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "SHARD_BYTES", 500)
    out = build(write(tmp_path / "a.xml.bz2", multistream(30)))
    assert len(OutPlace(str(out)).names(PAGES, ".parquet")) > 5


def test_search_dumps_of_json_lines_are_read(tmp_path: Path) -> None:
    lines = [
        {"index": {"_id": "7"}},
        {"title": "Holm", "namespace": 0, "version": 3, "source_text": "'''Holm''' is an island."},
        {"wikipedia_id": "8", "wikipedia_title": "Tern", "text": ["Tern\n", "The Tern is a ferry."]},
        {"name": "Brenning", "identifier": 9, "article_body": {"wikitext": "[[Brenning]] is a town."}},
    ]
    content = "\n".join([*map(json.dumps, lines), "no json", "[1]"])
    out = build(write(tmp_path / "a.json.gz", gzip.compress(content.encode())))
    assert {row["id"]: row["text"] for row in rows(out, PAGES)} == {
        "7": "Holm is an island.",
        "8": "Tern\nThe Tern is a ferry.",
        "9": "Brenning is a town.",
    }
    assert [reason.split(":")[0] for reason in dropped(out)] == ["not a page", "not a page"]


def test_the_passages_are_a_corpus_that_can_be_asked(tmp_path: Path, capsys: Capture) -> None:
    counts = as_json(capsys, "build", "passages", str(EXAMPLE), "--out", str(tmp_path / "wiki"), "--words", "0")[
        "counts"
    ]
    assert open_named("wiki").store.count() == counts["passages"]
    reply = as_json(capsys, "ask", "How deep is the harbour of Ostrand?", "--corpus", "wiki", "--model", "none")
    assert "9 m deep" in reply["answer"]["text"]
    assert reply["evidence"][0]["meta"]["wikipedia_id"] == "1"


def test_a_corpus_of_other_documents_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    note = write(tmp_path / "note.txt", b"A note of mine.")
    succeed(capsys, "corpus", "add", str(note), "--name", "wiki")
    with pytest.raises(UserError, match="made of other documents"):
        build_passages([str(EXAMPLE)], str(tmp_path / "wiki"))
    assert not (tmp_path / "wiki").exists()


def test_what_is_no_dump_is_one_clear_line(tmp_path: Path, capsys: Capture) -> None:
    path = write(tmp_path / "a.xml", b"<html>nothing</html>")
    assert "no <page> in it" in fail(capsys, "build", "passages", str(path), "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_lines_of_which_none_is_a_page_are_one_clear_line(tmp_path: Path, capsys: Capture) -> None:
    path = write(tmp_path / "a.jsonl", b'{"question": "Why?"}\n{"question": "How?"}\n')
    said = fail(capsys, "build", "passages", str(path), "--out", str(tmp_path / "out"))
    assert "no page could be read, 2 left out as: not a page" in said
