"""Web archives as clean pages: menus go, other languages go, doubles go, and everything that goes has its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from build.web_archives import SENTENCES, archive, article, html, other_text, record, response
from commands import Capture, as_json, fail, succeed
from expound.build import ExtractPages, OutPlace, build_web, read_table, web
from expound.build.web_quality import Quality
from expound.cli import execute
from expound.corpus import open_named
from expound.shown.answer_pieces import place_of_passage
from golden import SHARED

PAGE = article(0, 1, 2, 3)
GERMAN = "Der Hafen von Ostrand ist neun Meter tief, und die Fähren fahren zu jeder Stunde. " * 8


def build(tmp_path: Path, *records: bytes, **settings: Any) -> tuple[list[dict[str, Any]], dict[str, int]]:
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(archive(*records))
    out = tmp_path / "pages"
    results = build_web([str(path)], str(out), work=ExtractPages(**settings))
    place = OutPlace(str(out))
    names = place.names("pages", ".parquet")
    pages = [row for name in names for row in read_table(place, "pages", name, web.PAGE_COLUMNS)]
    return pages, {**results["extracted"].dropped, **results["pages"].dropped}


def test_a_page_keeps_its_text_and_loses_its_menu(tmp_path: Path) -> None:
    [page], dropped = build(tmp_path, response(html(PAGE), "http://a.example/x"))
    assert (page["url"], page["title"], page["text"]) == ("http://a.example/x", "Ostrand", PAGE.strip())
    assert not dropped


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (response(html("Too short.")), "too few words"),
        (response(b"GIF89a", media="image/gif"), "not text: image/gif"),
        (record(b"http", "http://a.example/", kind="request"), "a record of the kind request"),
        (response(html(GERMAN)), "language de"),
        (response(html("the of and " + "<br>The harbour of Holm" * 60)), "no sentences"),
        (response(html("Lorem ipsum dolor, the words of that. " + PAGE)), "placeholder text"),
        (response(b""), "empty"),
    ],
)  # fmt: skip
def test_what_is_left_out_has_its_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    pages, dropped = build(tmp_path, content, response(html(PAGE), "http://b.example/"))
    assert dropped == {reason: 1}
    assert len(pages) == 1


def test_of_pages_that_say_the_same_the_first_stays(tmp_path: Path) -> None:
    same = PAGE + other_text(1, 300)
    near = same.replace("whale oil", "train oil", 1)
    contents = (html(same, "First"), html(same, "Again"), html(near, "Nearly"), html(other_text(2), "Other"))
    records = [response(content, f"http://a.example/{number}") for number, content in enumerate(contents)]
    pages, dropped = build(tmp_path, *records)
    assert [page["title"] for page in pages] == ["First", "Other"]
    assert dropped == {"the same text": 1, "nearly the same text": 1}


def test_extracts_of_common_crawl_and_plain_archives_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(record(PAGE.encode(), "http://a.example/", kind="conversion"))
    results = build_web([str(tmp_path / "a.warc")], str(tmp_path / "out"))
    assert results["pages"].counts == {"pages": 1}


def test_an_archive_gives_the_same_however_it_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [response(html(other_text(number)), f"http://a.example/{number}") for number in range(40)]
    whole, _ = build(tmp_path, *records)
    assert len(whole) == 40
    monkeypatch.setattr(web, "SHARD_BYTES", 1_000)
    (tmp_path / "cut").mkdir()
    cut, _ = build(tmp_path / "cut", *records)
    assert [page["url"] for page in cut] == [page["url"] for page in whole]
    assert {page["page"].split("/")[0] for page in cut} > {"00000", "00001"}


def test_another_language_can_be_kept(tmp_path: Path) -> None:
    pages, dropped = build(tmp_path, response(html(GERMAN)), response(html(PAGE), "http://b.example/"), language="de")
    assert ([page["url"] for page in pages], dropped) == (["http://a.example/"], {"language en": 1})


def test_a_text_may_be_too_odd_in_every_way() -> None:
    assert fault("the and of " + "#tag " * 30) == "too many symbols"
    assert fault("the and of " + "12 34 56 78 " * 30) == "words of odd lengths"
    assert fault("the and of " + "1234 (5678) " * 30) == "too few words of letters"
    assert fault("\n".join([SENTENCES[0]] * 9)) == "lines that repeat"
    assert (
        fault("\n".join(f"- the harbours of that year and of no{n} other." for n in range(9))) == "nothing but a list"
    )
    assert not fault(PAGE)


def fault(text: str) -> str:
    return Quality(fewest_words=5).fault(text, text.split())


def test_letters_behind_other_signs_and_words_in_capitals_count_as_well() -> None:
    text = "(harbours) “and” 'islands' of THE sea AND that is all there is to say of them, 12 times."
    assert not fault(text)
    assert not fault(text.upper())


def test_the_command_prints_reasons_and_refuses_what_is_no_archive(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.warc.gz").write_bytes(archive(response(html(PAGE))))
    out = as_json(capsys, "build", "web", str(tmp_path / "a.warc.gz"), "--out", str(tmp_path / "out"))
    assert out["pages"]["counts"] == {"pages": 1}
    (tmp_path / "b.warc.gz").write_bytes(b"no archive")
    assert "not a web archive" in fail(
        capsys, "build", "web", str(tmp_path / "b.warc.gz"), "--out", str(tmp_path / "no")
    )


def test_a_corpus_cuts_pages_as_it_cuts_documents_and_an_empty_shard_is_no_bad_file(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "SHARD_BYTES", 1_000)
    long = f"{PAGE}</p><p>" * 5 + "".join(f"</p><p>{other_text(number)}" for number in range(9))
    crawl = [response(html("Too short."), f"http://a.example/{number}") for number in range(12)]
    (tmp_path / "a.warc.gz").write_bytes(archive(response(html(long), "http://a.example/long"), *crawl))
    folder = str(tmp_path / "out")
    succeed(capsys, "build", "web", str(tmp_path / "a.warc.gz"), "--out", folder)
    assert len(list((tmp_path / "out" / "pages").glob("*.parquet"))) > 1
    as_json(capsys, "corpus", "add", f"{folder}/pages", "--name", "crawl")
    assert not open_named("crawl").store.rejects()
    passages = [passage for _, passage in open_named("crawl").store.iter_passages()]
    assert len(passages) > 3
    assert {place_of_passage(passage) for passage in passages} == {"Ostrand (http://a.example/long)"}


def test_the_command_says_where_the_pages_are_and_what_to_type_next(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.warc.gz").write_bytes(archive(response(html(PAGE))))
    (tmp_path / "b.warc.gz").write_bytes(archive(response(html("Too short."))))
    said = {name: run(capsys, name, tmp_path) for name in "ab"}
    assert f"to ask them: expound corpus add {tmp_path}/a/pages --name a" in said["a"]
    assert f"no page was kept; {tmp_path}/b/dropped has the reasons" in said["b"]


def run(capsys: Capture, name: str, folder: Path) -> str:
    """What the command says on the side of an archive of that name."""
    assert execute(["build", "web", str(folder / f"{name}.warc.gz"), "--out", str(folder / name)]) == 0
    return capsys.readouterr().err


@pytest.mark.slow
def test_real_crawls_go_through_and_every_record_is_accounted_for(tmp_path: Path) -> None:
    if not (SHARED / "data" / "web_archive").exists():
        pytest.skip("needs ../shared/data/web_archive")
    results = build_web([str(SHARED / "data" / "web_archive")], str(tmp_path))
    extracted, pages = results["extracted"], results["pages"]
    assert extracted.counts["records"] == extracted.counts["extracted"] + sum(extracted.dropped.values()) == 878
    assert pages.counts["pages"] + sum(pages.dropped.values()) == extracted.counts["extracted"]
    assert "damaged" not in extracted.dropped
    assert pages.counts["pages"] > 30
