"""Read a stretch of marked-up text as its readers see it: what is shown and searched, while the file's is quoted."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import PurePosixPath

from expound.text.markup import RENDERERS, render_text
from expound.text.plain import plain

# Every repeat is possessive or stops at the character that starts its pattern, so that the time stays linear.
_CODE = re.compile(r"(?<!`)(`++)([^`]++)\1(?!`)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_KEPT = re.compile("\x00(\\d+)\x00")
_TARGET = r"\((?:[^()\n]++|\([^()\n]*+\))*+\)"
_IMAGE = re.compile(rf"!\[([^\[\]]*+)\](?:{_TARGET}|\[[^\[\]]*+\])")
_LINK = re.compile(rf"\[([^\[\]]*+)\](?:{_TARGET}|\[[^\[\]]*+\])")
# An address or a file in round brackets: what else stands there is a call, "a[0](x)".
_PROVED_LINK = re.compile(r"\[[^\[\]]++\]\((?:https?://|[\w./#-]+\.\w{2,4}\b|#)[^()\s]*+\)")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\[\]]++\]")
_ADDRESS = re.compile(r"<((?:(?:https?|ftp|mailto):|[\w.+-]++@)[^<>\s]++)>")
_LINE_BREAK = re.compile(r"<br\s*+/?>", re.IGNORECASE)
# What begins a line of its own in a browser: items and paragraphs in the cell of a table.
_BLOCK_TAG = re.compile(r"</?(?:li|[uod]l|d[td]|p|div|t[dhr])\b[^<>]*+>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_STARS = re.compile(r"(\*{1,3})(?=\S)([^*]*[^*\s])\1")
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,3})(?=\S)([^_]*(?:(?<=\w)_+(?=\w)[^_]*)*+)(?<=\S)\1(?!\w)")
_MARKS = re.compile(r"(~~|==)(?=\S)([^~=]*[^~=\s])\1")
# What site generators are told: Hugo's, Jekyll's and GitBook's tags, kramdown's attributes, MyST's roles, icons.
_SITE_TAG = re.compile(
    r"\{\{[<%][^{}]*[>%]\}\}|\{%[^{}]*%\}|\{:[ .#][^{}]*+\}|:(?:material|fontawesome|octicons)-[\w-]++:"
)
_SPAN_ATTRIBUTE = re.compile(r"\[([^\[\]]++)\]\{[.#][^{}]*+\}|(?<=[\x00)])\{[.#][^{}]*+\}")
_ROLE = re.compile(r"\{[a-z][\w:+-]*+\}(?=`)")
_ROLE_TARGET = re.compile(r"\{(?:ref|doc|term|numref|any|py:\w++)\}`([^`<]*[^`<\s])\s*<[^`<>]++>`")
_DEEPEST = 3  # `***bold and italic***` within deleted text; each round takes one pair of marks off


def has_markup(file: str) -> bool:
    """Whether prose of a file is kept in a markup language."""
    return _suffix(file) in _RENDERERS


def render_inline(text: str, file: str) -> str:
    """Prose of a file as it is meant to be seen, by the file's suffix; a text without markup is its own rendering."""
    render = _RENDERERS.get(_suffix(file))
    return render(text) if render else text


def render_file_of_text(text: str) -> str:
    """A sentence of a `.txt` or a README without a suffix: Markdown where a link proves it, else plain text.

    >>> render_file_of_text("See [the site](https://example.org)."), render_file_of_text("Take a[0](x) of *p.")
    ('See the site.', 'Take a[0](x) of *p.')
    """
    return render_markdown(text) if _PROVED_LINK.search(text) else render_text(text)


def render_markdown(text: str) -> str:
    """Markdown prose without links' targets, emphasis and entities; code keeps its marks, so that it can be told."""
    # Entities last: "&lt;b&gt;" is text about a tag, and no tag.
    return " ".join(plain(unescape(without_inline_markup(text, keeps_code_marks=True))).split())


def without_inline_markup(text: str, *, keeps_code_marks: bool = False) -> str:
    """The words of a paragraph; NUL must not occur in it."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        """Put what must stay as written out of the way of the other patterns."""
        is_code = match.re is _CODE
        kept.append(match.group(0 if is_code and keeps_code_marks else match.lastindex or 0))
        return f"\x00{len(kept) - 1}\x00"

    text = _ROLE.sub("", _ROLE_TARGET.sub(r"\1", text)) if "}`" in text else text
    # Code before everything else: what stands in it is no markup.
    text = _ESCAPED.sub(keep, _CODE.sub(keep, text)) if "`" in text or "\\" in text else text
    # Looking for a character first: most texts have none, and patterns cost time.
    text = _SITE_TAG.sub("", text) if "{" in text or ":" in text else text
    text = _SPAN_ATTRIBUTE.sub(r"\1", text) if "{" in text else text
    text = _without_brackets(text) if "[" in text else text
    text = _without_tags(text) if "<" in text else text
    text = _without_emphasis(text)
    # A kept code span may itself hold a kept escape.
    for _ in range(2 if kept else 0):
        text = _KEPT.sub(lambda match: kept[int(match.group(1))], text)
    return text


def _without_brackets(text: str) -> str:
    text = _FOOTNOTE_MARK.sub("", text)
    # Pictures before links: a picture may stand inside a link's label.
    return _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))


def _without_tags(text: str) -> str:
    text = _LINE_BREAK.sub("\n", _ADDRESS.sub(r"\1", text))
    return _TAG.sub("", _BLOCK_TAG.sub(" ", text))


def _without_emphasis(text: str) -> str:
    for _ in range(_DEEPEST):
        before = text
        for mark, pattern in (("*", _STARS), ("_", _UNDERSCORES), ("~", _MARKS), ("=", _MARKS)):
            text = pattern.sub(r"\2", text) if mark in text else text
        if text == before:
            break
    return text


def _suffix(file: str) -> str:
    """The suffix that tells the markup: behind `.gz` and Sphinx's `.txt` for sources it is the one before."""
    path = PurePosixPath(file.lower().removesuffix(".gz"))
    return (path.suffix == ".txt" and PurePosixPath(path.stem).suffix) or path.suffix


_RENDERERS: dict[str, Callable[[str], str]] = {
    ".md": render_markdown,
    ".markdown": render_markdown,
    ".ipynb": render_markdown,
    **RENDERERS,
    ".txt": render_file_of_text,
    "": render_file_of_text,
}
"""What each markup language is rendered by; files of other suffixes hold no markup once they are read."""
