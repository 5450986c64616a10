"""Gather the blocks of a man page: what is set in below a term or an item, code, rows, and the headings above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from expound.corpus.read.builder import Builder, dedent, join_blocks
from expound.corpus.read.document import Block
from expound.corpus.read.man_escapes import JOIN, join_lines

# Of these nobody sees more than three; a million of them must not make each block compare itself with all others.
_DEEPEST = 20
# "-o option=value, --option=value": what is longer, or ends so, is a sentence and no term.
_LONGEST_TERM = 120
# Terms that are joined line by line cost time by their square: a hostile page has no end of them.
_LONGEST_JOINED = 1000
_BULLETS = "•·▪◦○–—□*-+o"
_ENDS_SENTENCE = (".", ":", ";", "!", "?")


class Blocks:
    """The blocks while a page is read: text, macro by macro, goes to whatever is open."""

    def __init__(self) -> None:
        self._builder = Builder()
        self._held: list[str] | None = None
        self._heading = 0
        # The heading that was opened last: its level, its text, and how many blocks stand above it.
        self._opened = (0, "", 0)
        self._mark = ""
        # Whether the next line is a term.
        self._awaits_term = False
        # For every level that is set in, whether an item or a term is open in it.
        self._inside = [False]

    def done(self) -> list[Block]:
        """Every block, closed."""
        self.fill()
        self._builder.end()
        self._keep_bare(1)
        return [
            replace(block, text=join_lines(block.text), path=tuple(map(join_lines, block.path)))
            for block in self._builder.blocks
        ]

    @property
    def is_code(self) -> bool:
        return self._held is not None

    def heading(self, level: int, text: str) -> None:
        """A section's heading; without text it is the line that follows."""
        self.fill()
        self._inside, self._awaits_term = [False], False
        self._builder.end()
        self._heading = 0 if text else level
        if text:
            self._keep_bare(level)
            self._builder.open_heading(level, text)
            self._opened = (level, text, len(self._builder.blocks))

    def _keep_bare(self, level: int) -> None:
        """A heading within a section that nothing stands below is what that section says."""
        opened, text, blocks = self._opened
        if opened > 1 and level <= opened and blocks == len(self._builder.blocks):
            self._builder.add("paragraph", text)

    def text(self, line: str) -> None:
        """A line of whatever is open."""
        if self._held is not None:
            self._held.append(line)
        elif self._heading:
            self.heading(self._heading, line)
        elif self._awaits_term:
            term = self._builder.lines[-1] + line
            # A term that goes on and on would be copied with each of its lines.
            self._awaits_term = line.endswith(JOIN) and len(term) < _LONGEST_JOINED
            self._builder.lines[-1] = term
        else:
            self._take(line)

    def _take(self, line: str) -> None:
        if not self._builder.lines and self._builder.kind == "paragraph":
            self._builder.start("paragraph", level=self._level())
        self._builder.take(line)

    def _level(self) -> int:
        """How far in a paragraph stands: one more where it goes on with an item or a term."""
        return min(len(self._inside) - 1 + self._inside[-1], _DEEPEST)

    def pause(self) -> None:
        """A blank line: what follows still belongs to the item or the term that is open."""
        if self._held is not None:
            self._held.append("")
        elif not self._is_bare():
            self._builder.end()

    def line_break(self) -> None:
        """The end of a line, which ends a paragraph; an item or a meaning goes on."""
        if self._held is None and self._builder.kind == "paragraph":
            self._builder.end()

    def paragraph(self) -> None:
        """A paragraph at the margin of its level."""
        if self._held is not None:
            self._held.append("")
            return
        self._awaits_term = False
        if not self._is_bare():
            self._builder.end()
        self._inside[-1] = False

    def _is_bare(self) -> bool:
        """Whether a term or the mark of an item is open, and nothing behind it yet."""
        return len(self._builder.lines) == {"definition": 1, "item": 0}.get(self._builder.kind, -1)

    def item(self, mark: str) -> None:
        """An item of a list."""
        if self._held is None:
            self._awaits_term = False
            self._mark = mark
            self._builder.start("item", mark, min(len(self._inside) - 1, _DEEPEST))
            self._inside[-1] = True

    def term(self, text: str = "") -> None:
        """A term, or that it is the next line; two of them above one meaning are one."""
        if self._held is not None:
            self._held += [text] if text else []
            return
        builder = self._builder
        is_bare = self._is_bare() and builder.kind == "definition" and self._inside[-1]
        if is_bare and 0 < len(builder.lines[0]) <= _LONGEST_TERM:
            builder.lines = [f"{builder.lines[0].removesuffix(', ')}, {text}"]
        else:
            builder.start("definition", level=min(len(self._inside) - 1, _DEEPEST))
            builder.lines = [text]
        self._awaits_term = not text
        self._inside[-1] = True

    def set_in(self) -> None:
        """What follows stands further in; a few words right above it are its term."""
        builder = self._builder
        if self._held is None and builder.kind == "paragraph" and builder.lines and not self._inside[-1]:
            words = join_blocks(builder.lines) if len(builder.lines) < 5 else ""
            if 0 < len(words) <= _LONGEST_TERM and not words.endswith(_ENDS_SENTENCE):
                builder.kind, builder.lines = "definition", [words]
        if not self._is_bare():
            self.fill()
            builder.end()
        self._inside.append(False)

    def set_out(self) -> None:
        """Back to the level before."""
        self.fill()
        self._awaits_term = False
        self._builder.end()
        if len(self._inside) > 1:
            self._inside.pop()

    def code(self) -> None:
        """From here on the lines are kept as they are."""
        if self._held is None:
            self._awaits_term, self._heading = False, 0
            self._end_before_code()
            self._held = []

    def _end_before_code(self) -> None:
        """Close what is open; of an item that is nothing but code the number would be lost."""
        number = self._mark if self._builder.kind == "item" and not self._builder.lines else ""
        self._builder.end()
        if number.strip(_BULLETS):
            self._builder.add("paragraph", number, level=self._level() - 1)

    def fill(self) -> None:
        """The end of code."""
        held, self._held = self._held, None
        if held:
            self._builder.add("code", "\n".join(dedent([line.expandtabs(8) for line in held])), level=self._level())

    def code_line(self, line: str) -> None:
        """A line of code by itself."""
        is_code = self.is_code
        self.code()
        self.text(line)
        if not is_code:
            self.fill()

    def table(self, rows: Sequence[str], *, has_header: bool) -> None:
        """Rows, a line each."""
        self.fill()
        self._awaits_term = False
        if rows:
            self._builder.add("table", "\n".join(rows), "header" if has_header else "", self._level())
