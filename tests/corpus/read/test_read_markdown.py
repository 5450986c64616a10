"""Markdown: typed blocks whose text stands in the file as it is; the markup goes only where it is shown."""

from __future__ import annotations

import time

import pytest

from corpus.read.read_helpers import Read, shown, texts
from expound.text.inline import render_inline, without_inline_markup


def test_headings_become_the_path(read: Read) -> None:
    source = "# The *Title*\n\nIntro.\n\n## First ##\n\nOne.\n\n### Inner\nIn.\n\nSecond\n------\nTwo.\n\n#hashtag\n"
    [document] = read("a.md", source)
    assert document.title == "The Title"
    assert [(block.path, block.text) for block in document.blocks] == [
        ((), "Intro."),
        (("First",), "One."),
        (("First", "Inner"), "In."),
        (("Second",), "Two."),
        (("Second",), "#hashtag"),
    ]


def test_a_line_that_is_bold_from_end_to_end_heads_what_follows(read: Read) -> None:
    source = "## FAQ\n\n**It is red by day. Why?**\n\nTurn it round.\n\n**Old cards**\n\nNone.\n\n**Never do this.**\n"
    [document] = read("a.md", source)
    assert [(block.path, block.text) for block in document.blocks] == [
        (("FAQ", "It is red by day. Why?"), "Turn it round."),
        (("FAQ", "Old cards"), "None."),
        (("FAQ", "Old cards"), "**Never do this.**"),
    ]
    [listed] = read("b.md", "- one\n\n  **two**\n")
    assert texts(listed) == ["one", "**two**"]


def test_a_row_of_a_table_that_counts_things_is_no_heading(read: Read) -> None:
    [document] = read("notes.md", "# Pairs\n\nWe made some.\n\n# pairs\t120\t340\n")
    assert [block.path for block in document.blocks] == [(), ()]


def test_badges_are_no_part_of_a_heading_and_a_logo_by_itself_is_one(read: Read) -> None:
    badge = "[![Downloads](https://example.org/a.svg)](https://example.org)"
    [document] = read("a.md", f"# Harbour {badge} ![build][ci]\n\n## ![Depths](depths.png)\n\nIt is deep.\n")
    assert (document.title, document.blocks[0].path) == ("Harbour", ("Depths",))


def test_contents_that_are_links_within_the_page_are_left_out(read: Read) -> None:
    source = "- [Use](#use)\n  - [Options](#options)\n\n## Use\n\n- [Depth](#depth) in metres\n- [Elsewhere](b.md)\n"
    [document] = read("a.md", source)
    assert texts(document) == ["[Depth](#depth) in metres", "[Elsewhere](b.md)"]


def test_a_setext_title_is_a_title(read: Read) -> None:
    [document] = read("a.md", "The Title\n=========\n\nIntro.")
    assert (document.title, texts(document)) == ("The Title", ["Intro."])


def test_a_file_without_a_top_heading_has_its_name(read: Read) -> None:
    [document] = read("my-notes.md", "## Part\n\nText.\n\n# Late\n\nMore.")
    assert document.title == "my-notes"
    assert [(block.path, block.text) for block in document.blocks] == [(("Part",), "Text."), (("Late",), "More.")]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("`__init__` and **more**", "__init__ and more"),
        ("Setup {#setup}", "Setup"),
        ("R&amp;D", "R&D"),
        ("[Linked](http://x)", "Linked"),
    ],
)
def test_a_heading_is_its_words(read: Read, heading: str, name: str) -> None:
    assert read("a.md", f"Intro.\n\n## {heading}\n\nText.")[0].blocks[1].path == (name,)


def test_the_first_of_several_top_headings_below_text_is_a_section(read: Read) -> None:
    [document] = read(
        "tool.md", "A tool for files.\n\n# INSTALLATION\n\nRun it.\n\n## Paths\n\nOne.\n\n# USAGE\n\nCall it."
    )
    assert document.title == "tool"
    assert [block.path for block in document.blocks] == [(), ("INSTALLATION",), ("INSTALLATION", "Paths"), ("USAGE",)]


