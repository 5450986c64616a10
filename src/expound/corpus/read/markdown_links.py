"""Links and pictures of Markdown that say nothing by themselves: lines of contents, badges behind a heading."""

from __future__ import annotations

import re

# Bounded: a heading of brackets alone would be gone through once for each of them.
_PICTURE = r"!\[[^\[\]]{0,200}\](?:\([^()\s]{0,500}\)|\[[^\[\]]{0,100}\])"
_BADGE = re.compile(rf"\[{_PICTURE}\](?:\([^()\s]{{0,500}}\)|\[[^\[\]]{{0,100}}\])|{_PICTURE}")
_TARGET = r"(?:\([^()]{0,500}\)|\[[^\[\]]{0,100}\])"
_SHOWN = re.compile(rf"\[?!\[([^\[\]]{{0,200}})\]{_TARGET}(?:\]{_TARGET})?")
_WITHIN_THE_PAGE = re.compile(r"\[[^\[\]]{1,200}\]\(#[^()\s]{1,200}\)")

# A picture that is written out where its address would stand.
_DATA = re.compile(r"data:[\w.+-]{1,50}/[\w.+-]{1,50}(?:;[\w.=-]{1,50}){0,5},[^\s()\"'<>]*+")


def without_badges(heading: str) -> str:
    """A heading without its pictures, linked or not; one that is nothing else stays as it is.

    >>> without_badges("Chokidar [![Weekly downloads](https://example.org/a.svg)](https://example.org)")
    'Chokidar'
    """
    words = _BADGE.sub("", heading).strip()
    return words if any(map(str.isalnum, words)) else heading


def is_contents_line(text: str) -> bool:
    """Whether an item is a link within its page and nothing more: it leads to what says something.

    >>> is_contents_line("[Version option](#version-option)")
    True
    """
    return _WITHIN_THE_PAGE.fullmatch(text) is not None


def picture_words(text: str) -> list[str]:
    """What is said in place of the pictures of a text that has nothing else; none of a text that has.

    >>> picture_words("![The old harbour](a.png)")
    ['The old harbour']
    """
    if "![" not in text or any(map(str.isalnum, _SHOWN.sub("", text))):
        return []
    return _SHOWN.findall(text)


def without_data(line: str) -> str:
    """A line without the pictures that are written out in it as letters.

    >>> without_data("![The harbour](data:image/png;base64,iVBORw0KGgo=) at night")
    '![The harbour](data:) at night'
    """
    return _DATA.sub("data:", line) if "data:" in line else line
