"""Refuse HTML that is nested so deeply that building its tree would take minutes."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Chrome and Safari stop at 512 levels; no page that people read comes near.
_DEEPEST = 1000
# Open elements, summed over all tags. A round figure: a page of a megabyte that people wrote has a hundredth of it.
_MOST_WORK = 200_000_000
# A tree builder compares each attribute of a tag with all others; ten are usual.
_MOST_ATTRIBUTES = 1000
_TOKEN = re.compile(
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
    r"|<(/?)([a-zA-Z][^\s/>]*+)((?:[^>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*+)"
)
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_RAW_TEXT = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"))
# Elements that hold nothing, or that the next of their kind closes: they cannot pile up.
# The frequent ones first, since they are tried in this order.
_FLAT_NAMES = (
    "td a tr li p br option img area base col embed hr input link meta param source track wbr body caption colgroup "
    "dd dt form head html nobr optgroup rp rt tbody tfoot th thead"
)
_FLAT = frozenset(_FLAT_NAMES.split())
_PILING = re.compile(rf"<(?=[a-z])(?!(?:{'|'.join(_FLAT_NAMES.split())})[\s/>])", re.IGNORECASE)


def is_too_deep(markup: str) -> bool:
    """Whether a tree builder, whose time grows with depth times tags, would be kept busy for long."""
    work = 0
    for depth in _depths(markup):
        work += depth
        if depth > _DEEPEST or work > _MOST_WORK:
            return True
    return False


def count_piling(markup: str) -> int:
    """How many tags could lie within one another: a quick look, before the whole of a page is gone through."""
    return len(_PILING.findall(markup))


def _depths(markup: str) -> Iterator[int]:
    """How many elements are open after each tag; an end tag out of place closes nothing, to be on the safe side."""
    stack: list[str] = []
    position = 0
    while token := _TOKEN.search(markup, position):
        position = token.end()
        name = (token.group(2) or "").lower()
        attributes = token.group(3) or ""
        if token.group(1):
            if stack and stack[-1] == name:
                stack.pop()
        elif name in _RAW_TEXT:
            position = _end_of_raw_text(markup, position, name)
        elif name and name not in _FLAT and not (attributes.endswith("/") and _is_foreign(stack, name)):
            stack.append(name)
        yield len(stack) if _count_attributes(attributes) <= _MOST_ATTRIBUTES else _DEEPEST + 1


def _end_of_raw_text(markup: str, position: int, name: str) -> int:
    closing = re.compile(f"</{name}", re.IGNORECASE).search(markup, position)
    return closing.start() if closing else len(markup)


def _is_foreign(stack: list[str], name: str) -> bool:
    """Whether `<name/>` is empty here, as it is in drawings and formulas but not in HTML."""
    return bool({"svg", "math"} & {name, *stack[-50:]})


def _count_attributes(attributes: str) -> int:
    if len(attributes) < _MOST_ATTRIBUTES:
        return 0
    return len(_QUOTED.sub(" ", attributes).split())