def test_a_title_stays_where_text_stands_before_it_or_sections_behind(read: Read) -> None:
    [below] = read("a.md", "An archived note.\n\n# Tool\n\nText.\n\n## Part\n\nMore.")
    [above] = read("b.md", "# Tool\n\nText.\n\n# Setup\n\nMore.")
    assert (below.title, above.title) == ("Tool", "Tool")


def test_a_top_heading_below_another_title_in_the_header_is_a_section(read: Read) -> None:
    [document] = read("a.md", "---\ntitle: Handbook\n---\n\n# Start\n\nOne.\n\n## Deep\n\nTwo.\n\n# End\n\nThree.\n")
    assert document.title == "Handbook"
    assert [block.path for block in document.blocks] == [("Start",), ("Start", "Deep"), ("End",)]
    [document] = read("b.md", "---\ntitle: Handbook\n---\n\n# Handbook\n\nOne.\n\n## Deep\n\nTwo.\n")
    assert [block.path for block in document.blocks] == [(), ("Deep",)]


def test_front_matter_gives_only_the_title(read: Read) -> None:
    [document] = read("a.md", '---\ntitle: "From the header"\ntags:\n  - x\n---\n\nText.')
    assert (document.title, texts(document)) == ("From the header", ["Text."])


def test_a_rule_at_the_top_is_no_front_matter(read: Read) -> None:
    [document] = read("a.md", "---\n\nSome real prose here\n\n---\n\nMore.")
    assert texts(document) == ["Some real prose here", "More."]


INLINE = [
    ("**bold** and *it* and ***both***", "bold and it and both"),
    ("**bold _nested_ text**", "bold nested text"),
    ("~~gone~~ ==marked==", "gone marked"),
    ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
    ("`code *kept* __init__` here", "code *kept* __init__ here"),
    (r"\*not emphasis\*", "*not emphasis*"),
    ("a [link](http://x/y_(z) 'title') b", "a link b"),
    ("[ref][1] and [same][]", "ref and same"),
    ("![a picture](x.png) and [![badge](b.svg)](http://x)", "a picture and badge"),
    ("<http://example.org> and <b>tag</b>", "http://example.org and tag"),
    ("fact[^1].", "fact."),
    ("a < b and c > d", "a < b and c > d"),
    ("[not a link] (aside)", "[not a link] (aside)"),
]


@pytest.mark.parametrize(("markup", "words"), INLINE)
def test_inline_markup_goes_and_the_words_stay(markup: str, words: str) -> None:
    assert without_inline_markup(markup) == words


@pytest.mark.parametrize("markup", [markup for markup, _ in INLINE])
def test_the_text_of_a_block_keeps_its_markup(read: Read, markup: str) -> None:
    assert texts(read("a.md", f"Intro.\n\n{markup}\n")[0]) == ["Intro.", markup]


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("Call `Server()` *now*, or `items[0]`.", "Call `Server()` now, or `items[0]`."),
        ("R&amp;D&nbsp;x[^n]", "R&D x"),
        ("a &#x202e;b &#27;[31m c", "a b [31m c"),  # entities cannot smuggle control characters
    ],
)
def test_what_is_shown_keeps_code_and_resolves_entities(markup: str, words: str) -> None:
    assert render_inline(markup, "guide/a.md") == render_inline(markup, "a.MARKDOWN.gz") == words
    assert render_inline(markup, "a.txt") == markup


