"""Nothing is skipped in silence: what is not read is counted, with how to read it; twins are left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus.read.read_helpers import make_files, read_document
from expound.corpus.read.formats import READERS
from expound.corpus.read.twins import is_twin
from expound.corpus.read.unread import LINK, NO_SUFFIX, PIPE, SETTINGS, find, how_to_read


def test_every_file_that_is_not_read_is_counted_by_its_suffix(tmp_path: Path) -> None:
    make_files(tmp_path, "a.txt", "b.PNG", "c/d.png", "e.xlsx", "f.tar.gz", ".hidden.png", ".git/g.png")
    (tmp_path / "blob").write_bytes(b"\x00\x01")
    (tmp_path / "empty").touch()
    found = find([tmp_path])
    assert [path.name for path in found.files] == ["a.txt"]
    assert found.unread == {".png": 2, ".xlsx": 1, ".tar": 1, NO_SUFFIX: 1}


def test_a_link_that_leads_out_of_the_folder_is_counted_and_one_within_it_is_not(tmp_path: Path) -> None:
    make_files(tmp_path, "manual/html/a.txt", "elsewhere/b.txt")
    (tmp_path / "manual" / "within").symlink_to("html")
    (tmp_path / "manual" / "out").symlink_to("../elsewhere")
    (tmp_path / "manual" / "nowhere.txt").symlink_to("gone.txt")
    found = find([tmp_path / "manual"])
    assert [path.name for path in found.files] == ["a.txt"]
    assert found.unread == {LINK: 2}
    assert "add what it leads to" in how_to_read(LINK)


def test_a_pipe_in_a_folder_is_counted(tmp_path: Path) -> None:
    make_files(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    found = find([tmp_path])
    assert [path.name for path in found.files] == ["a.txt"]
    assert found.unread == {PIPE: 1}
    assert "save what comes out of it" in how_to_read(PIPE)


def test_settings_in_json_are_counted_and_records_are_read(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "harbour", "version": "1.0"}')
    (tmp_path / "one.json").write_text('{"text": "The harbour is 31 metres deep."}')
    (tmp_path / "broken.json").write_text("{")
    found = find([tmp_path])
    assert [path.name for path in found.files] == ["broken.json", "one.json"]
    assert found.unread == {SETTINGS: 1}


def test_settings_that_the_user_names_are_told_what_they_lack(tmp_path: Path) -> None:
    settings = tmp_path / "package.json"
    settings.write_text('{"name": "harbour"}')
    assert find([settings]).files == [settings]


@pytest.mark.parametrize(
    ("suffix", "how"),
    [
        (".doc", "save it as .docx"),
        (".xlsx", "save it as .csv"),
        (".png", "images are not read"),
        (".zip", "unpack it first"),
        (".unheard", "if it is text, save it as .txt"),
        (NO_SUFFIX, "not text; give it its real suffix"),
    ],
)
def test_each_suffix_is_said_how_to_read(suffix: str, how: str) -> None:
    assert how_to_read(suffix) == how


def test_no_advice_is_given_on_what_is_read() -> None:
    assert {how_to_read(suffix) for suffix in READERS} == {"if it is text, save it as .txt"}


PAGES = ("x.html", "guide/start.html", "dir/index.html")
TWINS = ("_sources/x.rst.txt", "_sources/guide/start.md.txt", "_sources/dir.txt", "_sources/x.rst.txt.gz")
ALONE = ("_sources/gone.rst.txt", "x.rst.txt", "guide/x.txt")


def test_the_sources_beside_their_pages_are_twins(tmp_path: Path) -> None:
    make_files(tmp_path, *PAGES, *TWINS, *ALONE)
    assert {name for name in (*PAGES, *TWINS, *ALONE) if is_twin(tmp_path / name)} == set(TWINS)
    found = find([tmp_path])
    assert (found.twins, len(found.files)) == (len(TWINS), len(PAGES) + len(ALONE))


def test_a_twin_that_is_named_is_read(tmp_path: Path) -> None:
    make_files(tmp_path, "x.html", "_sources/x.rst.txt")
    twin = tmp_path / "_sources/x.rst.txt"
    assert find([twin]).files == [twin]


def test_a_source_under_another_name_is_read_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.rst.txt").write_text("Top\n===\n\n.. note:: Mind.\n")
    document = read_document(tmp_path / "x.rst.txt")
    assert (document.title, [block.text for block in document.blocks]) == ("Top", ["Mind."])
