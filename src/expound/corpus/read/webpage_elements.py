"""What an element of a web page is worth: text to keep, a way to elsewhere, a word in a picture's place, nothing."""

from __future__ import annotations

import re
from typing import Any

from expound.corpus.read.document import Block
from expound.text.plain import plain_line

_DROPPED_NAMES = (
    "annotation audio button canvas embed footer head iframe input map menu nav noscript object script select "
    "style svg template textarea video"
)
_DROPPED = frozenset(_DROPPED_NAMES.split())
_DROPPED_ROLES = frozenset(("navigation", "contentinfo", "search", "menu", "menubar", "banner"))
_DROPPED_CLASSES = frozenset(
    "mw-editsection navbox noprint headerlink linenos sphinxsidebar navheader navfooter footer".split()
)
_BOXES = frozenset("admonition attention caution danger hint important note tip warning".split())
_LANGUAGE = re.compile(r"\b(?:language|lang|highlight|brush:)[-: ](?!source|text|default|none|notranslate)([\w+#.-]+)")
# What a page says of the way through the pages, not of its subject.
_NAVIGATION = re.compile(
    r"\W*+(?:(?:prev|previous|up|home|next|top|back|contents|table of contents|index|forward|skip to (?:main )?content"
    r"|back to top|edit (?:this page|on github)|view (?:page )?source|copy)\b\W*+)+"
    r"|.{0,9}(?:Next|Previous|Up): .*(?:Previous|Up|Next): .*",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_NAVIGATION = 300
"""Characters; the pattern is never applied to more, so that its time is bounded."""
_LINKED = 0.9
"""A block whose letters are links to nine tenths leads elsewhere; it says nothing itself."""
_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|mailto:|www\.)\S+", re.IGNORECASE)
# Lines that are links of their own; two may be a sentence of two links.
_FEWEST_ENTRIES = 3
# Words: a longer paragraph of links is an article that links every name.
_LONGEST_LINKED = 25
SECTION_NUMBER = re.compile(r"(?:\d{1,3}\.)+(?:\d{1,3})?\s+")
"""What a table of contents puts before a link; "2 eggs" has no dot and is an amount."""
# Characters: a longer text in a picture's place describes how it looks, and is no word of the sentence.
_LONGEST_SAID = 200
_NOTHING_SAID = re.compile(
    r"\.(?:png|svg|jpe?g|gif|webp)$|^(?:image|figure|picture|icon|img|screenshot)$", re.IGNORECASE
)
"""The name of a picture's file, or that it is one."""
# Unicode's own sign for a thing that is no text: it marks the place until the text of the block is whole.
_PICTURE = "\ufffc"
_BRACKETED_PICTURE = re.compile(rf"\s*+[(\[]\s*+{_PICTURE}[\s{_PICTURE}]*+[)\]]")
"""An icon after the name of a button: "Aligned dimensions (icon) show …"."""
_EXPLAINED_PICTURE = re.compile(rf"(?m)^[ \t]*+{_PICTURE}[ \t]*+[=:][ \t]*+(?=\S)")
"""An icon in a legend: "(icon) = cleared"."""
_NOTE_MARK = re.compile(r"\W*(?:\d{1,3}|[a-z]|[*†‡§¶]+)\W*", re.IGNORECASE)


def is_dropped(node: Any, tag: str) -> bool:
    """Whether an element is no part of the text: code, a menu, a footer, a footnote mark, something hidden."""
    if tag == "button" and _follows_words(node):
        return False  # "Press OK to go on" names it
    if tag in _DROPPED or tag.startswith("#") or (tag == "sup" and _is_note_mark(node)):
        return True
    # Most elements have none, and asking for each takes time.
    if not node.attrs:
        return False
    if node.hasattr("hidden") or node.getattr("aria-hidden") == "true" or node.getattr("role") in _DROPPED_ROLES:
        return True
    style = (node.getattr("style") or "").replace(" ", "").lower()
    classes = (node.getattr("class") or "").lower().split()
    # Sphinx gives every link the class that MediaWiki gives its footnote marks; these alone are raised.
    is_footnote_mark = tag == "sup" and "reference" in classes
    return "display:none" in style or is_footnote_mark or not _DROPPED_CLASSES.isdisjoint(classes)