def test_items_have_their_mark_and_level(read: Read) -> None:
    bullets = "- one\n  goes on\n  - inner\n    1. deep\n* [x] two\n\n"
    [document] = read("a.md", bullets + "1. first\n\n   More of it.\n2) second\n\nIn\n1986. It was.")
    assert [(b.kind, b.text, b.mark, b.level) for b in document.blocks] == [
        ("item", "one goes on", "-", 0),
        ("item", "inner", "-", 1),
        ("item", "deep", "1.", 2),
        ("item", "two", "* [x]", 0),
        ("item", "first", "1.", 0),
        ("paragraph", "More of it.", "", 1),
        ("item", "second", "2)", 0),
        ("paragraph", "In 1986. It was.", "", 0),
    ]


def test_tables_keep_their_rows_as_written(read: Read) -> None:
    [document] = read("a.md", "| Name | Age |\n|:-----|----:|\n| *Ann* | 5 |\n\nA | B\n--|--\nc | d\n\n| no | rule |\n")
    assert [(b.kind, b.text, b.mark) for b in document.blocks] == [
        ("table", "| Name | Age |\n| *Ann* | 5 |", "header"),
        ("table", "A | B\nc | d", "header"),
        ("table", "| no | rule |", ""),
    ]


def test_a_pipe_in_a_sentence_makes_no_table(read: Read) -> None:
    assert shown(read("a.md", "Use `a | b` to pipe.\nThen go on.")[0]) == [
        ("paragraph", "Use `a | b` to pipe. Then go on.")
    ]


def test_code_is_kept_line_by_line(read: Read) -> None:
    source = "```python\n# no heading\n- no item\nif x:\n    y[0] = Server()\n\n\tz\n```\n\n~~~ {.sh}\nls\n~~~\n"
    [document] = read("a.md", source)
    assert [(b.kind, b.text, b.mark) for b in document.blocks] == [
        ("code", "# no heading\n- no item\nif x:\n    y[0] = Server()\n\n    z", "python"),
        ("code", "ls", "sh"),
    ]


def test_indented_code_is_code(read: Read) -> None:
    [document] = read("a.md", "So:\n\n    $ make all\n      --fast\n\n    done\n\nAfter.")
    assert shown(document) == [("paragraph", "So:"), ("code", "$ make all\n  --fast\n\ndone"), ("paragraph", "After.")]


def test_code_in_an_item_loses_only_the_indentation_of_the_item(read: Read) -> None:
    source = "1. Run it:\n\n   ```sh\n   make\n     all\n   ```\n\n2. Or so:\n\n       make it\n\n   Then wait.\n"
    [document] = read("a.md", source)
    assert [(b.kind, b.text, b.level) for b in document.blocks] == [
        ("item", "Run it:", 0),
        ("code", "make\n  all", 1),
        ("item", "Or so:", 0),
        ("code", "make it", 1),
        ("paragraph", "Then wait.", 1),
    ]


def test_at_the_margin_the_list_is_over(read: Read) -> None:
    [document] = read("a.md", "- one\n\n| a | b |\n\n- two\n```\nx\n```\n")
    assert [(b.kind, b.level) for b in document.blocks] == [("item", 0), ("table", 0), ("item", 0), ("code", 0)]


def test_three_backquotes_in_a_sentence_open_no_block(read: Read) -> None:
    assert texts(read("a.md", "```x``` is code.\n\nMore.")[0]) == ["```x``` is code.", "More."]


def test_definitions_are_a_term_and_its_meaning(read: Read) -> None:
    [document] = read("a.md", "Tide\n: The sea's *rise*\n  and fall.\n\nEbb\n\n: The fall.\n\nPlain text.")
    assert shown(document) == [
        ("definition", "Tide\nThe sea's *rise* and fall."),
        ("definition", "Ebb\nThe fall."),
        ("paragraph", "Plain text."),
    ]


