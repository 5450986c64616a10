"""AsciiDoc: structure, source kept word for word, hostile files."""

from __future__ import annotations

import time

import pytest

from corpus.read.read_helpers import Read

PAGE = """\
= The Title
:toc:

See link:a.html[the page] and `make`
now.

// a comment
== Section *One*

.How to list
[source,sh]
----
ls
  -l
----

* one
wrapped
** nested
. step
. next

CPU:: The brain
of it.
Disk::
  Storage.

include::other.adoc[]

Old Style
~~~~~~~~~

|===
|Name |Age

|Ann |5
|===

[cols="1,1"]
|===
|a
|b
|===

____
Quoted.
____

 literal

////
hidden
////
NOTE: Mind this.
"""


@pytest.mark.parametrize("name", ["a.adoc", "a.asciidoc"])
def test_every_kind_of_block_is_told_apart(read: Read, name: str) -> None:
    [document] = read(name, PAGE)
    assert document.title == "The Title"
    one, old = ("Section One",), ("Section One", "Old Style")
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", "See link:a.html[the page] and `make` now.", (), "", 0),
        ("caption", "How to list", one, "", 0),
        ("code", "ls\n  -l", one, "sh", 0),
        ("item", "one wrapped", one, "*", 0),
        ("item", "nested", one, "**", 1),
        ("item", "step", one, "1.", 2),
        ("item", "next", one, "2.", 2),
        ("definition", "CPU\nThe brain of it.", one, "", 0),
        ("definition", "Disk\nStorage.", one, "", 0),
        ("table", "Name | Age\nAnn | 5", old, "header", 0),
        ("table", "a | b", old, "", 0),
        ("quotation", "Quoted.", old, "", 0),
        ("code", " literal", old, "", 0),
        ("paragraph", "NOTE: Mind this.", old, "", 0),
    ]


def test_what_is_quoted_can_be_found_in_the_file(read: Read) -> None:
    source = " ".join(PAGE.split())
    for block in read("a.adoc", PAGE)[0].blocks:
        for cell in block.text.replace(" | ", "\n").split("\n"):
            assert " ".join(cell.split()) in source


def test_a_listing_that_never_ends_is_kept(read: Read) -> None:
    assert read("a.adoc", "----\nleft open")[0].blocks[0].text == "left open"


@pytest.mark.parametrize(
    "piece", ["= a\n", "* a\n", "|===\n|a\n", "a:: b\n", "a\n", "[a]\n", ". a\n", "|", "include::"]
)
def test_hostile_text_takes_linear_time(read: Read, piece: str) -> None:
    start = time.process_time()
    read("a.adoc", "x\n" + piece * 50_000)
    assert time.process_time() - start < 5
