"""The readable text of a web page: without menus, banners and footers, fast or with more care."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from expound.corpus.read.nesting import is_too_deep
from expound.corpus.read.webpage import decode_markup
from expound.errors import UserError
from expound.text.plain import plain, plain_line

FAST, CAREFUL = "resiliparse", "trafilatura"
"""The extractors: the usual one, and one that is slower by an order of magnitude."""

# A page with fewer tags cannot be nested so deeply that its tree takes more than a fraction of a second.
_MANY_TAGS = 3_000
_LONGEST_TITLE = 300  # characters; beyond that it is a list of keywords


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
    if markup.count("<") > _MANY_TAGS and is_too_deep(markup):
        return WebText("", "", "nested too deeply")
    title, text = _carefully(markup) if extractor == CAREFUL else _fast(markup)
    lines = (" ".join(line.split()) for line in plain(text).split("\n"))
    return WebText(plain_line(title)[:_LONGEST_TITLE], "\n".join(line for line in lines if line))


def _fast(markup: str) -> tuple[str, str]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse(markup)
    text = extract_plain_text(tree, main_content=True, preserve_formatting=True, alt_texts=False, list_bullets=False)
    return str(tree.title or ""), str(text)


def _carefully(markup: str) -> tuple[str, str]:
    import trafilatura

    found = trafilatura.bare_extraction(markup, include_comments=False, with_metadata=True)
    return (str(found.title or ""), str(found.text or "")) if found is not None else ("", "")