def test_two_meanings_of_a_term_are_two_lines(read: Read) -> None:
    for between in ("", "\n"):
        [document] = read("a.md", f"Bank\n{between}: A river's edge.\n{between}: A house\n  for money.\n")
        assert shown(document) == [("definition", "Bank\nA river's edge.\nA house for money.")]
    started = time.process_time()
    read("a.md", "Bank\n\n" + ": A house.\n\n" * 50_000)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "source",
    [
        '!!! note "Mind"\n    The *gap*.\n\n    - point\n\n        code\n\nAfter.',
        "??? tip\n    The *gap*.\n\n    - point\n\n        code\n\nAfter.",
    ],
)
def test_what_an_admonition_holds_is_text_not_code(read: Read, source: str) -> None:
    assert shown(read("a.md", source)[0])[:2] == [("paragraph", "The *gap*."), ("item", "point")]
    assert shown(read("a.md", source)[0])[-1] == ("paragraph", "After.")


def test_an_admonition_between_colons_is_its_text(read: Read) -> None:
    assert shown(read("a.md", ":::note\n\nThe gap.\n\n:::\n\nAfter.")[0]) == [
        ("paragraph", "The gap."),
        ("paragraph", "After."),
    ]


def test_quotations_and_footnotes_are_text(read: Read) -> None:
    [document] = read(
        "a.md", "> quoted\n> words\n\nR&amp;D[^n]\n\n[^n]: The note.\n\n[l]: http://x\n[m]: <y> 'Title'\n"
    )
    assert shown(document) == [("quotation", "quoted words"), ("paragraph", "R&amp;D[^n]"), ("paragraph", "The note.")]


def test_the_paragraphs_and_items_of_a_quotation_are_kept_apart(read: Read) -> None:
    [document] = read("a.md", "> One\n> goes on.\n>\n> Two:\n> - a\n> - b\n")
    assert shown(document) == [("quotation", text) for text in ("One goes on.", "Two:", "- a", "- b")]


def test_code_in_a_quotation_keeps_its_lines(read: Read) -> None:
    [document] = read("a.md", "> Run:\n>\n> ```sh\n> # all\n>   > out\n> ```\n> Then.\n\n> ```\n> open\n\nAfter.")
    assert shown(document) == [
        ("quotation", "Run:"),
        ("code", "# all\n  > out"),
        ("quotation", "Then."),
        ("code", "open"),
        ("paragraph", "After."),
    ]


def test_a_sentence_behind_a_word_in_brackets_is_no_link_target(read: Read) -> None:
    assert texts(read("a.md", "[Note]: mind the gap.\n\nMore.")[0]) == ["[Note]: mind the gap.", "More."]


def test_a_row_of_badges_is_left_out(read: Read) -> None:
    assert texts(read("a.md", "[![](b.svg)](http://x) ![](c.svg)\n\nText.")[0]) == ["Text."]


def test_html_comments_and_scripts_are_left_out(read: Read) -> None:
    [document] = read(
        "a.md", "Before <!-- a\n\nsecret --> after.\n\n<script>\nevil()\n</script>\n\n<div>kept</div>\n`<script>` x"
    )
    assert [render_inline(text, "a.md") for text in texts(document)] == ["Before after.", "kept `<script>` x"]
    assert "secret" not in str(document)


def test_a_comment_in_code_is_kept(read: Read) -> None:
    [document] = read("a.md", "Write `<!-- so -->`, <!-- not --> like this.\n\n```\n<!-- kept -->\n```\n\nAfter.")
    assert texts(document) == ["Write `<!-- so -->`, like this.", "<!-- kept -->", "After."]


def test_a_comment_that_is_not_closed_hides_the_rest(read: Read) -> None:
    assert texts(read("a.md", "Before.\n\n<!-- open\n\nhidden\n\n# hidden too\n")[0]) == ["Before."]


