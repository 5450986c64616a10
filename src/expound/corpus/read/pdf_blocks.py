"""Make typed blocks of the lines of a PDF: paragraphs, items, code, tables, definitions and captions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from expound.corpus.read.contents_lines import heads_contents
from expound.corpus.read.document import Block, Kind, Outline
from expound.corpus.read.pdf_facts import Facts, facts_of
from expound.corpus.read.pdf_headings import Heading, OutlineEntry, find_headings
from expound.corpus.read.pdf_lines import Line
from expound.corpus.read.pdf_notes import find_notes, note_block, with_notes
from expound.corpus.read.pdf_tables import table_length, table_text
from expound.corpus.read.pdf_text import code_text, join_lines

# In ems: what counts as an indentation, and how much room a short line must leave for the next word.
_INDENT = 0.8
_ROOM = 1.5  # a ragged edge: a word that would just have fitted may stand in the next line
# A term is a short line; its text stands at most so many ems further right, at most so many lines below.
_LONGEST_TERM = 90
_DEEPEST = 8  # what stands further right is another column
_TERM_DISTANCE = 2.0  # in usual distances of lines: an empty line may stand between
# A dash or a star needs a blank behind it: without one it is a minus, a hyphen or emphasis.
_BULLET = r"[•●○◦▪■□‣◆◇❖➢➤✓✔]\s*|[∙·\u2013\u2014*+-]\s+"
# Numbers of up to three digits: a year at the head of a line is no item.
_MARK = re.compile(rf"(?:({_BULLET})|(\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,5}})[.)])\s+)(?=\S)")
# With a sign behind the number: "Table 3 shows that" begins a sentence.
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|listing|example|abbildung|tabelle|tableau)\s+[A-Z]?\d+(?:[.-]\d+)*\s?[.:—–-]", re.I
)
_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")


def blocks_of(pages: Sequence[Sequence[Line]], entries: Sequence[OutlineEntry]) -> list[Block]:
    """The blocks of a document, in order, each with its headings and the page that it starts on."""
    lines = [line for page in pages for line in page]
    if not lines:
        return []
    facts = facts_of(lines)
    # Notes are taken out of the flow: a paragraph goes on behind them.
    notes = find_notes(pages, facts.body)
    aside = {id(line) for group in notes for line in group}
    flow = [line for line in lines if id(line) not in aside]
    blocks = _Flow(flow, find_headings(flow, entries, facts.body), facts).blocks()
    return with_notes(blocks, [note_block(group, facts) for group in notes])


class _Flow:
    """Goes down the lines and takes what belongs together; every method that takes returns how many lines it took."""

    def __init__(self, lines: Sequence[Line], headings: Mapping[int, Sequence[Heading]], facts: Facts) -> None:
        self._lines = lines
        self._headings = headings
        self._facts = facts
        self._outline = Outline()
        self._blocks: list[Block] = []
        self._indents: list[float] = []

    def blocks(self) -> list[Block]:
        number = 0
        while number < len(self._lines):
            taken = self._take_headings(number)
            # From the surest sign to the weakest: whatever is left is a paragraph.
            takers = (self._take_definition, self._take_code, self._take_item, self._take_table, self._take_paragraph)
            number += taken or next(filter(None, (take(number) for take in takers)))
        return self._blocks

    def _add(self, text: str, kind: Kind, start: int, mark: str = "", level: int = 0) -> None:
        page = self._lines[start].page
        block = Block(text=text, kind=kind, path=self._path(), mark=mark, level=level, page=page)
        # Any paragraph at the margin ends a list; code and tables may stand inside one.
        if kind != "item":
            self._indents = self._indents if kind != "paragraph" else []
        self._blocks.append(block)

    def _path(self) -> tuple[str, ...]:
        """The open headings; a part and its only chapter of the same name are one."""
        path = self._outline.path
        return tuple(text for number, text in enumerate(path) if not number or text != path[number - 1])

    def _take_headings(self, start: int) -> int:
        taken = 0
        for heading in self._headings.get(start, ()):
            # Outlines put chapters below the contents that name them; nothing is said under that heading.
            self._outline.open(heading.level, "" if heads_contents(heading.text) else heading.text)
            taken = max(taken, heading.lines)
        if taken:
            self._indents = []
        return taken

    def _take_code(self, start: int) -> int:
        if not self._is_code(start) or self._is_inside_prose(start):
            return 0
        # A page break ends a run, and the next one is joined to it below.
        end = self._run(start, self._is_code_line)
        lines = self._lines[start:end]
        text = code_text(lines, self._facts.leading(lines[0]))
        previous = self._blocks[-1] if self._blocks else None
        # Code that goes on over a page break is one block.
        if previous and previous.kind == "code" and start and self._crosses(start) and self._is_code(start - 1):
            self._blocks[-1] = replace(previous, text=f"{previous.text}\n{text}")
        else:
            self._add(text, "code", start)
        return end - start

    def _is_code(self, number: int) -> bool:
        return self._facts.has_code and self._lines[number].is_mono

    def _is_code_line(self, number: int) -> bool:
        return self._is_code(number) and not self._crosses(number)

    def _is_inside_prose(self, start: int) -> bool:
        """A wrapped line that happens to hold nothing but a file name belongs to its paragraph."""
        if start == 0 or self._is_code(start - 1):
            return False
        above, line = self._lines[start - 1], self._lines[start]
        alone = start + 1 >= len(self._lines) or not self._is_code(start + 1)
        is_level = abs(above.left - line.left) < _INDENT * line.size or bool(_MARK.match(above.text))
        return alone and is_level and self._facts.is_near(above, line) and not _ENDS.search(above.text)

    def _crosses(self, number: int) -> bool:
        """Whether a line is the first of its page or column."""
        above, line = self._lines[number - 1], self._lines[number]
        return (above.page, above.region) != (line.page, line.region)

    def _run(self, start: int, belongs: Callable[[int], bool]) -> int:
        """The first line after the start that does not belong; headings never do."""
        end = start + 1
        while end < len(self._lines) and end not in self._headings and belongs(end):
            end += 1
        return end

    def _take_table(self, start: int) -> int:
        last = self._run(start, lambda number: not self._crosses(number))
        count = table_length(self._lines[start:last], 0)
        if not count:
            return 0
        text, has_header = table_text(self._lines[start : start + count])
        self._add(text, "table", start, "header" if has_header else "")
        return count

    def _take_item(self, start: int) -> int:
        line = self._lines[start]
        mark = _MARK.match(line.text)
        # A number before several cells is the first cell of a row.
        if not mark or (mark.group(2) and len(line.cells) > 2) or not self._is_item(start, mark.group(2) or ""):
            return 0
        end = self._run(start, lambda number: self._is_rest_of_item(start, number))
        # The mark stands in the first line, which joining leaves where it is.
        text = self._join_lines(start, end)[mark.end() :]
        self._add(text, "item", start, mark=mark.group().strip(), level=self._level(line))
        return end - start

    def _is_item(self, start: int, number: str) -> bool:
        """A number starts an item only where a list can be: "3. May" at the head of a wrapped line is none."""
        if not number or start == 0:
            return True
        above, line = self._lines[start - 1], self._lines[start]
        # After an item another one is likely, wherever its number stands.
        if self._blocks and self._blocks[-1].kind == "item":
            return True
        return not self._facts.is_near(above, line) or not _is_full(above, line) or bool(_ENDS.search(above.text))

    def _is_rest_of_item(self, start: int, number: int) -> bool:
        first, above, line = self._lines[start], self._lines[number - 1], self._lines[number]
        # A tenth larger is another style, most often a heading that the outline does not name.
        if _MARK.match(line.text) or line.size > first.size * 1.1:
            return False
        if self._is_code(number) and not self._is_inside_prose(number):
            return False
        if self._crosses(number):
            # At the top of the next page only a sentence that was left open goes on.
            return self._runs_on(above, line)
        # Less than an indentation: the text of an item hangs as far right as its mark is wide.
        is_inside = line.left > first.left + 0.4 * first.size
        if not self._facts.is_near(above, line):
            return False
        # The second line of an item may stand at the margin of its mark.
        goes_on = line.text[0].islower() or (number == start + 1 and _is_full(above, line))
        return is_inside or (goes_on and not _ENDS.search(above.text))

    def _level(self, line: Line) -> int:
        """How deeply an item is nested, by the indentation of its mark."""
        self._indents = [left for left in self._indents if left < line.left - _INDENT * line.size / 2]
        self._indents.append(line.left)
        return len(self._indents) - 1

    def _take_definition(self, start: int) -> int:
        """Terms on lines of their own with their text indented below them."""
        if not self._is_term(start):
            return 0
        text = self._run(start, lambda n: self._is_term(n) and self._follows_level(n))
        if text >= len(self._lines) or text in self._headings or not self._explains(text):
            return 0
        end = self._run(text, lambda number: self._is_rest_of_paragraph(text, number))
        terms = [line.text for line in self._lines[start:text]]
        self._add("\n".join([*terms, self._join_lines(text, end)]), "definition", start)
        return end - start

    def _is_term(self, number: int) -> bool:
        line = self._lines[number]
        # A term does not fill its line; a line that does is wrapped prose.
        if len(line.text) > _LONGEST_TERM or line.right > line.edge - 2 * line.size:
            return False
        return line.is_bold or line.is_mono or not (_MARK.match(line.text) or re.search(r"[.,!?:;]$", line.text))

    def _follows_level(self, number: int) -> bool:
        above, line = self._lines[number - 1], self._lines[number]
        return abs(above.left - line.left) <= 1 and self._facts.is_near(above, line, _TERM_DISTANCE)

    def _explains(self, number: int) -> bool:
        """Whether a line is the start of the text below a term."""
        above, line = self._lines[number - 1], self._lines[number]
        is_prose = not line.is_mono and not line.is_bold and not _MARK.match(line.text) and len(line.cells) == 1
        # A term in plain type needs a deeper indentation to be believed.
        least = _INDENT if above.is_bold or above.is_mono else 2 * _INDENT
        inside = least * line.size < line.left - above.left < _DEEPEST * line.size
        return is_prose and inside and self._facts.is_near(above, line, _TERM_DISTANCE)

    def _take_paragraph(self, start: int) -> int:
        end = self._run(start, lambda number: self._is_rest_of_paragraph(start, number))
        text = self._join_lines(start, end)
        self._add(text, "caption" if _CAPTION.match(text) else "paragraph", start)
        return end - start

    def _is_rest_of_paragraph(self, start: int, number: int) -> bool:
        above, line = self._lines[number - 1], self._lines[number]
        if abs(line.size - above.size) > 0.1 * above.size and not self._same_size_as_any(start, number):
            return False
        if self._is_code(number) and not self._is_inside_prose(number):
            return False
        if self._crosses(number):
            return self._runs_on(above, line) and not _MARK.match(line.text)
        if not self._facts.is_near(above, line) or _CAPTION.match(line.text):
            return False
        if self._starts_item(number) or self._starts_table(number):
            return False
        return not self._is_indented(start, number) and not _ends_early(above, line)

    def _same_size_as_any(self, start: int, number: int) -> bool:
        """A line of mostly small capitals or symbols is measured wrong; the lines around it are not."""
        size = self._lines[number].size
        return any(self._lines[n].size == size for n in range(max(start, number - 3), number))

    def _starts_item(self, number: int) -> bool:
        mark = _MARK.match(self._lines[number].text)
        return bool(mark) and self._is_item(number, (mark.group(2) if mark else "") or "")

    def _starts_table(self, number: int) -> bool:
        line = self._lines[number]
        # No more than is needed to see three rows.
        return len(line.cells) >= 2 and table_length(self._lines[number : number + 40], 0) > 0

    def _is_indented(self, start: int, number: int) -> bool:
        """Whether a line starts further right than the paragraph's, or left of an indented one."""
        above, line = self._lines[number - 1], self._lines[number]
        step = _INDENT * line.size
        # The lines of a centred paragraph start anywhere.
        if abs((above.left + above.right) - (line.left + line.right)) < line.size:
            return False
        if line.left > above.left + step:
            return number - start > 1 or not _is_full(above, line) or bool(_ENDS.search(above.text))
        return line.left < above.left - step and (number - start > 1 or not _is_full(above, line))

    def _runs_on(self, above: Line, line: Line) -> bool:
        """Whether a paragraph goes on at the top of the next column or page."""
        # Different type is another paragraph, wherever it stands.
        if _ENDS.search(above.text) or line.is_mono != above.is_mono or abs(line.size - above.size) > 0.6:
            return False
        return line.text[0].islower() or (_is_full(above, line) and len(line.cells) == 1 and len(above.cells) == 1)

    def _join_lines(self, start: int, end: int) -> str:
        return join_lines([line.text for line in self._lines[start:end]], self._facts.words)


def _is_full(above: Line, line: Line) -> bool:
    """Whether the first word of the next line would not have fitted any more."""
    word = line.text.split(maxsplit=1)[0]
    width = (line.right - line.left) * len(word) / max(len(line.text), 1)
    # By the mean width of the line's own letters: fonts rarely tell their widths.
    return above.right + width + 0.25 * line.size > above.edge - _ROOM * line.size


def _ends_early(above: Line, line: Line) -> bool:
    return not _is_full(above, line) and bool(_ENDS.search(above.text)) and not line.text[0].islower()
