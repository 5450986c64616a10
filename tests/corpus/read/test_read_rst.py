"""reStructuredText: structure, source kept word for word, Sphinx's directives, hostile files."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.read.read_helpers import Read, shown
from expound.errors import BadInput

PAGE = """\
.. _top:

==========
The Title
==========

Use :ref:`the guide <guide>` and
``make_all()`` as `shown <https://example.org>`_. Then::

   $ make all
     --fast

Section One
===========

* a point
  that is wrapped

  1. first
  2. second

Part *Two*
----------

The end.
"""


def test_headings_items_and_code_keep_their_structure(read: Read) -> None:
    [document] = read("a.rst", PAGE)
    assert document.title == "The Title"
    assert [(b.kind, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", (), "", 0),
        ("code", (), "", 0),
        ("item", ("Section One",), "*", 0),
        ("item", ("Section One",), "1.", 1),
        ("item", ("Section One",), "2.", 1),
        ("paragraph", ("Section One", "Part Two"), "", 0),
    ]


def test_what_is_quoted_can_be_found_in_the_file(read: Read) -> None:
    [document] = read("a.rst", PAGE)
    source = " ".join(PAGE.split())
    assert all(" ".join(block.text.split()) in source for block in document.blocks)
    assert document.blocks[0].text.startswith("Use :ref:`the guide <guide>` and ``make_all()`` as `shown <https:")
    assert document.blocks[1].text == "$ make all\n  --fast"


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        (".. note:: Mind\n   the gap.\n", [("paragraph", "Mind the gap.")]),
        (".. versionadded:: 3.2\n   The ``x``.\n", [("paragraph", "3.2 The ``x``.")]),
        (".. code-block:: sh\n   :linenos:\n\n   ls\n", [("code", "ls")]),
        (".. option:: -f FILE\n\n   Read FILE.\n\n   Twice.\n", [("definition", "-f FILE\nRead FILE.\nTwice.")]),
        (".. setting:: DEPTH\n\n   How deep.\n", [("definition", "DEPTH\nHow deep.")]),
        (
            ".. confval:: limit\n   :type: ``int``\n   :default: ``5`` (days)\n   :noindex:\n\n   Days.\n\n   * item\n",
            [("definition", "limit\nDays.\n:type: ``int``\n:default: ``5`` (days)"), ("item", "item")],
        ),
        ("term\n   its text\n", [("definition", "term\nits text")]),
        (":Author: Ann\n:Date: today\n", [("definition", "Author\nAnn"), ("definition", "Date\ntoday")]),
        ("-v, --verbose  Say more\n", [("definition", "-v, --verbose\nSay more")]),
        (".. unheard-of::\n\n   Still text.\n", [("paragraph", "Still text.")]),
        ("Before.\n\n   Quoted.\n", [("paragraph", "Before."), ("quotation", "Quoted.")]),
        (
            "Text.\n\n.. toctree::\n\n   a\n\n.. image:: a.png\n\n.. index:: a\n\n.. tags:: x\n",
            [("paragraph", "Text.")],
        ),
        ("| one\n| two\n", [("paragraph", "one\ntwo")]),
        (">>> 1 + 1\n2\n", [("code", ">>> 1 + 1\n2")]),
        (".. figure:: a.png\n\n   What is seen.\n", [("caption", "What is seen.")]),
    ],
)
def test_directives_and_lists_become_the_blocks_they_are(
    read: Read, source: str, blocks: list[tuple[str, str]]
) -> None:
    assert shown(read("a.rst", source)[0]) == blocks


def test_a_note_and_a_language_are_marks(read: Read) -> None:
    [document] = read("a.rst", ".. warning:: Hot.\n\n.. code-block:: sh\n\n   ls\n")
    assert [block.mark for block in document.blocks] == ["warning", "sh"]


def test_a_method_stands_under_its_class(read: Read) -> None:
    [document] = read(
        "a.rst", ".. class:: A(x)\n\n.. py:class:: Foo(x)\n\n   One.\n\n   .. method:: bar()\n\n      Two.\n"
    )
    assert [(b.path, b.text) for b in document.blocks] == [((), "Foo(x)\nOne."), (("Foo(x)",), "bar()\nTwo.")]


def test_a_list_of_changes_is_not_called_after_its_latest_release(read: Read) -> None:
    [document] = read("CHANGES.rst", "4.3.0 (2025)\n============\n\nNew.\n\n4.2.0 (2024)\n============\n\nOld.\n")
    assert (document.title, [block.path[0][:5] for block in document.blocks]) == ("CHANGES", ["4.3.0", "4.2.0"])


def test_what_belongs_to_an_item_is_one_level_below_it(read: Read) -> None:
    source = "- one\n\n  More.\n\n  - inner\n\n    ::\n\n       x\n\n- two\n"
    assert [(b.kind, b.level) for b in read("a.rst", source)[0].blocks] == [
        ("item", 0),
        ("paragraph", 1),
        ("item", 1),
        ("code", 2),
        ("item", 0),
    ]


def test_what_belongs_to_a_definition_is_one_level_below_it(read: Read) -> None:
    source = ".. option:: -f\n\n   Reads.\n\n   ::\n\n      code\n\n   * item\n\nAfter.\n"
    assert [(b.kind, b.level) for b in read("a.rst", source)[0].blocks] == [
        ("definition", 0), ("code", 1), ("item", 1), ("paragraph", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "table",
    [
        "+------+-----+\n| Name | Age |\n+======+=====+\n| Ann  | 5   |\n+------+-----+\n",
        "==== ===\nName Age\n==== ===\nAnn  5\n==== ===\n",
        ".. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Age\n   * - Ann\n     - 5\n",
        '.. csv-table::\n   :header: "Name", "Age"\n\n   Ann, 5\n',
    ],
)
def test_every_kind_of_table_is_a_line_a_row(read: Read, table: str) -> None:
    [block] = read("a.rst", table)[0].blocks
    assert (block.kind, block.mark, block.text) == ("table", "header", "Name | Age\nAnn | 5")


def test_what_docutils_cannot_parse_is_kept_as_it_stands(read: Read) -> None:
    [document] = read("a.rst", ".. function:: f(a)\n   :param a: no blank line before\n\n   The body.\n")
    assert "The body." in document.blocks[0].text


def test_no_file_is_read_and_nothing_is_carried_out(
    read: Read, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    place = tmp_path / "secret.txt"
    source = (
        f"Text.\n\n.. include:: {place}\n\n.. literalinclude:: {place}\n\n.. raw:: html\n   :file: {place}\n\n"
        f".. csv-table::\n   :file: {place}\n\n.. role:: mine\n\n.. default-role:: math\n\n*unclosed `and :no:`role`\n"
    )
    [document] = read("a.rst", source)
    assert not any("secret\n" in block.text or block.text == "secret" for block in document.blocks)
    assert capfd.readouterr() == ("", "")


def test_docutils_is_left_as_it_was_found(read: Read) -> None:
    from docutils.parsers.rst import directives, roles

    before = directives.directive, dict(directives._directives), dict(roles._roles)
    read("a.rst", ".. role:: mine\n\n.. default-role:: mine\n\n.. option:: -x\n\n   Text.\n\n.. figure:: a\n\n   b\n")
    assert (directives.directive, directives._directives, roles._roles) == before


@pytest.mark.parametrize("source", ["* " * 20_000 + "x", "\n".join(" " * n + "x\n" for n in range(2000))])
def test_a_file_nested_too_deeply_is_refused(read: Read, source: str) -> None:
    with pytest.raises(BadInput, match=r"a\.rst: nested too deeply"):
        read("a.rst", source)


def test_a_file_too_large_to_parse_is_refused(read: Read) -> None:
    with pytest.raises(BadInput, match="split it"):
        read("a.rst", "word " * 1_000_000)


def test_a_note_amid_the_meaning_of_a_name_does_not_end_it(read: Read) -> None:
    note = "   .. note::\n\n      It may wait.\n\n   - at night\n\n"
    [document] = read("options.rst", f"``retries``\n\n   How often it begins.\n\n{note}   *Default*: 3\n\nAll.\n")
    assert [(block.kind, block.text, block.level) for block in document.blocks] == [
        ("definition", "``retries``\nHow often it begins.", 0),
        ("paragraph", "It may wait.", 1),
        ("item", "at night", 1),
        ("paragraph", "*Default*: 3", 1),
        ("paragraph", "All.", 0),
    ]


def test_a_name_and_what_is_set_in_below_it_are_a_term_and_its_meaning(read: Read) -> None:
    options = "``stop``\n\n   Ends it at once.\n\n   *Default*: no\n\n``start``\n\n   Begins it.\n\n"
    [document] = read("options.rst", options + "That is all.\n\n   So they say.\n")
    assert [(block.kind, block.text, block.level) for block in document.blocks] == [
        ("definition", "``stop``\nEnds it at once.", 0),
        ("paragraph", "*Default*: no", 1),
        ("definition", "``start``\nBegins it.", 0),
        ("paragraph", "That is all.", 0),
        ("quotation", "So they say.", 0),
    ]


def test_the_last_name_of_a_page_stands_for_itself(read: Read) -> None:
    assert shown(read("end.rst", "It ends.\n\nThe end\n")[0]) == [("paragraph", "It ends."), ("paragraph", "The end")]


def test_a_text_file_that_orders_a_table_of_contents_is_restructured_text(read: Read) -> None:
    text = "Access\n======\n\n.. contents:: Table of Contents\n\nurl.deny\n  Denies them.\n"
    assert shown(read("access.txt", text)[0]) == [("definition", "url.deny\nDenies them.")]
