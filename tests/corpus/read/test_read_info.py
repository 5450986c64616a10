"""Info files: nodes are sections, terms have their meaning, and what only leads elsewhere is left out."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from expound.corpus.read.document import Block, Document
from expound.corpus.read.formats import read_file
from expound.errors import BadInput

MANUAL = """This is pump.info, produced by makeinfo version 6.8 from pump.texi.

Copying is permitted.

\x1f
File: pump.info,  Node: Top,  Next: Running,  Up: (dir)

The Pump Manual
***************

The pump moves water.

* Menu:

* Running::          How to run it.
* Signals::

Further parts

* Index::

\x1f
File: pump.info,  Node: Running,  Next: Signals,  Up: Top

1 Running the pump
==================

Start it _once_ a day, as *note Signals:: tells, or see *note the
list: Signals.  Then type:

     pump --start
     pump --report \\

     pump --stop

   Lines of the second paragraph are not set in, but for the first one of
them.

'-q'
'--quiet'
     Say nothing.  Errors are told
     all the same.

     They go to the log:

          pump: dry

'Mode = <fast|slow>'
     How fast it runs.

     'fast'
          As fast as it can.

     'slow'
          Half of that.

   * First fill the tank.  It must be full
     to the brim.

   * Then wait.

     Some wait long.

\x1f
File: pump.info,  Node: Index,  Prev: Signals,  Up: Top

Index
*****

* Menu:

* start:                                 Running.              (line 8)
* stop:                                  Running.              (line 9)

\x1f
Tag Table:
Node: Top\x7f100
End Tag Table
"""


def read(folder: Path, text: str, name: str = "pump.info") -> Document:
    """The one document of an Info file."""
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    (document,) = read_file(path)
    assert isinstance(document, Document)
    return document


def blocks(document: Document, kind: str) -> list[Block]:
    return [block for block in document.blocks if block.kind == kind]


def test_the_manual_is_called_like_its_first_heading(tmp_path: Path) -> None:
    document = read(tmp_path, MANUAL)
    assert document.title == "The Pump Manual"
    assert {block.path for block in document.blocks} == {(), ("1 Running the pump",)}


def test_parts_of_a_long_manual_and_packed_ones_are_read(tmp_path: Path) -> None:
    for name in ("pump.info-2", "pump.info.gz", "pump.info-13.gz"):
        assert read(tmp_path, MANUAL, name).blocks


def test_menus_and_indexes_and_the_notice_in_front_are_no_text(tmp_path: Path) -> None:
    text = "\n".join(block.text for block in read(tmp_path, MANUAL).blocks)
    for gone in ("Menu", "How to run it", "Further parts", "line 8", "Copying", "Tag Table", "Node"):
        assert gone not in text


def test_references_are_read_as_they_are_shown(tmp_path: Path) -> None:
    texts = [block.text for block in read(tmp_path, MANUAL).blocks]
    assert "Start it _once_ a day, as Signals tells, or see the list.  Then type:" in texts


def test_an_example_keeps_its_lines_and_is_one(tmp_path: Path) -> None:
    assert [block.text for block in blocks(read(tmp_path, MANUAL), "code")] == [
        "pump --start\npump --report \\\n\npump --stop",
        "pump: dry",
    ]


def test_terms_have_their_meaning_and_what_goes_on_below_it(tmp_path: Path) -> None:
    document = read(tmp_path, MANUAL)
    assert [(block.text, block.level) for block in blocks(document, "definition")] == [
        ("'-q', '--quiet'\nSay nothing.  Errors are told all the same.", 0),
        ("'Mode = <fast|slow>'\nHow fast it runs.", 0),
        ("'fast'\nAs fast as it can.", 1),
        ("'slow'\nHalf of that.", 1),
    ]
    assert next(block for block in document.blocks if block.text == "They go to the log:").level == 1


def test_items_are_items_with_what_is_set_in_below_them(tmp_path: Path) -> None:
    document = read(tmp_path, MANUAL)
    assert [(block.text, block.mark) for block in blocks(document, "item")] == [
        ("First fill the tank.  It must be full to the brim.", "*"),
        ("Then wait.", "*"),
    ]
    assert document.blocks[-1] == Block("Some wait long.", path=("1 Running the pump",), level=1)


def test_prose_right_above_an_example_is_no_term(tmp_path: Path) -> None:
    node = (
        "\x1f\nFile: a.info,  Node: A\n\nA\n*\n\n"
        + "This line of prose is nearly as long as a line can be in there\n" * 2
    )
    assert blocks(read(tmp_path, node + "     and an example\n", "a.info"), "definition") == []


def test_a_picture_is_left_out_although_it_is_marked_by_nul(tmp_path: Path) -> None:
    node = "\x1f\nFile: a.info,  Node: A\n\nA\n*\n\nSee \0\b[image src=pump.png\0\b] here.\n"
    assert [block.text for block in read(tmp_path, node, "a.info").blocks] == ["See  here."]


def test_a_file_that_only_lists_its_parts_says_so(tmp_path: Path) -> None:
    path = tmp_path / "pump.info"
    path.write_text("This is pump.info.\n\n\x1f\nIndirect:\npump.info-1: 200\n\x1f\nTag Table:\n")
    with pytest.raises(BadInput, match="only lists its parts"):
        list(read_file(path))


def test_a_reference_that_is_a_sentence_begins_as_one(tmp_path: Path) -> None:
    document = read(tmp_path, "\x1f\nFile: pump.info,  Node: Top\n\nIt may leak.  *Note Signals::.\n")
    assert document.blocks[0].text == "It may leak.  See Signals."
