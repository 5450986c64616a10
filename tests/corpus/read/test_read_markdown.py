"""Markdown as prose."""

from __future__ import annotations

import pytest

from expound.corpus.read.inline import without_inline_markup


def sections(document) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in document.sections]


def test_headings_become_sections(read) -> None:
    [document] = read("a.md", "# The *Title*\n\nIntro.\n\n## First ##\n\nOne.\n\nSecond\n------\nTwo.\n\n#hashtag\n")
    assert document.title == "The Title"
    assert sections(document) == [("", "Intro."), ("First", "One."), ("Second", "Two.\n\n#hashtag")]


def test_a_setext_title_is_a_title(read) -> None:
    [document] = read("a.md", "The Title\n=========\n\nIntro.")
    assert (document.title, sections(document)) == ("The Title", [("", "Intro.")])


def test_a_file_without_a_top_heading_has_its_name(read) -> None:
    [document] = read("my-notes.md", "## Part\n\nText.\n\n# Late\n\nMore.")
    assert (document.title, sections(document)) == ("my-notes", [("Part", "Text."), ("Late", "More.")])


def test_front_matter_gives_only_the_title(read) -> None:
    [document] = read("a.md", '---\ntitle: "From the header"\ntags:\n  - x\n---\n\nText.')
    assert (document.title, sections(document)) == ("From the header", [("", "Text.")])


def test_a_rule_at_the_top_is_no_front_matter(read) -> None:
    [document] = read("a.md", "---\n\nSome real prose here\n\n---\n\nMore.")
    assert document.sections[0].text == "Some real prose here\n\nMore."


@pytest.mark.parametrize(
    ("markup", "words"),
    [
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
    ],
)
def test_inline_markup_goes_and_the_words_stay(markup: str, words: str) -> None:
    assert without_inline_markup(markup) == words


def test_list_items_are_paragraphs_of_their_own(read) -> None:
    [document] = read("a.md", "- one\n  goes on\n* [x] two\n\n1. first\n2) second\n\nIn\n1986. It was.")
    assert document.sections[0].text == "one goes on\n\ntwo\n\nfirst\n\nsecond\n\nIn 1986. It was."


def test_tables_become_lines(read) -> None:
    [document] = read("a.md", "| Name | Age |\n|:-----|----:|\n| *Ann* | 5 |\n\nA | B\n--|--\n")
    assert document.sections[0].text == "Name; Age\n\nAnn; 5\n\nA; B"


def test_code_quotes_footnotes_and_entities_are_plain(read) -> None:
    text = "> quoted\n> words\n\n```python\n# no heading\nx = 1\n```\n\nR&amp;D&nbsp;x[^n]\n\n[^n]: The note.\n[l]: http://x\n"
    [document] = read("a.md", text)
    assert document.sections[0].text == "quoted words\n\n# no heading\nx = 1\n\nR&D x\n\nThe note."


def test_html_comments_and_scripts_are_left_out(read) -> None:
    [document] = read(
        "a.md", "Before <!-- a\n\nsecret --> after.\n\n<script>\nevil()\n</script>\n\n<div>kept</div>\n`<script>` x"
    )
    assert document.sections[0].text == "Before after.\n\nkept <script> x"


def test_entities_cannot_smuggle_controls(read) -> None:
    [document] = read("a.md", "a &#x202e;b &#27;[31m c")
    assert document.sections[0].text == "a b [31m c"
