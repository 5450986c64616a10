"""Read reStructuredText: its blocks with their source as it is written, Sphinx's directives among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.corpus.read.builder import join_blocks, without_title
from expound.corpus.read.document import Block, Document, Kind, join_cells
from expound.corpus.read.raw import name_of, read_text, stem_of
from expound.errors import BadInput
from expound.text.markup import render_rst
from expound.text.plain import plain, plain_line

# Half a megabyte a second is usual; text that is made to be slow takes ten times as long.
_LARGEST = 4 << 20
_DROPPED = frozenset(("comment", "target", "substitution_definition", "pending", "image", "raw", "transition", "label"))
_ASIDE_MARKS = frozenset(("seealso", "admonition", "glossary", "hlist", "centered", "topic", "sidebar", "compound"))
# docutils' level of errors: there it has left text out, where after a warning (2) the text stands in the tree.
_SEVERE = 3
_PROOFS = re.compile(
    r"(?m)^ *+\.\. (?:[a-z][\w-]{1,40}+:(?:[\w-]{1,40}+:)?:|_[^:\n]{1,80}+:$)|:[a-z][\w+.-]{1,40}+:`[^`\n]"
)
# A page about documentation shows a directive or two; three are no longer examples. In a quarter of a megabyte: the
# rest of a long file says nothing else.
_PROVED, _LOOKED_AT = 3, 1 << 18
# At the left margin, where nobody shows an example: what only tells the program that makes the page.
_SURE = re.compile(r"(?m)^\.\. (?:contents|meta|toctree|sectnum|highlight|currentmodule|include)::")
_RELEASE = re.compile(r"\W*(?:version |release |v)?\d", re.IGNORECASE)


def read(path: Path) -> Iterator[Document]:
    """One document per file."""
    text = plain(read_text(path)).strip("\ufeff")
    if len(text) > _LARGEST:
        raise BadInput(f"{name_of(path)}: more than {_LARGEST >> 20} MB of reStructuredText; split it")
    try:
        title, blocks = blocks_of(text)
    # docutils goes down into itself for every level.
    except RecursionError as error:
        raise BadInput(f"{name_of(path)}: nested too deeply; save it as plain text (.txt)") from error
    yield Document(title or stem_of(path), tuple(blocks))


def is_rst(text: str) -> bool:
    """Whether a text is reStructuredText, whatever its file is called: directives, labels and roles prove it."""
    is_sure = _SURE.search(text, 0, _LOOKED_AT) is not None
    return is_sure or len(_PROOFS.findall(text, 0, _LOOKED_AT)) >= _PROVED


def blocks_of(text: str) -> tuple[str, list[Block]]:
    """The title of a text, empty if it begins without one, and its blocks."""
    from expound.corpus.read.rst_parse import parse

    tree = parse(text)
    title = _title(tree)
    blocks = [block for child in tree.children for block in _blocks(child, _Place())]
    return title, list(without_title(blocks, title))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the tree a node stands, as far as its blocks have to know."""

    path: tuple[str, ...] = ()
    kind: Kind = "paragraph"
    mark: str = ""
    level: int = -1
    """Of the list that is open."""
    depth: int = 0
    """Of what is no item: one more than the definition or the item that it belongs to."""

    def under(self, heading: str) -> _Place:
        return _Place((*self.path, heading) if heading else self.path)


def _title(tree: Any) -> str:
    """The heading that the text begins with, unless it is the first of many releases in a list of changes."""
    sections = [child for child in tree.children if child.tagname == "section"]
    for child in tree.children:
        if child.tagname == "section":
            heading = _heading(child)
            # A list of changes begins with its newest release, which is no title.
            return "" if len(sections) > 1 and _RELEASE.match(heading) else heading
        # Text in front of the first heading: that heading is a section, and not the title of what stands before it.
        if child.tagname not in _DROPPED and child.tagname not in ("field_list", "system_message"):
            break
    return ""


def _heading(section: Any) -> str:
    titles = (child.rawsource for child in section.children if child.tagname == "title")
    return plain_line(render_rst(next(titles, "")))


def _blocks(node: Any, place: _Place) -> Iterator[Block]:
    """The blocks of a node, in reading order."""
    tag = node.tagname
    if tag in _DROPPED:
        return
    if tag == "section":
        yield from _children(node, place.under(_heading(node)), without=("title",))
    elif tag == "paragraph":
        yield Block(
            text=join_blocks([node.rawsource]), kind=place.kind, path=place.path, mark=place.mark, level=place.depth
        )
    elif tag in _SPECIAL:
        yield from _SPECIAL[tag](node, place)
    else:
        yield from _children(node, place)


def _children(node: Any, place: _Place, *, without: Sequence[str] = ()) -> Iterator[Block]:
    for child in node.children:
        if child.tagname not in without and hasattr(child, "children") and child.tagname != "#text":
            yield from _blocks(child, place)


def _code(node: Any, place: _Place) -> Iterator[Block]:
    yield Block(text=node.rawsource, kind="code", path=place.path, mark=node.get("language", ""), level=place.depth)


def _caption(node: Any, place: _Place) -> Iterator[Block]:
    yield Block(join_blocks([node.rawsource]), "caption", place.path, level=place.depth)


def _aside(node: Any, place: _Place) -> Iterator[Block]:
    """A note keeps what it is in its mark: "versionadded" is not in the text."""
    # Boxes that only frame their text: their names would tell a reader nothing.
    mark = "" if node["name"] in _ASIDE_MARKS else node["name"]
    yield from _children(node, replace(place, kind="paragraph", mark=mark))


