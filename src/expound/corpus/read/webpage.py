"""Read HTML: the text of a page as blocks; scripts, styles, menus and footers are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Block, Document
from expound.corpus.read.nesting import is_too_deep
from expound.corpus.read.raw import decode, is_text, marked_encoding, name_of, not_text, read_raw, stem_of
from expound.corpus.read.webpage_blocks import Collector
from expound.errors import BadInput
from expound.text.plain import plain, plain_line

# A `main` with less is a frame that a script fills; the text then stands outside of it.
_FEWEST_WORDS_OF_MAIN = 20
# What a document type says of entities; the parser takes the end of it for text.
_OWN_ENTITIES = re.compile(
    r"\A((?:\s|<\?[^>]*+>|<!--(?:[^-]|-(?!->))*+-->)*+<!DOCTYPE[^\[>]*+)\[(?:[^\]\"']|\"[^\"]*+\"|'[^']*+')*+\]\s*+>",
    re.IGNORECASE,
)
_LONGEST_BANNER = 8  # words
# A sentence, an author, or what has a number, as a version and a date have.
_TELLS = re.compile(r"[.!?:;,@\d]|^(?:by|author)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds."""

    title: str
    blocks: tuple[Block, ...]
    url: str
    is_wiki: bool


def read(path: Path) -> Iterator[Document]:
    """One document per HTML file."""
    markup = decode_markup(read_raw(path))
    if not is_text(markup):
        raise not_text(path)
    page = read_markup(markup, name_of(path))
    blocks = tuple(without_heading(block, page.title) for block in _without_banner(page.blocks))
    yield Document(page.title or stem_of(path), blocks, page.url, is_wiki=page.is_wiki)


def without_heading(block: Block, title: str) -> Block:
    """The block; an outermost heading that only repeats the document's title is left out."""
    return replace(block, path=block.path[1:]) if block.path[:1] == (title,) else block


def decode_markup(data: bytes) -> str:
    """HTML as text: by byte order mark, as UTF-8, by what the page declares, or by its looks."""
    if marked_encoding(data):
        return decode(data)
    try:
        return data.decode()
    except UnicodeDecodeError:
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        return str(bytes_to_str(data, detect_encoding(data, from_html_meta=True), errors="replace"))


def read_markup(markup: str, name: str) -> Page:
    """The title and blocks of HTML text; the name is for the error message."""
    from resiliparse.parse.html import HTMLTree, traverse_dom

    markup = _OWN_ENTITIES.sub(r"\1>", plain(markup), count=1)
    if is_too_deep(markup):
        raise BadInput(f"{name}: HTML nested too deeply; save the page as text and add that")
    tree = HTMLTree.parse(markup)
    collector = Collector()
    root = _main(tree)
    if root is not None:
        traverse_dom(root, collector.start, collector.end)
    title = _title(plain_line(tree.title or ""), collector.top_heading or _top_heading(tree))
    return Page(title, tuple(collector.finish()), _address(tree), _is_wiki(tree))


def _main(tree: Any) -> Any:
    """The part that the page calls its main one, if there is one with some text in it; else all of it."""
    if tree.body is None:
        return None
    found = tree.body.query_selector_all("main, [role=main]")
    is_alone = len(found) == 1 and len(found[0].text.split()) >= _FEWEST_WORDS_OF_MAIN
    return found[0] if is_alone else tree.body


def _without_banner(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks without a few words alone above the first heading, where many a manual has its name on every page."""
    if len(blocks) < 2 or blocks[0].kind != "paragraph" or blocks[0].path or not blocks[1].path:
        return blocks
    text = blocks[0].text
    is_banner = len(text.split()) <= _LONGEST_BANNER and not _TELLS.search(text)
    return blocks[1:] if is_banner else blocks


def _title(title: str, top_heading: str) -> str:
    """The page's title; its top heading where the title only adds the name of the site."""
    return top_heading if top_heading and title.startswith(top_heading) else title or top_heading


def _top_heading(tree: Any) -> str:
    heading = tree.body.query_selector("h1") if tree.body is not None else None
    return plain_line(heading.text).rstrip("¶# ") if heading is not None else ""


def _address(tree: Any) -> str:
    """The address that the page says it has."""
    link = tree.head.query_selector('link[rel="canonical"]') if tree.head is not None else None
    address = str(link.getattr("href") or "") if link is not None else ""
    return address if address.startswith(("http://", "https://")) else ""


def _is_wiki(tree: Any) -> bool:
    """Whether MediaWiki made the page: only there is a number in brackets a reference mark."""
    made_by = tree.head.query_selector('meta[name="generator"]') if tree.head is not None else None
    return made_by is not None and str(made_by.getattr("content") or "").startswith("MediaWiki")
