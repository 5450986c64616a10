"""HTML: the text of a page as typed blocks, what is left out, and pages that attack the reader."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from corpus.read.read_helpers import Read, shown, texts
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


def test_a_page_is_its_title_and_blocks(read: Read) -> None:
    [document] = read("a.html", PAGE)
    assert (document.title, document.url) == ("Cats & Dogs", "https://example.org/cats")
    assert [(b.kind, b.text, b.path, b.mark) for b in document.blocks] == [
        ("paragraph", "An introduction, on two lines.", (), ""),
        ("paragraph", "They eat\ntwice.", ("Food",), ""),
        ("item", "fish", ("Food",), "•"),
        ("item", "meat", ("Food",), "•"),
        ("table", "Name | Age\nTom | 5 < 6", ("Food",), "header"),
        ("code", "a\n b", ("Food",), ""),
        ("paragraph", "after", ("Food",), ""),
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
def test_the_title_comes_from_the_title_or_the_top_heading(read: Read, markup: str, title: str) -> None:
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
def test_the_charset_is_found(read: Read, content: bytes) -> None:
    assert read("a.html", content)[0].blocks[0].text == "café €"


def test_a_sphinx_page_keeps_its_links_and_loses_its_pilcrows(read: Read) -> None:
    markup = (
        '<div role="main"><h1>Guide<a class="headerlink" href="#g">¶</a></h1><h2>Use<a href="#u">¶</a></h2>'
        '<p>See <a class="reference internal" href="f.html"><code>Server()</code></a> for the <em>details</em> of it.'
        '<a class="footnote-reference" href="#1">[3]</a><sup class="reference"><a href="#c">[1]</a></sup></p></div>'
    )
    [document] = read("a.html", markup)
    assert document.title == "Guide"
    assert [(block.text, block.path) for block in document.blocks] == [
        ("See Server() for the details of it.[3]", ("Use",))
    ]


def test_code_keeps_its_lines_and_names_its_language(read: Read) -> None:
    inner = "<pre><span># no heading</span>\n- x[0]\n    <b>y</b> = 1\n\n</pre>"
    for markup in (
        f'<div class="highlight-python notranslate"><div class="highlight">{inner}</div></div>',
        inner.replace("<pre>", '<pre class="language-python">'),
        inner.replace("<pre>", '<pre class="brush: python">'),
    ):
        [block] = read("a.html", f"{markup}")[0].blocks
        assert (block.kind, block.text, block.mark) == ("code", "# no heading\n- x[0]\n    y = 1", "python")


def test_numbered_code_is_code_without_its_numbers(read: Read) -> None:
    markup = '<table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\n  b</pre></td></tr></table>'
    assert shown(read("a.html", markup)[0]) == [("code", "a\n  b")]


def test_lists_are_numbered_and_nested(read: Read) -> None:
    markup = (
        '<ol start="3"><li>three<ul><li><p>inner</p><p>more</p><pre>x</pre></li></ul></li><li>four</li></ol>'
        '<ol start="-1"><li>one</ol>'
    )
    assert [(b.kind, b.text, b.mark, b.level) for b in read("a.html", markup)[0].blocks] == [
        ("item", "three", "3.", 0),
        ("item", "inner", "•", 1),
        ("paragraph", "more", "", 2),
        ("code", "x", "", 2),
        ("item", "four", "4.", 0),
        ("item", "one", "1.", 0),
    ]


def test_definitions_are_terms_with_their_meaning_and_know_their_level(read: Read) -> None:
    markup = (
        "<dl><dt>class Server</dt><dd><dl><dt>run(port)</dt><dd><p>Runs it.</p><p>For ever.</p></dd>"
        "<dt>stop()</dt><dd><pre>s.stop()</pre></dd><dt>modes</dt><dd><ul><li>fast</li></ul></dd></dl></dd></dl>"
    )
    assert [(b.kind, b.text, b.level) for b in read("a.html", markup)[0].blocks] == [
        ("definition", "class Server", 0),
        ("definition", "run(port)\nRuns it.", 1),
        ("paragraph", "For ever.", 2),
        ("definition", "stop()", 1),
        ("code", "s.stop()", 2),
        ("definition", "modes", 1),
        ("item", "fast", 2),
    ]


def test_what_follows_a_box_stands_under_the_heading_before_it(read: Read) -> None:
    box = '<div class="note"><h3 class="title">Note</h3><p>Wear gloves.</p></div>'
    [document] = read("a.html", f"<h2>Valves</h2><h3>Seals</h3><p>Oil them.</p>{box}<p>Then close the lid.</p>")
    assert [(block.text, block.path) for block in document.blocks] == [
        (text, ("Valves", "Seals")) for text in ("Oil them.", "Note", "Wear gloves.", "Then close the lid.")
    ]


def test_the_headings_of_a_page_within_a_box_are_headings(read: Read) -> None:
    [document] = read("a.html", '<div class="note"><h1>Page</h1><p>One.</p><h2>Setup</h2><p>Two.</p></div>')
    assert [(block.text, block.path) for block in document.blocks][-1] == ("Two.", ("Setup",))


def test_prose_within_a_link_that_was_left_open_is_kept(read: Read) -> None:
    prose = "<br>".join(f"Valve {number} opens slowly and must be oiled." for number in range(8))
    [document] = read("a.html", f'<p><a href="#top">{prose}</p><p>End of it.</p>')
    assert "Valve 7 opens slowly" in document.blocks[0].text


def test_quotations_and_captions_are_told(read: Read) -> None:
    markup = "<blockquote><p>So it is.</p></blockquote><figure><figcaption>A cat.</figcaption></figure><p>End."
    assert shown(read("a.html", markup)[0]) == [
        ("quotation", "So it is."),
        ("caption", "A cat."),
        ("paragraph", "End."),
    ]


def test_an_address_that_is_written_out_is_said_and_a_link_that_has_a_name_only_leads_there(read: Read) -> None:
    address = '<a href="http://x.example/toggle">http://x.example/toggle</a>'
    markup = f'<p>Turn it off here:</p><blockquote>{address}</blockquote><p><a href="b.html">More on b</a></p><p>End.'
    assert shown(read("a.html", markup)[0]) == [
        ("paragraph", "Turn it off here:"),
        ("quotation", "http://x.example/toggle"),
        ("paragraph", "End."),
    ]


def test_a_layout_table_keeps_its_paragraphs(read: Read) -> None:
    [document] = read("a.html", "<table><tr><td><p>One.</p><p>Two.</p><h2>H</h2><p>Three.</p></td></tr></table>")
    assert [(block.path, block.text) for block in document.blocks] == [((), "One."), ((), "Two."), (("H",), "Three.")]


def test_a_table_of_long_texts_is_laid_out_text(read: Read) -> None:
    long = "Word after word. " * 40
    assert shown(read("a.html", f"<table><tr><td>{long}</td><td>Side.</td></tr></table>")[0]) == [
        ("paragraph", long.strip()),
        ("paragraph", "Side."),
    ]


def test_a_table_without_header_cells_has_no_header(read: Read) -> None:
    markup = "<table><tr><td>a<td>b</tr><tr><th>c<td>d<br>e</tr></table>"
    assert [(b.text, b.mark) for b in read("a.html", markup)[0].blocks] == [("a | b\nc | d e", "")]


def test_a_linked_name_in_a_table_is_kept(read: Read) -> None:
    rows = "".join(f'<tr><td><a href="#{name}">{name}()</a></td><td>Makes {name}.</td></tr>' for name in ("one", "two"))
    assert texts(read("a.html", f"<table>{rows}</table>")[0]) == ["one() | Makes one.\ntwo() | Makes two."]


def test_a_table_of_links_is_no_text(read: Read) -> None:
    row = "<tr><td><a href=a>First page</a></td><td><a href=b>Other page</a></td></tr>"
    assert texts(read("a.html", f"<table>{row}</table><p>Text.")[0]) == ["Text."]


@pytest.mark.parametrize(
    "markup",
    [
        "<p><a href=a>Prev</a> | <a href=b>Up</a> | <a href=c>Next</a></p>",
        "<div>« Prev — Up — Next »</div>",
        "<p>Next: Tables, Previous: Lists, Up: Top</p>",
        "<ul><li><a href=a>The first chapter</a><li><a href=b>The second</a></ul>",
        "<a href=#m>Skip to main content</a>",
        "<p>Back to top",
        "<div role=search>Find</div>",
        '<div class="sphinxsidebar"><p>Side text here.</p></div>',
        "<button>Copy</button><select><option>1.0</select>",
        '<p aria-hidden="true">#</p>',
    ],
)
def test_what_only_leads_elsewhere_is_left_out(read: Read, markup: str) -> None:
    assert texts(read("a.html", f"{markup}<p>The text stays.</p>{markup}")[0]) == ["The text stays."]


@pytest.mark.parametrize("markup", ["<p>Next.</p>", "<p>Back to top!</p>", "<ul><li><code>copy</code></ul>"])
def test_a_word_that_leads_nowhere_is_text(read: Read, markup: str) -> None:
    assert len(read("a.html", f"{markup}<p>The text stays.</p>")[0].blocks) == 2


def test_contents_in_one_paragraph_a_line_a_link_are_left_out(read: Read) -> None:
    questions = (f"O{n}. Why does the pump stop on day {n}?" for n in range(1, 9))
    links = "<br>".join(f'<a href="#o">{question}</a>' for question in questions)
    [document] = read("a.html", f"<p>{links}</p><p>It stops when it is dry.</p>")
    assert texts(document) == ["It stops when it is dry."]


def test_contents_of_questions_are_left_out_however_long_or_like_sentences_they_are(read: Read) -> None:
    long = "I restore all of my files and the program reports that some of them have been ignored: " * 2
    entries = ("G5. I want to remove mail after some days.", f"{long}which are they?", "Why does it hang?")
    contents = "".join(f'<a href="#A{n}">{entry}</a><br/>' for n, entry in enumerate(entries))
    assert texts(read("a.html", f"<h2>Questions</h2>{contents}<p>It waits for the server.</p>")[0]) == [
        "It waits for the server."
    ]


def test_a_question_in_a_bold_line_heads_its_answer(read: Read) -> None:
    markup = (
        "<h2>Answers</h2><p>First read this.</p><a name='q1'><b>Why does it hang?</b></a><br><p>It waits.</p>"
        "<p><strong>Is <code>-x</code> safe?</strong></p><p>It is.</p><ul><li><b>Why me?</b></li></ul>"
        "<p><b>Really?</b> Yes.</p><h2>More</h2><p>The end.</p>"
    )
    [document] = read("a.html", markup)
    assert [(block.path[-1], block.text) for block in document.blocks] == [
        ("Answers", "First read this."),
        ("Why does it hang?", "It waits."),
        ("Is -x safe?", "It is."),
        ("Is -x safe?", "Why me?"),
        ("Is -x safe?", "Really? Yes."),
        ("More", "The end."),
    ]


def test_a_bold_question_without_an_answer_is_text(read: Read) -> None:
    markup = (
        "<h2>Form</h2><p><b>Do you smoke?</b></p><p><b>How much?</b></p><p>A line.</p><p><b>Since when?</b></p>"
        "<h2>More</h2><p>The end.</p><p><b>Ready?</b></p>"
    )
    [document] = read("a.html", markup)
    assert [(block.path, block.text) for block in document.blocks] == [
        (("Form",), "Do you smoke?"),
        (("Form", "How much?"), "A line."),
        (("Form",), "Since when?"),
        (("More",), "The end."),
        (("More",), "Ready?"),
    ]


def test_a_sentence_with_links_is_text(read: Read) -> None:
    markup = '<p>Read <a href="a">the whole long guide</a> first.</p><p>Go up to the next house, home and back.</p>'
    assert texts(read("a.html", markup)[0]) == [
        "Read the whole long guide first.",
        "Go up to the next house, home and back.",
    ]


@pytest.mark.parametrize("main", ["<main>{}</main>", "<div role=main>{}</div>"])
def test_only_the_main_part_of_a_page_is_read(read: Read, main: str) -> None:
    words = "The tide rises and falls twice a day because the moon and the sun pull at the sea from afar, always."
    page = f"<h1>Tides</h1><p>Our shop is open.</p>{main.format(f'<p>{words}')}<p>All rights reserved.</p>"
    [document] = read("a.html", page)
    assert (document.title, texts(document)) == ("Tides", [words])


def test_a_main_part_without_text_is_not_the_page(read: Read) -> None:
    assert texts(read("a.html", "<main>Loading</main><p>The text.</p>")[0]) == ["Loading", "The text."]


def test_only_a_page_of_a_wiki_is_one(read: Read) -> None:
    generator = '<head><meta name="generator" content="{}"></head><p>It rained.[3]'
    assert read("a.html", generator.format("MediaWiki 1.39"))[0].is_wiki
    assert not read("a.html", generator.format("Sphinx 7"))[0].is_wiki


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
def test_deep_nesting_is_refused_quickly(read: Read, markup: str) -> None:
    started = time.process_time()
    with pytest.raises(BadInput, match="nested too deeply"):
        read("a.html", markup + "text")
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "markup", ["<div>{}</div>", "<p>{}", "<li>{}", "<a name=x>{}", "<svg><path/></svg>{}", "<br>{}<!-- -->"]
)
def test_long_flat_pages_are_read(read: Read, markup: str) -> None:
    blocks = read("a.html", markup.format("word") * 20_000)[0].blocks
    assert sum(block.text.count("word") for block in blocks) == 20_000


@pytest.mark.parametrize("unit", ["<!--", "<a b=", "<", "&amp", '<a "', "</p", "<![CDATA[", "<script>", "<title>"])
def test_broken_markup_takes_linear_time(read: Read, unit: str) -> None:
    started = time.process_time()
    with suppress(BadInput):
        read("a.html", "<p>x" + unit * 100_000)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "unit",
    [
        "<p>" + "up -- " * 45 + "x",
        "<p>Next: Up: " + "Up: Next " * 30 + "x",
        "<dt>a",
        "<dl><dt>a</dt><dd>b</dd></dl>",
        "<table><tr><td>a<td>b</table>",
        "<table>",
        "<tr><td><a href=x>a</a>",
        "<ol><li>a</ol>",
        "<h1>a</h1>",
        "<blockquote>a</blockquote>",
        '<pre class="' + "language-" * 30 + '">a</pre>',
        "<a href=x>",
    ],
)
def test_hostile_pages_take_little_time(read: Read, unit: str) -> None:
    started = time.process_time()
    with suppress(BadInput):
        read("a.html", f"<p>x</p>{unit * 2000}")
    assert time.process_time() - started < 20


def test_a_moderately_nested_page_is_read(read: Read) -> None:
    assert read("a.html", "<div>" * 500 + "deep")[0].blocks[0].text == "deep"


def test_a_page_of_scripts_only_is_empty(read: Read) -> None:
    with pytest.raises(BadInput, match="empty, no text in it"):
        read("a.html", "<script>var text = 'x'</script><style>a{}</style>")


def test_a_way_through_the_pages_is_known_by_its_class_in_any_case(read: Read) -> None:
    footer = "<TABLE><TR><TD>Prev</TD><TD>Next</TD></TR><TR><TD>Soup</TD><TD>Fish</TD></TR></TABLE>"
    assert texts(read("a.html", f'<p>Stir it well.</p><DIV CLASS="NAVFOOTER">{footer}</DIV>')[0]) == ["Stir it well."]


def test_a_table_of_contents_made_of_terms_is_left_out(read: Read) -> None:
    contents = (
        '<dl><dt>3.1. <a href="#a">Why is it slow?</a></dt><dd><dl><dt>3.1.1. <a href="#b">Fast</a></dt></dl></dd></dl>'
    )
    assert texts(read("a.html", f"{contents}<p>It is slow at night.</p>")[0]) == ["It is slow at night."]


def test_a_linked_term_stays_with_what_explains_it(read: Read) -> None:
    prose = '<dt><a href="#a">Sauté</a></dt><dd>To fry in little fat.</dd>'
    code = '<dt><a href="#b">run</a></dt><dd><pre>go</pre></dd>'
    assert texts(read("a.html", f"<dl>{prose}{code}</dl>")[0]) == ["Sauté\nTo fry in little fat.", "run", "go"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            '<p>Two litres a night.<sup><a href="#n1">1</a></sup> In winter more.</p>',
            "Two litres a night. In winter more.",
        ),
        ('<p>It is round.<a href="#n"><sup>[12]</sup></a></p>', "It is round."),
        ("<p>An area of 20 m<sup>2</sup>.</p>", "An area of 20 m2."),
        ('<p>The 4<sup><a href="#b">th</a></sup> of May.</p>', "The 4th of May."),
    ],
)
def test_a_raised_link_to_a_note_is_left_out_and_a_power_is_not(read: Read, markup: str, text: str) -> None:
    assert texts(read("a.html", markup)[0]) == [text]


def test_an_amount_before_a_link_is_no_section_number(read: Read) -> None:
    items = '<ul><li>2 <a href="/eggs">eggs</a><li>3.1 <a href="#s">Soup</a></ul>'
    assert texts(read("a.html", items)[0]) == ["2 eggs"]


def test_a_linked_term_whose_meaning_is_a_list_of_terms_stays(read: Read) -> None:
    inner = "<dl><dt>tags</dt><dd>deprecated</dd></dl>"
    markup = f'<dl><dt><a href="#m">max-age</a></dt><dd>{inner}</dd></dl>'
    assert texts(read("a.html", markup)[0]) == ["max-age", "tags\ndeprecated"]


@pytest.mark.parametrize(
    ("picture", "text"),
    [
        (
            '<p>The gain is <img class="math" alt="G = 1 + R"/>, which is fixed.</p>',
            "The gain is G = 1 + R, which is fixed.",
        ),
        ('<p>Press <img src="p.png" alt="Play"/> to start.</p>', "Press Play to start."),
        ("<p>Press <button>OK</button> to go on.</p>", "Press OK to go on."),
        ('<p>Press <img src="p.png" alt="p.png"/>it.</p>', "Press it."),
        (
            '<p>Aligned lines (<span><img src="a.png" alt="add line"/></span>) show a length.</p>',
            "Aligned lines show a length.",
        ),
        ('<p>Call <code>f()</code> ( <img src="a.png"/> ) and [<img src="b.png"/>].</p>', "Call f() and."),
        ('<p><img src="b.png" alt="The board"/></p><p>Text.</p><button>Menu</button>', "Text."),
    ],
)
def test_a_picture_or_a_button_within_a_sentence_is_the_word_that_it_stands_for(
    read: Read, picture: str, text: str
) -> None:
    [document] = read("a.html", f"<html><body><h1>T</h1>{picture}</body></html>")
    assert [block.text for block in document.blocks] == [text]


def test_a_few_words_above_the_first_heading_are_a_banner(read: Read) -> None:
    head = "<div>Boat User manual</div>"
    assert texts(read("a.html", f"<body>{head}<h1>Sails</h1><p>Pull the rope.</p></body>")[0]) == ["Pull the rope."]
    # Without a heading it may be all that there is, and a version tells something.
    assert texts(read("b.html", f"<body>{head}<p>Pull the rope.</p></body>")[0])[0] == "Boat User manual"
    assert texts(read("c.html", "<body><p>Version 3</p><h1>Sails</h1><p>Pull.</p></body>")[0]) == ["Version 3", "Pull."]


def test_an_icon_in_a_legend_leaves_no_sign_behind(read: Read) -> None:
    [document] = read(
        "a.html", '<body><h1>List</h1><p><img src="c.png"> = cleared<br><img src="r.png"> = reconciled</p></body>'
    )
    assert texts(document) == ["cleared\nreconciled"]


@pytest.mark.parametrize("before", ["", '<?xml version="1.0"?>\n<!-- made - by hand -->\n'])
def test_the_entities_of_a_document_type_are_no_text(read: Read, before: str) -> None:
    entities = "[\n<!ENTITY boat \"a [small] boat\">\n<!ENTITY % more SYSTEM 'x'>\n]"
    [document] = read("a.html", f'{before}<!DOCTYPE html PUBLIC "-//W3C" "x" {entities}>\n<html><body><p>They sail.')
    assert texts(document) == ["They sail."]


@pytest.mark.parametrize("piece", ["<!DOCTYPE x [", "<!DOCTYPE x ['", "<!--", "<?", '<!DOCTYPE x ["]>'])
def test_document_types_without_end_take_linear_time(read: Read, piece: str) -> None:
    started = time.process_time()
    with suppress(BadInput):
        read("a.html", piece * 100_000)
    assert time.process_time() - started < 10


def test_a_division_that_is_called_footer_is_no_text(read: Read) -> None:
    foot = '<div class="footer">©. | Powered by <a href="x">Sphinx 9</a></div>'
    [document] = read("a.html", f"<title>T</title><body><h1>T</h1><p>It rains.</p>{foot}</body>")
    assert [block.text for block in document.blocks] == ["It rains."]
