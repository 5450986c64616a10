"""Org: structure, source kept word for word, hostile files."""

from __future__ import annotations

import time

import pytest

from corpus.read.read_helpers import Read

PAGE = """\
#+TITLE: The Notes
#+OPTIONS: toc:nil

Use [[https://example.org][the site]] and ~make~
now.

* TODO [#A] First /part/   :tag:
  SCHEDULED: <2020-01-01>
  :PROPERTIES:
  :ID: 1
  :END:
- one
  wrapped
  - nested
- term :: its text
  goes on
1. step

** Second
#+BEGIN_SRC sh
  ls
    -l
#+END_SRC
| Name | Age |
|------+-----|
| Ann  |   5 |
# a comment
#+begin_quote
Quoted
words.
#+end_quote
: fixed  text
"""


def test_every_kind_of_block_is_told_apart(read: Read) -> None:
    [document] = read("a.org", PAGE)
    assert document.title == "The Notes"
    first, second = ("First part",), ("First part", "Second")
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", "Use [[https://example.org][the site]] and ~make~ now.", (), "", 0),
        ("item", "one wrapped", first, "-", 0),
        ("item", "nested", first, "-", 1),
        ("definition", "term\nits text goes on", first, "", 0),
        ("item", "step", first, "1.", 0),
        ("code", "ls\n  -l", second, "sh", 0),
        ("table", "| Name | Age |\n| Ann | 5 |", second, "header", 0),
        ("quotation", "Quoted words.", second, "", 0),
        ("code", "fixed  text", second, "", 0),
    ]


def test_what_is_quoted_can_be_found_in_the_file(read: Read) -> None:
    source = " ".join(PAGE.split())
    for block in read("a.org", PAGE)[0].blocks:
        for line in block.text.split("\n"):
            assert " ".join(line.split()) in source


def test_a_block_that_never_ends_is_kept(read: Read) -> None:
    assert read("a.org", "#+begin_src\nleft open")[0].blocks[0].text == "left open"


@pytest.mark.parametrize("piece", ["* a\n", "- a\n", "|a", "|-", ": a\n", "#+begin_src\n", "- a :: b\n", "a\n", "["])
def test_hostile_text_takes_linear_time(read: Read, piece: str) -> None:
    start = time.process_time()
    read("a.org", "x\n" + piece * 50_000)
    assert time.process_time() - start < 5


def test_the_box_of_a_task_stays_with_its_mark(read: Read) -> None:
    [document] = read("a.org", "- [X] sow\n- [ ] water\n- weed\n")
    assert [(block.mark, block.text) for block in document.blocks] == [
        ("- [X]", "sow"),
        ("- [ ]", "water"),
        ("-", "weed"),
    ]
