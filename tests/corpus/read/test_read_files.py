"""Finding the files to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.read.read_helpers import make_files, read_document
from expound.corpus.read import can_read, iter_visible_files, read_file
from expound.corpus.read.document import Document
from expound.corpus.read.formats import READERS
from expound.corpus.read.unread import find
from expound.errors import BadInput, NothingToRead
from expound.text.inline import render_inline


def names(root: Path, *paths: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in find(paths or (root,)).files]


def test_folders_are_read_in_depth_and_sorted(tmp_path: Path) -> None:
    make_files(tmp_path, "b.txt", "a/z.md", "a/c/d.txt", "c.html")
    assert names(tmp_path) == ["a/c/d.txt", "a/z.md", "b.txt", "c.html"]


def test_hidden_and_unknown_files_are_passed_over(tmp_path: Path) -> None:
    make_files(tmp_path, ".secret.txt", ".git/a.txt", ".README", "photo.jpg", "a.txt")
    assert names(tmp_path) == ["a.txt"]


def test_text_without_a_suffix_is_read_as_text(tmp_path: Path) -> None:
    make_files(tmp_path, "README", "LICENSE")
    (tmp_path / "program").write_bytes(b"\x7fELF\x00\x00")
    (tmp_path / "nothing").touch()
    assert names(tmp_path) == ["LICENSE", "README"]
    document = read_document(tmp_path / "README")
    assert (document.title, [block.text for block in document.blocks]) == ("README", ["text"])


def test_a_readme_is_text_whatever_stands_behind_its_point(tmp_path: Path) -> None:
    make_files(tmp_path, "README.Debian", "NEWS.2019", "engine.vue")
    (tmp_path / "TODO.dat").write_bytes(b"\x7fELF\x00\x00")
    assert names(tmp_path) == ["NEWS.2019", "README.Debian"]


def test_markdown_without_a_suffix_is_read_and_shown_as_such(tmp_path: Path) -> None:
    marked = "Redshift\n========\n\n**Where is the file?**\n\nIn `~/.config`, see [the site](https://example.org).\n"
    (tmp_path / "README").write_text(marked)
    document = read_document(tmp_path / "README")
    assert document.title == "Redshift"
    assert render_inline(document.blocks[-1].text, "README") == "In `~/.config`, see the site."
    (tmp_path / "README").write_text("# This is a comment\nset x=1\n\nThe value of a[0](x) is taken.\n")
    assert "# This is a comment" in read_document(tmp_path / "README").blocks[0].text


def test_what_is_passed_over_can_be_counted(tmp_path: Path) -> None:
    make_files(tmp_path, "photo.jpg", "a.txt")
    assert [path.name for path in iter_visible_files([tmp_path]) if not can_read(path)] == ["photo.jpg"]


def test_suffixes_are_known_in_any_case_and_with_gz() -> None:
    assert all(can_read(Path(name)) for name in ("A.PDF", "x.jsonl.gz", "y.txt.GZ", "z.Htm"))
    assert not any(can_read(Path(name)) for name in ("x.gz", "x.zip", "README", "x.tar.gz", ".txt"))


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    make_files(tmp_path, "a.txt", "b.txt")
    assert names(tmp_path, tmp_path, tmp_path / "a.txt") == ["a.txt", "b.txt"]


def test_a_missing_path_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(NothingToRead, match=r"nowhere: no such file"):
        find([tmp_path, tmp_path / "nowhere"])


def test_an_empty_folder_holds_no_files(tmp_path: Path) -> None:
    assert names(tmp_path) == []


def test_links_that_loop_do_no_harm(tmp_path: Path) -> None:
    make_files(tmp_path, "a/b.txt")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "self.txt").symlink_to(tmp_path / "self.txt")
    assert names(tmp_path) == ["a/b.txt"]


def test_links_that_leave_the_folder_are_not_followed(tmp_path: Path) -> None:
    make_files(tmp_path, "outside/secret.txt", "inside/a.txt")
    (tmp_path / "inside" / "link.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (tmp_path / "inside" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "inside" / "broken.txt").symlink_to(tmp_path / "gone.txt")
    assert names(tmp_path, tmp_path / "inside") == ["inside/a.txt"]


def test_a_link_given_by_the_user_is_followed(tmp_path: Path) -> None:
    make_files(tmp_path, "real/a.txt")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert names(tmp_path, tmp_path / "link") == ["link/a.txt"]


def test_an_unknown_format_is_refused_with_the_list_of_known_ones(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"unknown format; readable are .*\.pdf"):
        list(read_file(tmp_path / "a.xyz"))


def test_a_file_that_has_gone_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone\.txt: No such file"):
        list(read_file(tmp_path / "gone.txt"))


def test_a_hostile_file_name_cannot_reach_the_terminal(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        list(read_file(tmp_path / "a\x1b[31m\n.txt"))
    assert str(caught.value).isprintable()


def test_a_library_that_does_not_load_is_not_laid_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: Path) -> Iterator[Document]:
        raise ImportError("libGL.so.1: cannot open shared object file")
        yield

    monkeypatch.setitem(READERS, ".txt", read)
    (tmp_path / "a.txt").write_text("It rains.")
    with pytest.raises(BadInput, match=r"a\.txt: a library .* does not load \(libGL") as caught:
        list(read_file(tmp_path / "a.txt"))
    assert "broken" not in str(caught.value)
