"""Prose with markup as its readers see it, in time that grows with its length alone."""

from __future__ import annotations

import time

import pytest

from expound.text.inline import render_inline
from expound.text.markup import RENDERERS, render_adoc, render_org, render_rst, render_tex


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("See :ref:`the guide <x>`, :doc:`intro` and :term:`term`.", "See the guide, intro and term."),
        ("See :ref:`process_states` and :doc:`../use/first-steps`.", "See process states and first steps."),
        ("Call :py:func:`~os.path.join` or :meth:`!run`.", "Call `join` or `run`."),
        ("``a*b`` is *not* **that**", "`a*b` is not that"),
        ("`Site <https://example.org>`_ and `Ref`_ and ref_, [1]_ [#n]_", "Site and Ref and ref,"),
        ("as follows::", "as follows:"),
        (r"a\ b and \*args", "ab and *args"),
        ("snake_case and a * b stay", "snake_case and a * b stay"),
    ],
)
def test_restructuredtext(source: str, seen: str) -> None:
    assert render_rst(source) == seen


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("[[file:a.org][here]] and [[https://example.org]]", "here and https://example.org"),
        ("~code~, =verb=, *bold*, /it/, _un_ [fn:1]", "`code`, `verb`, bold, it, un"),
        ("a/b/c and x=1 stay", "a/b/c and x=1 stay"),
    ],
)
def test_org(source: str, seen: str) -> None:
    assert render_org(source) == seen


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("link:a.html[here], https://example.org[there], <<x,that>>, <<y>>", "here, there, that, y"),
        ("`code`, `+lit+`, *bold*, _it_, **b**old footnote:[no]", "`code`, `lit`, bold, it, bold"),
        ("snake_case_name, 2 * 3 * 4", "snake_case_name, 2 * 3 * 4"),
    ],
)
def test_asciidoc(source: str, seen: str) -> None:
    assert render_adoc(source) == seen


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (r"\emph{a \textbf{b}} \texttt{x\_y} \verb|\z|", r"a b `x_y` `\z`"),
        (r"\href{https://example.org}{site}~50\% ``quoted'' $a_1$", 'site 50% "quoted" $a_1$'),
        (r"See Figure~\ref{fig:a}\label{here} \ldots", "See Figure fig:a …"),
    ],
)
def test_latex(source: str, seen: str) -> None:
    assert render_tex(source) == seen


HOSTILE = (
    "`",
    "``a`",
    "*",
    "|",
    ":a:`",
    "`a <",
    "[",
    "[[a][",
    "\\a{",
    "{",
    " ~a",
    " /a",
    "#",
    "<<a,",
    "(((",
    "$",
    "_a ",
)


@pytest.mark.parametrize("suffix", sorted(RENDERERS))
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_linear_time(suffix: str, piece: str) -> None:
    start = time.process_time()
    RENDERERS[suffix](piece * 50_000)
    assert time.process_time() - start < 5


def test_a_source_that_sphinx_keeps_as_text_is_rendered_by_its_own_suffix() -> None:
    assert render_inline("See :doc:`the guide <guide>`.", "page.rst.txt") == "See the guide."
    assert render_inline("See [the guide](guide.md).", "page.md.txt.gz") == "See the guide."


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("This is **not** so.", "This is not so."),
        ("2 ** 3 ** 4 and f(**options)", "2 ** 3 ** 4 and f(**options)"),
        ("Use ``make`` for it::", "Use `make` for it:"),
        ("She said `yes' to it.", "She said `yes' to it."),
    ],
)
def test_plain_text_loses_only_marks_that_cannot_be_meant_otherwise(source: str, seen: str) -> None:
    assert render_inline(source, "notes.txt") == seen


def test_an_address_in_angle_brackets_is_no_tag() -> None:
    assert render_inline("Write to <ann.b@example.org>, or see <https://x.org>.", "a.md") == (
        "Write to ann.b@example.org, or see https://x.org."
    )
    assert render_inline("A <b>bold</b> word.", "a.md") == "A bold word."


def test_items_in_the_cell_of_a_table_do_not_run_together() -> None:
    cell = "<ul><li><kbd>,</kbd> (comma)</li><li><kbd>p</kbd></li></ul> | Go to <b>one</b>page"
    assert render_inline(cell, "a.md") == ", (comma) p | Go to onepage"
