"""The macros of mdoc(7), which name what a word is and may stand within one another's lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from expound.corpus.read.document import join_cells
from expound.corpus.read.man_escapes import Strings
from expound.corpus.read.man_macros import ManPage
from expound.corpus.read.man_words import CALLED, Words

_MARKS = {"-bullet": "•", "-dash": "-", "-hyphen": "-"}
_TERMS = frozenset(("-tag", "-hang", "-ohang", "-inset", "-diag"))
_NEW_LINE = frozenset(("Nm", "Ft", "In", "Fd", "Vt"))
"""Begin a line of a synopsis."""
_STATUS = "utility exits 0 on success, and >0 if an error occurs."
_RETURNS = (
    "returns the value 0 if successful; otherwise the value -1 is returned and the global variable errno is set to "
    "indicate the error."
)


@dataclass(slots=True)
class _List:
    kind: str
    count: int = 0
    row: list[str] | None = None
    rows: list[str] = field(default_factory=list)
    has_header: bool = False


class MdocPage(ManPage):
    """Takes a page macro by macro."""

    def __init__(self, strings: Strings) -> None:
        super().__init__(strings)
        self._words_of = Words(strings)
        self._lists: list[_List] = []
        # The words of a term that goes on over several lines.
        self._term: list[str] | None = None
        self._references: list[str] | None = None

    def text(self, line: str) -> None:
        if line.strip():
            self._put(self._strings.seen(line))
        elif self._term is None:
            self.blocks.pause()

    def _put(self, text: str) -> None:
        """Words of the term, the row or the block that is open."""
        if self._term is not None:
            self._term.append(text)
        elif self._lists and self._lists[-1].row is not None:
            self._lists[-1].row.append(text)
        else:
            self.blocks.text(text)

    def macro(self, name: str, rest: str) -> None:
        if take := self.BLOCKS.get(name):
            take(self, name, rest)
        elif name in CALLED:
            if name in _NEW_LINE and self._words_of.is_synopsis and self._term is None:
                self.blocks.line_break()
            self._line(f"{name} {rest}")
        elif name.startswith("%"):
            self._reference_part(rest)
        else:
            super().macro(name, rest)

    def _line(self, text: str) -> None:
        """A line of macros and words."""
        seen = self._words_of.seen(text)
        if seen:
            self._put(seen)
        if self._term is not None and not self._words_of.is_term_open:
            self._end_term()

    def _end_term(self) -> None:
        term, self._term = self._term, None
        self._words_of.is_term_open = False
        if term is not None:
            self.blocks.term(" ".join(term))

    def _title_line(self, _: str, rest: str) -> None:
        self._title("", self.words(rest))

    def _heading(self, name: str, rest: str) -> None:
        self._end_term()
        while self._lists:
            self._end_list("", "")
        text = self._words_of.seen(rest)
        self._words_of.is_synopsis = text.upper() == "SYNOPSIS" if name == "Sh" else self._words_of.is_synopsis
        self.blocks.heading(1 if name == "Sh" else 2, text)

    def _break_paragraph(self, *_: object) -> None:
        self._end_term()
        # Within an item it goes on with the item, at the margin it is one like any other.
        (self.blocks.pause if self._lists else self.blocks.paragraph)()

    def _open_list(self, _: str, rest: str) -> None:
        self._end_term()
        words = rest.split()
        kind = next((word for word in words if word in _TERMS or word in _MARKS or word in _OTHER_LISTS), "-item")
        if self._lists:
            self._end_row()
            self.blocks.set_in()
        self._lists.append(_List(kind))

    def _end_list(self, *_: object) -> None:
        self._end_term()
        if not self._lists:
            return
        self._end_row()
        ended = self._lists.pop()
        self.blocks.table(ended.rows, has_header=ended.has_header)
        if self._lists:
            self.blocks.set_out()
        else:
            self.blocks.paragraph()

    def _end_row(self) -> None:
        last = self._lists[-1]
        if last.row is not None:
            if row := join_cells(" ".join(last.row).split("\t")).strip(" |"):
                last.rows.append(row)
            last.row = None

    def _item(self, _: str, rest: str) -> None:
        self._end_term()
        if not self._lists:
            self._lists.append(_List("-item"))
        self._end_row()
        last = self._lists[-1]
        last.count += 1
        if last.kind in _TERMS:
            self._open_term(rest)
        elif last.kind == "-column":
            last.has_header = last.has_header or (last.count == 1 and rest.startswith(("Sy ", "Em ")))
            last.row = [self._words_of.seen(rest)]
        else:
            self._open_item(last, rest)

    def _open_term(self, rest: str) -> None:
        term = self._words_of.seen(rest)
        if self._words_of.is_term_open:
            self._term = [term]
        elif term:
            self.blocks.term(term)
        else:
            self.blocks.item("")

    def _open_item(self, last: _List, rest: str) -> None:
        mark = f"{last.count}." if last.kind == "-enum" else _MARKS.get(last.kind, "")
        if mark:
            self.blocks.item(mark)
        else:
            self.blocks.paragraph()
        if seen := self._words_of.seen(rest):
            self.blocks.text(seen)

    def _open_display(self, _: str, rest: str) -> None:
        self._end_term()
        if rest.startswith(("-literal", "-unfilled")):
            self.blocks.code()
        else:
            self.blocks.pause()

    def _end_display(self, *_: object) -> None:
        self.blocks.fill()
        self.blocks.pause()

    def _display_line(self, _: str, rest: str) -> None:
        self.blocks.code_line(self._words_of.seen(rest))

    def _description(self, _: str, rest: str) -> None:
        self._put(f"— {self._words_of.seen(rest)}")

    def _status(self, _: str, rest: str) -> None:
        names = [word for word in self.words(rest) if not word.startswith("-")] or [self._words_of.name]
        self._put(f"The {', '.join(names)} {_STATUS}")

    def _return_value(self, _: str, rest: str) -> None:
        names = [f"{word}()" for word in self.words(rest) if not word.startswith("-")] or [f"{self._words_of.name}()"]
        self._put(f"The {', '.join(names)} function {_RETURNS}")

    def _included(self, name: str, rest: str) -> None:
        """`.In` or `.Fd`: a line of the synopsis."""
        if not self._words_of.is_synopsis:
            self._line(f"{name} {rest}")
            return
        self.blocks.line_break()
        words = self.words(rest)
        self._put(" ".join(words) if name == "Fd" else f"#include <{''.join(words[:1])}>{''.join(words[1:])}")
        self.blocks.line_break()

    def _open_reference(self, *_: object) -> None:
        self._references = []

    def _reference_part(self, rest: str) -> None:
        part = self._words_of.seen(rest)
        if self._references is None:
            self._put(part)
        else:
            self._references.append(part)

    def _end_reference(self, *_: object) -> None:
        if self._references:
            self._put(f"{', '.join(self._references)}.")
        self._references = None

    BLOCKS: ClassVar[dict[str, Callable[[MdocPage, str, str], None]]] = {
        "Dt": _title_line,
        **dict.fromkeys(("Sh", "Ss"), _heading),
        **dict.fromkeys(("Pp", "Lp"), _break_paragraph),
        "Bl": _open_list,
        "El": _end_list,
        "It": _item,
        "Bd": _open_display,
        "Ed": _end_display,
        **dict.fromkeys(("D1", "Dl"), _display_line),
        "Nd": _description,
        "Ex": _status,
        "Rv": _return_value,
        **dict.fromkeys(("In", "Fd"), _included),
        "Rs": _open_reference,
        "Re": _end_reference,
    }


_OTHER_LISTS = frozenset(("-enum", "-item", "-column"))