@pytest.mark.parametrize("unit", ["<!-- -->", "`a`<!---->", "`<!--", "``` ", "[a]: ", "- ", "> ", ": ", "|-", "{#a} "])
def test_hostile_lines_take_linear_time(read: Read, unit: str) -> None:
    started = time.process_time()
    read("a.md", "# x\n\ntext\n\ny " + unit * (400_000 // len(unit)) + "\n" + (unit + "\n") * 20_000)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "line",
    [
        '{{< copyable "sql" >}}',
        "{{% /alert %}}",
        '{% hint style="info" %}',
        "{: .no_toc }",
        "[TOC]",
        "(a-label)=",
        '--8<-- "snippets/x.md"',
        "import Tabs from '@theme/Tabs';",
        "[!INCLUDE [feature](../includes/x.md)]",
        "> [!NOTE]",
    ],
)
def test_what_a_site_generator_is_told_is_no_text(read: Read, line: str) -> None:
    [document] = read("a.md", f"Before.\n{line}\nAfter.")
    assert texts(document) == ["Before.", "After."]


def test_a_sentence_that_speaks_of_a_tag_stays(read: Read) -> None:
    source = "Write `{{< note >}}` to begin one.\n\nimport duties rise from 'now' on"
    [document] = read("a.md", source)
    assert [render_inline(text, "a.md") for text in texts(document)] == source.split("\n\n")


@pytest.mark.parametrize(
    "directive", ["```{note}\n:class: x\nMind this.\n```", ":::{note}\n:class: x\nMind this.\n:::"]
)
def test_a_directive_that_holds_prose_gives_prose_without_its_options(read: Read, directive: str) -> None:
    assert shown(read("a.md", f"Before.\n\n{directive}\n\nAfter.")[0]) == [
        ("paragraph", "Before."),
        ("paragraph", "Mind this."),
        ("paragraph", "After."),
    ]


def test_a_tree_of_contents_is_not_read_while_code_in_a_directive_is(read: Read) -> None:
    source = "```{toctree}\n:maxdepth: 2\nstart\n```\n\n```{code-block} python\nx = 1\n```"
    assert shown(read("a.md", source)[0]) == [("code", "x = 1")]


def test_tabs_are_prose_under_their_labels(read: Read) -> None:
    source = '=== "Linux"\n    Run it.\n\n=== "Windows"\n    Start it.\n'
    assert shown(read("a.md", source)[0]) == [
        ("paragraph", "Linux"),
        ("paragraph", "Run it."),
        ("paragraph", "Windows"),
        ("paragraph", "Start it."),
    ]


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("Use {{% version %}}it.{: .lead }", "Use it."),
        ("See {ref}`start` and {doc}`the guide <guide>`.", "See `start` and the guide."),
        ("A [word]{.underlined} and `x`{.python}.", "A word and `x`."),
        ("In JSON `{: x}` and {a: 1} stay.", "In JSON `{: x}` and {a: 1} stay."),
    ],
)
def test_marks_for_a_site_generator_are_not_shown(source: str, seen: str) -> None:
    assert render_inline(source, "a.md") == seen


def test_a_picture_that_is_written_out_is_no_text(read: Read) -> None:
    picture = f"data:image/png;base64,{'iVBORw0KGgo' * 500}="
    text = f"Boats lie ![here]({picture}) in the harbour.\n\n![]({picture})\n\n[one]: {picture}\n\n`data:` is a scheme."
    [document] = read("a.md", text)
    assert [block.text for block in document.blocks] == [
        "Boats lie ![here](data:) in the harbour.",
        "`data:` is a scheme.",
    ]


@pytest.mark.parametrize("picture", ["![photo](a.png)", '[![old photo](a.png "A title")](b.html)', "![a](b) ![c][d]"])
def test_a_picture_that_is_only_labelled_is_left_out(read: Read, picture: str) -> None:
    assert texts(read("a.md", f"Boats.\n\n{picture}\n\nIn the ![photo](a.png) they sail.")[0]) == [
        "Boats.",
        "In the ![photo](a.png) they sail.",
    ]


def test_a_picture_that_is_described_is_a_caption(read: Read) -> None:
    [document] = read("a.md", "Boats.\n\n![The harbour at night](a.png)")
    assert [(block.kind, block.text) for block in document.blocks][1:] == [
        ("caption", "![The harbour at night](a.png)")
    ]