def _quotation(node: Any, place: _Place) -> Iterator[Block]:
    """What is set in; notes, code and lists behind a paragraph of it belong to that paragraph."""
    quoted = replace(place, kind="quotation", mark="")
    deeper = replace(quoted, level=place.level + 1, depth=place.depth + 1)
    inner = quoted
    for child in node.children:
        is_paragraph = child.tagname == "paragraph"
        yield from _blocks(child, quoted if is_paragraph else inner)
        # A list that is merely indented is no deeper than any other.
        inner = deeper if is_paragraph else inner


def _lines(node: Any, place: _Place) -> Iterator[Block]:
    lines = (line.rawsource.strip() for line in _all(node, "line"))
    yield Block(text="\n".join(lines), kind=place.kind, path=place.path, mark=place.mark, level=place.depth)


def _items(node: Any, place: _Place) -> Iterator[Block]:
    """The first paragraph of an item carries its mark; what else an item holds follows as it is."""
    level = place.level + 1
    inner = _Place(path=place.path, kind="paragraph", mark="", level=level, depth=level + 1)
    for number, item in enumerate(node.children, node.get("start", 1)):
        head = replace(inner, kind="item", mark=_mark(node, number), depth=level)
        for child in item.children:
            yield from _blocks(child, head if child.tagname in ("paragraph", "line_block") else inner)
            # What is dropped before the first paragraph must not take its mark away.
            head = inner if child.tagname not in _DROPPED else head


def _mark(node: Any, number: int) -> str:
    """A bullet, or the number as it is written."""
    if node.tagname == "bullet_list":
        return str(node.get("bullet", "-"))
    shown = str(number)
    # Beyond z docutils numbers itself.
    if node.get("enumtype", "").endswith("alpha") and 1 <= number <= 26:
        shown = chr(ord("a") + number - 1)
        shown = shown if node["enumtype"].startswith("lower") else shown.upper()
    return f"{node.get('prefix', '')}{shown}{node.get('suffix', '.')}"


def _definitions(node: Any, place: _Place) -> Iterator[Block]:
    """A term and its text; of options and fields, too."""
    for item in node.children:
        terms = [child for child in item.children if child.tagname in ("term", "field_name", "option_group")]
        bodies = [child for child in item.children if child.tagname in ("definition", "field_body", "description")]
        yield from _definition("\n".join(map(_term, terms)), bodies, place)


def _term(node: Any) -> str:
    if node.tagname != "option_group":
        return join_blocks([node.rawsource])
    return ", ".join(option.rawsource or option.astext() for option in node.children)


def _read_description(node: Any, place: _Place) -> Iterator[Block]:
    """What an option or a function is; what is described inside it stands under its name."""
    # Methods inside a class stand under its name.
    inner = place.under(plain_line(node["term"])[:80]) if _all(node, "described") else place
    yield from _definition(node["term"], [node], place, inner, said=node["said"])


def _definition(
    term: str, bodies: Sequence[Any], place: _Place, inner: _Place | None = None, *, said: Sequence[str] = ()
) -> Iterator[Block]:
    """The term with the paragraphs that follow it and what its options say, then whatever comes after them."""
    children = [child for body in bodies for child in body.children if child.tagname not in _DROPPED]
    # Up to the first thing that is no paragraph: code and lists stand for themselves.
    count = next((n for n, child in enumerate(children) if child.tagname != "paragraph"), len(children))
    # Options last, though they stand first: a term is understood by its meaning and not by its type.
    lines = [term, *(join_blocks([child.rawsource]) for child in children[:count]), *said]
    yield Block("\n".join(lines), "definition", place.path, level=place.depth)
    below = replace(inner or place, kind="paragraph", mark="", level=place.depth, depth=place.depth + 1)
    for child in children[count:]:
        yield from _blocks(child, below)


def _table(node: Any, place: _Place) -> Iterator[Block]:
    """A line a row; the caption before it."""
    for child in node.children:
        if child.tagname == "title":
            yield from _caption(child, place)
    rows = [join_cells(map(_cell, row.children)) for row in _all(node, "row")]
    mark = "header" if _all(node, "thead") else ""
    yield Block(text="\n".join(filter(None, rows)), kind="table", path=place.path, mark=mark, level=place.depth)


def _cell(entry: Any) -> str:
    return " ".join(block.text for block in _children(entry, _Place()))


def _message(node: Any, place: _Place) -> Iterator[Block]:
    """What docutils could not make sense of, as it is written."""
    if node.get("level", 0) >= _SEVERE:
        yield from (block for child in _all(node, "literal_block") for block in _code(child, place))


def _all(node: Any, tag: str) -> list[Any]:
    # `findall` begins with the node itself.
    return list(node.findall(lambda other: other is not node and getattr(other, "tagname", "") == tag))


_SPECIAL = {
    "aside": _aside,
    "attribution": _caption,
    "block_quote": _quotation,
    "bullet_list": _items,
    "caption": _caption,
    "definition_list": _definitions,
    "described": _read_description,
    "doctest_block": _code,
    "enumerated_list": _items,
    "field_list": _definitions,
    "line_block": _lines,
    "literal_block": _code,
    "option_list": _definitions,
    "rubric": _caption,
    "system_message": _message,
    "table": _table,
    "title": _caption,
}
