"""Replace the escapes of a man page, such as `\\fB`, `\\-` and `\\(em`, by what is seen of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from expound.corpus.read.man_characters import character

JOIN, JOIN_BACK = "\x00", "\x01"
"""Stand where the next line, or the line before, goes on without a blank. No text has them once it is made plain."""
BLANK = "\x02"
"""Stands in front of a line that begins with a blank of its own, which is seen also where the line before goes on."""

# What an escape takes in quotes is bounded: nobody writes more, and a quote that is never closed costs no more than it.
_QUOTED = r"'(?:[^'\\\n]|\\w'[^'\n]{0,100}'|\\.){0,300}'|\"[^\"\n]{0,300}\""
_NAME = r"\((?P<{0}2>..)|\[(?P<{0}n>[^\]\n]{{0,300}})\]"
_ESCAPE = re.compile(
    r"\\(?:"
    rf"{_NAME.format('c')}"
    rf"|\*(?:{_NAME.format('s')}|(?P<s1>[^(\[]))"
    r"|[fFgkmMnOVY](?:[+-]?(?:\(..|\[[^\]\n]{0,300}\]|[^(\[]))"
    rf"|s(?:{_QUOTED}|[+-]?(?:\(..|\[[^\]\n]{{0,20}}\]|[1-3]\d|\d))"
    rf"|(?P<q>[ABbCDhHlLNoRSvwXxZ])(?P<v>{_QUOTED})"
    r"|\$(?:\(..|\[[^\]\n]{0,300}\]|.)"
    r"|(?P<o>.|$))",
)
_PLAIN = {
    **dict.fromkeys("eE\\", "\\"),
    **dict.fromkeys(" ~0", " "),
    "t": "\t",
    "c": JOIN,
    # Widths of nothing, places where a line may be broken, and marks of the language itself.
    **dict.fromkeys('&|^%:/,)dupraz{}!?"#', ""),
    "": "",
}
# Fewer than a hundredth of these are ever used; a string within a string within a string must not fill the memory.
_LONGEST_STRING = 200


class Strings:
    """The strings that a page may name with `\\*`: those of the macro packages, and its own."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = dict(known)
        self._translated: dict[int, str] = {}

    def define(self, name: str, value: str) -> None:
        """Give a string what its text is seen as now."""
        self._known[name] = self.seen(value)[:_LONGEST_STRING]

    def append(self, name: str, value: str) -> None:
        """Add to a string."""
        self._known[name] = (self._known.get(name, "") + self.seen(value))[:_LONGEST_STRING]

    def translate(self, pairs: str) -> None:
        """From here on show other characters in place of some: pairs of both, one behind the other."""
        seen = self.seen(pairs[:_LONGEST_STRING])
        for shown, other in zip(seen[::2], seen[1::2], strict=False):
            self._translated[ord(shown)] = other

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def seen(self, text: str) -> str:
        """The text without its escapes."""
        text = _ESCAPE.sub(self._seen, text) if "\\" in text else text
        return text.translate(self._translated) if self._translated else text

    def _seen(self, match: re.Match[str]) -> str:
        found = match.groupdict()
        name = next((found[key] for key in ("c2", "cn") if found[key] is not None), None)
        if name is not None:
            return character(name)
        name = next((found[key] for key in ("s2", "sn", "s1") if found[key] is not None), None)
        if name is not None:
            return self._known.get(name, "")
        if found["q"]:
            return self._quoted(found["q"], found["v"][1:-1])
        # An escape that nobody knows is its own character.
        return _PLAIN.get(found["o"], found["o"]) if found["o"] is not None else ""

    def _quoted(self, kind: str, value: str) -> str:
        if kind == "C":
            return character(value)
        if kind == "N":
            return character(f"char{value}")
        # Letters that are printed over one another: the first is what is meant mostly.
        return _ESCAPE.sub(self._seen, value)[:1] if kind == "o" and "\\o" not in value else ""


def join_lines(text: str) -> str:
    """The text with its lines put together where they belong together."""
    if BLANK in text:
        text = _JOINED_BY_BLANK.sub(" ", text).replace(BLANK, "")
    return _JOINED.sub("", text) if JOIN in text or JOIN_BACK in text else text


def split_arguments(text: str) -> Iterator[tuple[str, bool]]:
    """The arguments of a macro, escapes and all, and whether each was in quotation marks; two of these make one."""
    # Blanks at the end, of which each would be tried as the beginning of an argument.
    for match in _ARGUMENT.finditer(text.rstrip(" ")):
        quoted = match.group(1)
        yield (match.group(2), False) if quoted is None else (quoted.replace('""', '"'), True)


_JOINED_BY_BLANK = re.compile(f"{JOIN} ?{BLANK}")
_JOINED = re.compile(f"[ \n]?{JOIN_BACK}|{JOIN}[ \n]?")
_ARGUMENT = re.compile(r' *+(?:"((?:[^"]++|"")*+)"?|((?:\\.|[^ \\]|\\$)++))', re.DOTALL)
