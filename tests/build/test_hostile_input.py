"""What strangers may put into a dump or an archive: it is recorded and bounded, and what is sound beside it is kept."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from pathlib import Path

import pytest

from build.test_pages_of_a_crawl import PAGE
from build.test_pages_of_a_crawl import build as build_pages
from build.test_passages_of_a_dump import build, dropped, dump, rows, write
from build.web_archives import archive, html, other_text, response
from expound.build import build_web, wiki_pages
from expound.build.unpack import iter_lines
from expound.build.warc_records import LONGEST_RECORD
from expound.build.wikitext import takes_too_long

BOMB = '<!DOCTYPE mediawiki [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>\n'
SOUND = response(html(PAGE), "http://sound.example/")


def seconds() -> float:
    return time.process_time()


def test_entities_that_a_dump_declares_are_never_unfolded(tmp_path: Path) -> None:
    content = dump("&amp; sound &lt;b&gt;text&lt;/b&gt;.", "&c;", "Also sound.")
    out = build(write(tmp_path / "a.xml", BOMB.encode() + content))
    assert [row["text"] for row in rows(out, "pages")] == ["& sound text.", "Also sound."]
    assert [reason.split(":")[0] for reason in dropped(out)] == ["not well-formed"]


@pytest.mark.parametrize(
    "markup", ["{{a|", "[[b|", "{|\n", "&lt;div a='", "&lt;ref&gt;", "[http://a ", "{{a|[[b|''c'' "]
)
def test_markup_that_is_never_closed_keeps_nobody_busy(markup: str, tmp_path: Path) -> None:
    before = seconds()
    out = build(write(tmp_path / "a.xml", dump(markup * 20_000, "Sound.")))
    assert [row["text"] for row in rows(out, "pages")] == ["Sound."]
    assert dropped(out) == ["markup that is never closed"]
    assert seconds() - before < 10


def test_templates_within_templates_are_read_as_deep_as_anybody_writes_them(tmp_path: Path) -> None:
    out = build(write(tmp_path / "a.xml", dump("{{a|" * 2_000 + "x" + "}}" * 2_000 + " Sound.")))
    assert "Sound." in rows(out, "pages")[0]["text"]


def test_long_real_markup_is_no_reason_to_leave_a_page_out() -> None:
    assert not takes_too_long("{{cite|a=[[b]] <ref>c</ref>}} and words. " * 20_000)


def test_a_page_without_an_end_is_left_out_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiki_pages, "LONGEST_PAGE", 1 << 20)
    out = build(write(tmp_path / "a.xml", dump("One.", "x" * (5 << 20), "Two.")))
    assert [row["text"] for row in rows(out, "pages")] == ["One.", "Two."]
    assert dropped(out) == ["too long: a page of more than 1,048,576 bytes"]


def test_a_line_without_an_end_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    told: list[int] = []
    path = write(tmp_path / "a.jsonl.gz", gzip.compress(b"a\n" + b"x" * 5_000_000 + b"\nb"))
    lines = list(iter_lines(str(path), lambda number, _reason: told.append(number), longest=1000))
    assert (lines, told) == ([(1, b"a"), (3, b"b")], [2])


def test_behind_a_broken_gzip_member_the_next_record_is_read(tmp_path: Path) -> None:
    broken = bytearray(gzip.compress(response(html(other_text(1)), "http://broken.example/")))
    broken[40:60] = bytes(20)
    path = write(tmp_path / "a.warc.gz", gzip.compress(SOUND) + broken + archive(response(html(other_text(2)))))
    results = build_web([str(path)], str(tmp_path / "out"))
    assert results["pages"].counts == {"pages": 2}
    assert results["extracted"].dropped["damaged"] >= 1


@pytest.mark.parametrize("length", [0, 7, 10_000, 10**12, 10**30, -5])
def test_a_record_that_lies_about_its_length_spoils_no_other(length: int, tmp_path: Path) -> None:
    lying = response(html(other_text(1)), "http://liar.example/", length=length)
    pages, _ = build_pages(tmp_path, SOUND, lying, response(html(other_text(2)), "http://last.example/"))
    assert {"http://sound.example/", "http://last.example/"} <= {page["url"] for page in pages}


def test_html_that_is_nested_without_end_is_left_out(tmp_path: Path) -> None:
    before = seconds()
    deep = response(b"<div>" * 100_000 + PAGE.encode() + b"</div>" * 100_000, "http://deep.example/")
    pages, reasons = build_pages(tmp_path, deep, SOUND)
    assert (len(pages), reasons) == (1, {"nested too deeply": 1})
    assert seconds() - before < 10


def test_a_record_that_unpacks_to_more_than_a_page_is_left_out(tmp_path: Path) -> None:
    pages, reasons = build_pages(tmp_path, response(b"a " * LONGEST_RECORD, "http://bomb.example/"), SOUND)
    assert (len(pages), reasons) == (1, {"longer than a page may be": 1})


@pytest.mark.slow
def test_a_gigabyte_without_a_line_break_takes_little_memory(tmp_path: Path) -> None:
    block = b"x" * (1 << 20)
    with gzip.open(tmp_path / "a.json.gz", "wb", compresslevel=1) as file:
        file.write(b'{"id": 1, "title": "a", "text": "Sound."}\n')
        for _ in range(1024):
            file.write(block)
    code = (
        "from pathlib import Path; from expound.build import build_passages\n"
        f"r = build_passages([{str(tmp_path / 'a.json.gz')!r}], {str(tmp_path / 'out')!r}, corpus='')\n"
        # The kernel's own count: a child's `ru_maxrss` begins with the size of whoever started it.
        "own = next(line for line in Path('/proc/self/status').read_text().splitlines() if line.startswith('VmHWM'))\n"
        "print(r.counts['pages'], r.dropped, own.split()[1])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    pages, reason, kilobytes = done.stdout.split(" ", 1)[0], "damaged", int(done.stdout.split()[-1])
    assert (pages, reason in done.stdout) == ("1", True)
    assert kilobytes < 400_000
