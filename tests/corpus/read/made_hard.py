"""A document of every format with hard things in it: calls, indices, marks in code, numbers in brackets, links."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from textwrap import wrap

import docx
import docx.enum.style
import pyarrow
import pyarrow.parquet

from corpus.read.made_documents import epub_bytes, zip_bytes
from corpus.read.made_pdfs import Put, down, placed_pdf

PROSE = "Call Server() first, as was said in [3], then take items[0] or f(x)[i] of it and go on from there."
ITEM = "Stop the thing with Server().stop(now=True)[0] and wait."
CODE = ["# not a heading", "- not an item", "if x[0]:", "    run(y)  # [3]", "        == deeper =="]
CELLS = [["Call", "What it gives"], ["items[0]", "the first of them [3]"], ["Server()", "a new one"]]
HARD = ["Server()", "items[0]", "f(x)[i]", "[3]", "Server().stop(now=True)[0]"]


def indented(lines: list[str], by: str) -> str:
    return "\n".join(by + line for line in lines)


def rows(line: str, between: str) -> str:
    return "\n".join(line.format(between.join(cells)) for cells in CELLS)


def markdown() -> str:
    table = rows("| {} |", " | ").replace("\n", "\n|---|---|\n", 1)
    return (
        f"# T\n\nRead [the *guide*](http://x/a_(b)) or `a|b` & <b>more</b>. {PROSE}\n\n## Use `__init__`\n\n"
        f"- {ITEM}\n\n  ```python\n{indented(CODE, '  ')}\n  ```\n\n- Two.\n\n{table}\n\n"
        f"Term\n: Its *meaning*, see [there](#x).\n\n> Quoted words.\n\nSo:\n\n{indented(CODE, '    ')}\n"
    )


def rst() -> str:
    rule = f"{'=' * 12}  {'=' * 30}"
    table = "\n".join(
        [rule, *(f"{a:12}  {b}" for a, b in CELLS[:1]), rule, *(f"{a:12}  {b}" for a, b in CELLS[1:]), rule]
    )
    return (
        f"T\n=\n\nRead :ref:`the guide <guide>` or `this <http://x>`_ and ``a|b``. {PROSE}\n\nUse\n---\n\n- {ITEM}\n\n"
        f"  .. code-block:: python\n\n{indented(CODE, '     ')}\n\n- Two.\n\n{table}\n\nterm\n   Its *meaning*.\n\n"
        f"So::\n\n{indented(CODE, '   ')}\n"
    )


def org() -> str:
    return (
        f"#+TITLE: T\n\nRead [[http://x][the guide]] or ~a_b~. {PROSE}\n\n* Use\n\n- {ITEM}\n- Two.\n\n"
        f"#+begin_src python\n{indented(CODE, '  ')}\n#+end_src\n\n{rows('| {} |', ' | ')}\n\n- term :: its /meaning/\n"
    )


def asciidoc() -> str:
    table = "|===\n" + rows("|{}", " |") + "\n|==="
    return (
        f"= T\n\nRead http://x[the guide] or `a_b`. {PROSE}\n\n== Use\n\n* {ITEM}\n* Two.\n\n[source,python]\n----\n"
        + "\n".join(CODE)
        + f"\n----\n\n{table}\n\nterm:: its _meaning_\n"
    )


def latex() -> str:
    prose = rf"Read \href{{http://x}}{{the guide}} or \texttt{{a\_b}}. {PROSE}"
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\title{T}",
            r"\begin{document}",
            prose,
            "",
            r"\section{Use}",
            r"\begin{itemize}",
            rf"\item {ITEM}",
            r"\item Two.",
            r"\end{itemize}",
            r"\begin{verbatim}",
            *CODE,
            r"\end{verbatim}",
            r"\begin{tabular}{ll}",
            rows(r"{} \\", " & "),
            r"\end{tabular}",
            r"\end{document}",
            "",
        ]
    )


def man_page() -> str:
    table = "\n".join("|".join(cells) for cells in CELLS)
    code = "\n".join(CODE)
    return (
        f'.TH T 1\n.SH NAME\nt \\- the \\fIguide\\fR\n.SH "HOW TO USE IT"\n{PROSE}\n.IP \\(bu 2\n{ITEM}\n'
        f".IP \\(bu 2\nTwo.\n"
        f".PP\n.EX\n{code}\n.EE\n.TS\ntab(|);\nlb lb\nl l.\n{table}\n.TE\n.TP\n.B term\nits meaning\n"
    )


def mdoc_page() -> str:
    table = "\n".join(f".It {a} Ta {b}" for a, b in CELLS)
    code = "\n".join(CODE)
    return (
        f".Dt T 3\n.Sh NAME\n{PROSE}\n.Bl -bullet\n.It\n{ITEM}\n.It\nTwo.\n.El\n"
        f".Bd -literal\n{code}\n.Ed\n.Bl -column a b\n{table}\n.El\n.Bl -tag\n.It term\nits meaning\n.El\n"
    )


def plain_text() -> str:
    table = "\n".join(f"{a:12}    {b}" for a, b in CELLS)
    prose = f"The Title\n\n{PROSE}\nIt goes on in a second line.\n\n1. Use it\n\n- {ITEM}\n- Two.\n\n"
    return f"{prose}{indented(CODE, '    ')}\n\n{table}\n"


def page() -> str:
    table = "\n".join(f"<tr>{''.join(f'<td>{cell}</td> ' for cell in cells)}</tr>" for cells in CELLS)
    return (
        f'<html><head><title>T</title></head><body>\n<h1>T</h1>\n<p>Read <a class="reference" href="x">the <i>gui</i>de'
        f"</a> &amp; more.\n{PROSE}</p>\n<h2>Use<a href=#x>¶</a></h2>\n<ol><li>{ITEM}</li>\n<li>Two.</li></ol>\n<pre>"
        + "\n".join(CODE)
        + f"</pre>\n<table>{table}</table>\n<dl><dt>term</dt>\n<dd>its <em>meaning</em></dd></dl>\n</body></html>"
    )


def message() -> str:
    return f"From: Ann <a@example.org>\nSubject: T\n\n{PROSE}\n\n> {ITEM}\n\n- {ITEM}\n\n{indented(CODE, '    ')}\n"


def notebook() -> str:
    cells = [
        {"cell_type": "markdown", "source": [line + "\n" for line in markdown().split("\n")]},
        {"cell_type": "code", "source": "\n".join(CODE), "outputs": [{"output_type": "stream", "text": "items[0]\n"}]},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})


RECORDS: list[dict[str, object]] = [
    {"title": "T", "text": f"{PROSE}\n{ITEM}\n" + "\n".join(CODE), "n": 1},
    {"title": "U", "text": "Two more words."},
]


def table_file(separator: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator).writerows([["title", "text"], *([r["title"], r["text"]] for r in RECORDS)])
    return stream.getvalue()


def word() -> bytes:
    made = docx.Document()
    made.styles.add_style("Source Code", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    made.add_heading("T", 0)
    made.add_paragraph("Read the ").add_run("guide").bold = True
    made.add_paragraph(PROSE)
    made.add_heading("Use", 1)
    made.add_paragraph(ITEM, style="List Bullet")
    for line in CODE:
        made.add_paragraph(line, style="Source Code")
    for made_row, cells in zip(made.add_table(3, 2).rows, CELLS, strict=True):
        for cell, text in zip(made_row.cells, cells, strict=True):
            cell.text = text
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


FOUR_SPACES = '<a:s a:c="4"/>'


def opendocument() -> bytes:
    code = "".join(
        f'<a:p a:style-name="Preformatted_20_Text">{line.replace(" " * 4, FOUR_SPACES)}</a:p>' for line in CODE
    )
    cells = "".join(
        f"<t:table-row>{''.join(f'<t:table-cell><a:p>{cell}</a:p></t:table-cell>' for cell in line)}</t:table-row>"
        for line in CELLS
    )
    body = (
        f"<a:p>Read the <a:span>gui</a:span>de. {PROSE}</a:p><a:h a:outline-level='1'>Use</a:h><a:list><a:list-item>"
        f"<a:p>{ITEM}</a:p></a:list-item></a:list>{code}<t:table>{cells}</t:table>"
    )
    content = f"<o:c><o:body><o:text>{body}</o:text></o:body></o:c>"
    return zip_bytes([("mimetype", "x"), ("content.xml", content)])


def slides() -> bytes:
    def line(text: str) -> str:
        return f"<a:p><a:r><a:t>{text[:5]}</a:t></a:r><a:r><a:t>{text[5:]}</a:t></a:r></a:p>"

    cells = "".join(f"<a:tr>{''.join(f'<a:tc>{line(cell)}</a:tc>' for cell in row)}</a:tr>" for row in CELLS)
    texts = "".join(f"<p:sp><p:txBody>{line(text)}</p:txBody></p:sp>" for text in (PROSE, ITEM, *CODE))
    return zip_bytes(
        [
            ("ppt/presentation.xml", '<p:p><p:sldIdLst><p:sldId id="1" r:id="r1"/></p:sldIdLst></p:p>'),
            ("ppt/_rels/presentation.xml.rels", '<R><Relationship Id="r1" Target="slides/slide1.xml"/></R>'),
            ("ppt/slides/slide1.xml", f"<p:sld>{texts}<p:graphicFrame><a:tbl>{cells}</a:tbl></p:graphicFrame></p:sld>"),
        ]
    )


def pdf() -> bytes:
    wrapped = [*wrap(PROSE, 60), "It goes on in a third line of the same paragraph here."]
    lines = [
        *down(wrapped),
        *down([f"- {ITEM}", "- Two."], y=640),
        *down(CODE, y=590, font="mono"),
    ]
    for row, cells in enumerate(CELLS):
        lines += [Put(cell, 72 + 150 * column, 500 - 12 * row) for column, cell in enumerate(cells)]
    return placed_pdf([lines], title="T")


def parquet() -> bytes:
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(RECORDS), stream)
    return stream.getvalue()


MADE: dict[str, Callable[[], str | bytes]] = {
    ".1": man_page,
    ".3": mdoc_page,
    **dict.fromkeys((".adoc", ".asciidoc"), asciidoc),
    ".csv": lambda: table_file(","),
    ".docx": word,
    ".eml": message,
    ".epub": lambda: epub_bytes({"a.xhtml": page()}),
    **dict.fromkeys((".htm", ".html", ".xhtml"), page),
    ".ipynb": notebook,
    ".json": lambda: json.dumps(RECORDS),
    **dict.fromkeys((".jsonl", ".ndjson"), lambda: "\n".join(map(json.dumps, RECORDS))),
    **dict.fromkeys((".md", ".markdown"), markdown),
    ".mbox": lambda: "From ann Tue May 3\n" + message(),
    ".odt": opendocument,
    ".org": org,
    ".parquet": parquet,
    ".pdf": pdf,
    ".pptx": slides,
    ".rst": rst,
    ".tex": latex,
    **dict.fromkeys((".text", ".txt"), plain_text),
    ".tsv": lambda: table_file("\t"),
}
