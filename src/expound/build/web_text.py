"""The readable text of a web page: without menus, banners and footers, fast or with more care."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from expound.corpus.read.nesting import count_piling, is_too_deep
from expound.corpus.read.webpage import decode_markup
from expound.errors import UserError
from expound.text.plain import plain, plain_line

FAST, CAREFUL = "resiliparse", "trafilatura"
"""The extractors: the usual one, and one that is slower by an order of magnitude."""

# With fewer tags that hold others a page cannot be so deep that its tree takes more than a fraction of a second.
_MANY_TAGS = 3_000
_LONGEST_TITLE = 300  # characters; beyond that it is a list of keywords
_ENDS = (".", "!", "?", '"', "”", ":")
# Of the letters of a page: without such a bound real lists shrink to a line ("Edges of pages" in recipes/LOG.md).
_LEAST_KEPT = 0.7
# Spaces; by eye: remarks such as "Please enable JavaScript to view the comments." are mostly shorter.
_SHORTEST_SENTENCE = 7


class WebText(NamedTuple):
    """What a page says; a fault is why nothing could be made of it."""

    title: str
    text: str
    fault: str = ""


def check_extractor(name: str) -> None:
    """Refuse an extractor that is unknown or not installed."""
    if name not in (FAST, CAREFUL):
        raise UserError(f"no extractor {name!r}; there are: {FAST}, {CAREFUL}")
    if name == CAREFUL and find_spec(CAREFUL) is None:
        raise UserError(f"this extractor needs {CAREFUL}: pip install 'expound[careful]'")


def extract(content: bytes, extractor: str) -> WebText:
    """The title and main text of HTML."""
    markup = decode_markup(content)
    # From the cheapest look to the dearest: long tables have many tags, of which few can lie in one another.
    if markup.count("<") > _MANY_TAGS and count_piling(markup) > _MANY_TAGS and is_too_deep(markup):
        return WebText("", "", "nested too deeply")
    title, text = _carefully(markup) if extractor == CAREFUL else _fast(markup)
    lines = [joined for line in plain(text).split("\n") if (joined := " ".join(line.split()))]
    if extractor == FAST:
        lines = _without_edges(lines, title)
    return WebText(plain_line(title)[:_LONGEST_TITLE], "\n".join(lines))


def _without_edges(lines: list[str], title: str) -> list[str]:
    """The lines from the heading of a page to its last sentence: what stands before and after are menus and remarks.

    A page that is mostly no sentences, a table or a list, is left as it is: there an edge is what the page is about.
    """
    sentences = [
        number for number, line in enumerate(lines) if line.endswith(_ENDS) and line.count(" ") >= _SHORTEST_SENTENCE
    ]
    if not sentences:
        return lines
    first, last = sentences[0], sentences[-1]
    # The heading is what the title of the page begins with, or the line right before the first sentence.
    known = [number for number in range(first) if lines[number] in title and " " in lines[number]]
    start = known[-1] if known else max(0, first - 1)
    kept = lines[start : last + 1]
    return kept if sum(map(len, kept)) > _LEAST_KEPT * sum(map(len, lines)) else lines


def _fast(markup: str) -> tuple[str, str]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse(markup)
    text = extract_plain_text(
        tree, main_content=True, preserve_formatting=True, alt_texts=False, list_bullets=False, comments=False
    )
    return str(tree.title or ""), str(text)


def _carefully(markup: str) -> tuple[str, str]:
    import trafilatura

    found = trafilatura.bare_extraction(markup, include_comments=False, with_metadata=True)
    return (str(found.title or ""), str(found.text or "")) if found is not None else ("", "")
