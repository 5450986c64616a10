"""HTML as titled sections."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from expound.errors import BadInput

PAGE = """<!doctype html><html><head><title>Cats &amp; Dogs - A Site</title><style>p {}</style>
<link rel="canonical" href="https://example.org/cats"></head>
<body><nav><a href="/">Home</a></nav><header>Top</header><h1>Cats &amp; Dogs</h1>
<p>An <b>intro</b>duction<script>evil()</script>,
on two lines.<sup class="reference">[1]</sup></p>
<h2>Food<span class="mw-editsection">[edit]</span></h2><p>They eat<br>twice.</p><ul><li>fish<li>meat</ul>
<table><tr><th>Name<th>Age</tr><tr><td><p>Tom</p></td><td>5 &lt; 6</td></tr></table>
<div hidden>no</div><div style="display: none">no</div><div role="navigation">no</div><nav></nav><input>
<pre>a
 b</pre>after<footer>no</footer></body></html>"""


def sections(document) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in document.sections]


def test_a_page_is_its_title_and_sections(read) -> None:
    [document] = read("a.html", PAGE)
    assert (document.title, document.url) == ("Cats & Dogs", "https://example.org/cats")
    assert sections(document) == [
        ("", "Top"),
        ("", "An introduction, on two lines."),
        ("Food", "They eat\ntwice.\n\nfish\n\nmeat\n\nName; Age\n\nTom; 5 < 6\n\na\nb\n\nafter"),
    ]


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title>One</title><h1>Two</h1><p>x", "One"),
        ("<h1>Two</h1><p>x", "Two"),
        ("<p>x", "a"),
        ("<title>Two | Site</title><h1>Two</h1>x", "Two"),
    ],
)
def test_the_title_comes_from_the_title_or_the_top_heading(read, markup: str, title: str) -> None:
    assert read("a.htm", markup)[0].title == title


@pytest.mark.parametrize(
    "content",
    [
        "<p>café €".encode(),
        "<p>café €".encode("utf-16"),
        b'<meta charset="windows-1252"><p>caf\xe9 \x80',
        '<meta charset="iso-8859-15"><p>café €'.encode("iso-8859-15"),
    ],
)
def test_the_charset_is_found(read, content: bytes) -> None:
    assert read("a.html", content)[0].sections[0].text == "café €"


def test_a_layout_table_keeps_its_paragraphs(read) -> None:
    [document] = read("a.html", "<table><tr><td><p>One.</p><p>Two.</p><h2>H</h2><p>Three.</p></td></tr></table>")
    assert sections(document) == [("", "One.\n\nTwo."), ("H", "Three.")]


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000,
        "<ul><li>" * 50_000,
        "<x/>" * 50_000 + "<p>x" * 50_000,
        "<div><!--</div>-->" * 50_000,
        '<div a="</div>">' * 50_000,
        "<div><select></div></select>" * 50_000,
        "<div><script></div></script>" * 50_000,
        "<a " + " ".join(f"a{i}=1" for i in range(100_000)) + ">",
    ],
)
def test_deep_nesting_is_refused_quickly(read, markup: str) -> None:
    started = time.perf_counter()
    with pytest.raises(BadInput, match="nested too deeply"):
        read("a.html", markup + "text")
    assert time.perf_counter() - started < 4


@pytest.mark.parametrize(
    "markup", ["<div>{}</div>", "<p>{}", "<li>{}", "<a name=x>{}", "<svg><path/></svg>{}", "<br>{}<!-- -->"]
)
def test_long_flat_pages_are_read(read, markup: str) -> None:
    assert len(read("a.html", markup.format("word") * 20_000)[0].sections[0].text) >= 80_000


@pytest.mark.parametrize("unit", ["<!--", "<a b=", "<", "&amp", '<a "', "</p", "<![CDATA[", "<script>", "<title>"])
def test_broken_markup_takes_linear_time(read, unit: str) -> None:
    started = time.perf_counter()
    with suppress(BadInput):
        read("a.html", "<p>x" + unit * 100_000)
    assert time.perf_counter() - started < 4


def test_a_moderately_nested_page_is_read(read) -> None:
    assert read("a.html", "<div>" * 500 + "deep")[0].sections[0].text == "deep"


def test_a_page_of_scripts_only_is_empty(read) -> None:
    with pytest.raises(BadInput, match="empty, no text in it"):
        read("a.html", "<script>var text = 'x'</script><style>a{}</style>")
