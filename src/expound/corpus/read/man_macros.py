"""The macros of man(7): sections, paragraphs, terms, code, fonts and links, and what every page may use of roff."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from expound.corpus.read.man_blocks import Blocks
from expound.corpus.read.man_escapes import BLANK, Strings, join_lines, split_arguments

_BULLET = re.compile(r"[•·▪◦○–—□∘†]|\(?\d{1,3}[.)]|\[\d{1,3}\]|\(?[a-zA-Z][.)]")
# In front of text these are bullets; as a term of its own, in `.TP`, each may be an option or a parameter.
_BULLET_SIGN = frozenset("*-+o")
# What DocBook writes for an item: a bit to the left, the mark, and as much to the right again.
_DRAWN_MARK = re.compile(r"\\h'-\d{1,3}'\s*(\S{1,20}?)\s*\\h'\+\d{1,3}'\\c\s*$")
_PAIRS = r"""
lq “  rq ”  R ®  Tm ™  Aq '  L ‘  `` “  '' ”  q "  Ba |  Am &  Lt <  Gt >  Le ≤
Ge ≥  Ne ≠  Pm ±  If ∞  Pi π  Na NaN  Lq “  Rq ”  aa ´  ga `
""".split()
STRINGS = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
"""What both macro packages call by a name of their own."""


class ManPage:
    """Takes a page macro by macro. `name` and `section` are those of its title line."""

    def __init__(self, strings: Strings) -> None:
        self.blocks = Blocks()
        self.name = self.section = ""
        self._strings = strings
        self._link = ""

    def text(self, line: str) -> None:
        """A line of text."""
        if not line.strip():
            self.blocks.pause()
            return
        if drawn := _DRAWN_MARK.match(line[:80]):
            self.blocks.item(self._strings.seen(drawn.group(1)))
            return
        # A blank in front begins a line of its own.
        if line[0] == " ":
            self.blocks.line_break()
        seen = self._strings.seen(line)
        has_blank = line.startswith(("\\ ", "\\~")) and not self.blocks.is_code
        self.blocks.text(BLANK + seen.lstrip() if has_blank else seen)

    def macro(self, name: str, rest: str) -> None:
        """A macro with what stands behind it; one that is not known has nothing to say."""
        if take := self.MACROS.get(name):
            take(self, name, self.words(rest))

    def words(self, rest: str) -> list[str]:
        """Arguments as they are seen."""
        return [self._strings.seen(text) for text, _ in split_arguments(rest)]

    def _title(self, _: str, words: list[str]) -> None:
        if not self.name and words:
            self.name, self.section = words[0], "".join(words[1:2])

    def _section(self, name: str, words: list[str]) -> None:
        self.blocks.heading(1 if name == "SH" else 2, " ".join(words))

    def _paragraph(self, *_: object) -> None:
        self.blocks.paragraph()

    def _pause(self, *_: object) -> None:
        self.blocks.pause()

    def _break(self, *_: object) -> None:
        self.blocks.line_break()

    def _tag(self, *_: object) -> None:
        self.blocks.term()

    def _mark(self, _: str, words: list[str]) -> None:
        """`.IP`: an item or a term; without either the item goes on."""
        mark = join_lines(words[0]).strip() if words else ""
        if not mark:
            self.blocks.pause()
        elif mark in _BULLET_SIGN or _BULLET.fullmatch(mark):
            self.blocks.item(mark)
        else:
            self.blocks.term(mark)

    def _set_in(self, *_: object) -> None:
        self.blocks.set_in()

    def _set_out(self, *_: object) -> None:
        self.blocks.set_out()

    def _words(self, _: str, words: list[str]) -> None:
        if words:
            self.blocks.text(" ".join(words))

    def _together(self, _: str, words: list[str]) -> None:
        """Words in changing fonts, without blanks between."""
        if words:
            self.blocks.text("".join(words))

    def _code(self, *_: object) -> None:
        self.blocks.code()

    def _fill(self, *_: object) -> None:
        self.blocks.fill()

    def _open_link(self, _: str, words: list[str]) -> None:
        self._link = "".join(words[:1])

    def _close_link(self, _: str, words: list[str]) -> None:
        if self._link:
            self.blocks.text(f"<{self._link}>{''.join(words[:1])}")
        self._link = ""

    def _whole_link(self, _: str, words: list[str]) -> None:
        """An address, the text of its link, and the punctuation behind both."""
        address, text, end = [*words, "", "", ""][:3]
        self.blocks.text(f"{text} <{address}>{end}")

    def _reference(self, _: str, words: list[str]) -> None:
        name, section, end = [*words, "", "", ""][:3]
        self.blocks.text(f"{name}({section}){end}")

    def _synopsis(self, _: str, words: list[str]) -> None:
        self.blocks.line_break()
        self._words("", words)

    def _option(self, _: str, words: list[str]) -> None:
        self.blocks.text(f"[{' '.join(words)}]")

    MACROS: ClassVar[dict[str, Callable[[ManPage, str, list[str]], None]]] = {
        "TH": _title,
        **dict.fromkeys(("SH", "SS"), _section),
        **dict.fromkeys(("PP", "P", "LP", "HP"), _paragraph),
        **dict.fromkeys(("sp", "Sp"), _pause),
        **dict.fromkeys(("br", "ti", "ce", "in"), _break),
        **dict.fromkeys(("TP", "TQ"), _tag),
        "IP": _mark,
        "RS": _set_in,
        "RE": _set_out,
        **dict.fromkeys(("B", "I", "R", "SM", "CW"), _words),
        **dict.fromkeys(("SB", "BR", "RB", "IR", "RI", "BI", "IB"), _together),
        **dict.fromkeys(("nf", "EX"), _code),
        **dict.fromkeys(("fi", "EE"), _fill),
        **dict.fromkeys(("UR", "MT"), _open_link),
        **dict.fromkeys(("UE", "ME"), _close_link),
        **dict.fromkeys(("URL", "MTO"), _whole_link),
        "MR": _reference,
        "OP": _option,
        "SY": _synopsis,
        "YS": _break,
    }