def heads_box(node: Any) -> bool:
    """Whether a heading is that of a box, "Note": what stands behind the box is no longer under it."""
    # A box that holds a whole page has its title, or more than one heading: none but the first heads a box.
    opens = node.prev is None or (node.prev.tag == "#text" and node.prev.prev is None)
    if node.tag == "h1" or node.parent is None or not opens:
        return False
    classes = str(node.parent.getattr("class") or "")
    return not _BOXES.isdisjoint(classes.lower().split())


def words_of_picture(node: Any) -> str:
    """What is said in place of a picture: of a formula, or of an icon in a sentence, which lacks a word without it."""
    said = plain_line(str(node.getattr("alt") or ""))
    is_formula = "math" in (node.getattr("class") or "").lower().split()
    if not said or len(said) > _LONGEST_SAID or _NOTHING_SAID.search(said):
        return _PICTURE
    return said if is_formula or _follows_words(node) else _PICTURE


def drop_pictures(text: str) -> str:
    """A text without the places of pictures that say nothing, and without signs that stood only beside them."""
    if _PICTURE not in text:
        return text
    return _BRACKETED_PICTURE.sub("", _EXPLAINED_PICTURE.sub("", text)).replace(_PICTURE, "")


def _follows_words(node: Any) -> bool:
    """Whether a sentence has begun before an element, in the text beside it."""
    before = node.prev
    return before is not None and before.tag == "#text" and before.value.strip()[-1:].isalnum()


def leads_elsewhere(block: Block, linked: int, links: int = 0) -> bool:
    """Whether a block only serves to find the way: a menu's entry, "Prev Up Next"."""
    if block.kind in ("code", "definition"):
        return False
    letters = len(block.text)
    if is_linked(block.text, linked, links):
        # An address that is written out is what the sentence before it promised; menus have names for it.
        return _ADDRESS.fullmatch(block.text) is None
    # "Next." is a sentence, and the item "copy" may name a command.
    may_be = letters < _LONGEST_NAVIGATION and block.text[-1] not in ".!?" and (linked > 0 or " " in block.text)
    return may_be and _NAVIGATION.fullmatch(block.text) is not None


def is_linked(text: str, linked: int, links: int = 0) -> bool:
    """Whether a text is a link and nothing but the number of the section it leads to; `links` of them are known."""
    number = SECTION_NUMBER.match(text)
    letters = len(text) - (number.end() if number else 0)
    # A line a link: contents, however many there are. Lines of prose that a link was left open before end as sentences.
    lines = text.split("\n")
    is_short = all(len(line.split()) <= _LONGEST_LINKED for line in lines)
    is_short = is_short and (len(lines) == 1 or not any(line.endswith((".", ",")) for line in lines))
    # The contents of a page of questions: each line is a link of its own, and long ones and sentences are among them.
    is_contents = len(lines) >= _FEWEST_ENTRIES and links >= _LINKED * len(lines)
    return 0 < letters * _LINKED <= linked and (is_short or is_contents)


def _is_note_mark(node: Any) -> bool:
    """Whether a raised text is a link to a footnote, or all that such a link says; a power has no link."""
    child = node.first_child
    inner = child if child is not None and child.next is None else None
    outer = node.parent if node.next is None and node.prev is None else None
    is_link = any(other is not None and other.tag == "a" and other.hasattr("href") for other in (inner, outer))
    # Twenty characters: no note's mark is longer.
    return is_link and _NOTE_MARK.fullmatch(node.text[:20].strip()) is not None


def first_number(node: Any) -> int:
    start = str(node.getattr("start") or "1")
    # A hostile number would be printed before every item.
    return int(start) if start.isdigit() and 0 < int(start) < 100_000 else 1


def language_of(node: Any) -> str:
    """The language that the classes of a code block, or of what surrounds it, name."""
    # The language stands on the element itself or on one of its wrappers.
    for _ in range(3):
        found = _LANGUAGE.search(str(node.getattr("class") or "")) if node is not None else None
        if found:
            return str(found.group(1))
        node = node.parent if node is not None else None
        if node is None or node.tag == "#document":
            break
    return ""
