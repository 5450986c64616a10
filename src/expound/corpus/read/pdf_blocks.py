"""Make typed blocks of the lines of a PDF: paragraphs, items, code, tables, definitions and captions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from expound.corpus.read.document import Block, Outline
from expound.corpus.read.pdf_headings import Heading, OutlineEntry, find_headings
from expound.corpus.read.pdf_lines import Line
from expound.corpus.read.pdf_tables import table_length, table_text
from expound.corpus.read.unwrap import BREAK_MARK

# Lines further apart than this many times the usual distance belong to two paragraphs.
_LOOSE = 1.25
# In ems: what counts as an indentation, and how much room a short line must leave for the next word.
_INDENT = 0.8
_ROOM = 1.5  # a ragged edge: a word that would just have fitted may stand in the next line
# Where this share of the text is typewriter type, that is the author's taste and not code.
_ALL_MONO = 0.6
# Footnotes are set at 80 to 90 % of the body; less of a difference is rounding.
_SMALL = 0.93
# A term is a short line; its text stands at most so many ems further right, at most so many lines below.
_LONGEST_TERM = 90
_DEEPEST = 8  # what stands further right is another column
_TERM_DISTANCE = 2.0  # in usual distances of lines: an empty line may stand between
_BULLET = r"[•●○◦▪■□‣◆◇❖➢➤✓✔]\s*|[∙·\u2013\u2014*+-]\s+"
_MARK = re.compile(rf"(?:({_BULLET})|(\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,5}})[.)])\s+)(?=\S)")
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|listing|example|abbildung|tabelle|tableau)\s+[A-Z]?\d+(?:[.-]\d+)*\s?[.:—–-]", re.I
)
_FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§]|\[\d{1,3}\])\s?\S")
_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")
_BROKEN = re.compile(rf"[^\W\d_][-{BREAK_MARK}]$")
# What looks like an option or a path keeps a hyphen at the line's end.
_NAME = re.compile(r"(?:^|[\s(\[\"'‘“])(?:--?\w|[\w.~-]*/)\S*-$")
_SPLIT_PATH = re.compile(r"(?:^|\s)(?:[\w.~-]*/)+[\w.-]*/$|://\S*/$")
_OPTION = re.compile(r"--[a-z][\w-]*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def blocks_of(pages: Sequence[Sequence[Line]], entries: Sequence[OutlineEntry]) -> list[Block]:
    """The blocks of a document, in order, each with its headings and the page that it starts on."""
    lines = [line for page in pages for line in page]
    if not lines:
        return []
    body = _body_size(lines)
    # Notes are taken out of the flow: a paragraph goes on behind them.
    notes = _footnotes(pages, body)
    aside = {id(line) for group in notes for line in group}
    flow = [line for line in lines if id(line) not in aside]
    facts = _Facts(body, _leadings(lines), _words(lines), _has_code(lines))
    blocks = _Flow(flow, find_headings(flow, entries, body), facts).blocks()
    return _with_notes(blocks, [_note(group, facts) for group in notes])


@dataclass(frozen=True, slots=True)
class _Facts:
    """What holds for the whole document: usual size, usual distances, its words, whether typewriter type is code."""

    body: float
    leadings: Mapping[float, float]
    words: Collection[str]
    has_code: bool

    def is_near(self, above: Line, line: Line, share: float = _LOOSE) -> bool:
        """Whether a line follows another in its region at no more than the usual distance."""
        if (above.page, above.region) != (line.page, line.region):
            return False
        return 0 < above.base - line.base <= share * self.leading(line)

    def leading(self, line: Line) -> float:
        return self.leadings.get(line.size, 1.25 * line.size)


def _body_size(lines: Sequence[Line]) -> float:
    # A manual full of listings would otherwise have their size.
    prose = [line for line in lines if not line.is_mono] or lines
    sizes = Counter[float]()
    for line in prose:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0]


def _leadings(lines: Sequence[Line]) -> dict[float, float]:
    """The usual distance between lines of each size."""
    gaps: dict[float, list[float]] = defaultdict(list)
    for above, line in pairwise(lines):
        gap = above.base - line.base
        if (
            above.size == line.size
            and (above.page, above.region) == (line.page, line.region)
            and 0 < gap < 3 * line.size
        ):
            gaps[line.size].append(gap)
    # Most lines are inside paragraphs, so that a low quantile is robust against short ones.
    # At least a line's own height: raised marks stand closer than any line.
    return {size: max(sorted(found)[len(found) // 3], 0.9 * size) for size, found in gaps.items()}


def _words(lines: Sequence[Line]) -> frozenset[str]:
    """Every word of the text in lower case, to know how a broken word is written elsewhere."""
    words = {word.lower() for line in lines for word in _WORD.findall(line.text)}
    return frozenset(words.union(*(_OPTION.findall(line.text) for line in lines if "--" in line.text)))


def _has_code(lines: Sequence[Line]) -> bool:
    mono = sum(len(line.text) for line in lines if line.is_mono)
    return mono < _ALL_MONO * sum(len(line.text) for line in lines)


def _footnotes(pages: Sequence[Sequence[Line]], body: float) -> list[list[Line]]:
    """The groups of small lines at the foot of a page, the first of which starts with a mark."""
    groups: list[list[Line]] = []
    for page in pages:
        start = len(page)
        while start and page[start - 1].size <= _SMALL * body and not page[start - 1].is_mono:
            start -= 1
        marked = [n for n in range(start, len(page)) if _FOOTNOTE.match(page[n].text)]
        # A page of small print alone, or one that begins within a note, has no text above to belong to.
        if start > 0 and marked and marked[0] == start:
            ends = [*marked[1:], len(page)]
            groups += [list(page[a:b]) for a, b in zip(marked, ends, strict=True)]
    return groups


def _note(lines: Sequence[Line], facts: _Facts) -> Block:
    return Block(join_lines([line.text for line in lines], facts.words), page=lines[0].page)


def _with_notes(blocks: Sequence[Block], notes: Sequence[Block]) -> list[Block]:
    """The notes of a page after the last block that starts on it: a paragraph is not broken by them."""
    merged: list[Block] = []
    waiting = deque(notes)
    for block in blocks:
        # Blocks of a page come together, so that its notes can follow the last of them.
        while waiting and (waiting[0].page or 0) < (block.page or 0):
            merged.append(_under(merged, waiting.popleft()))
        merged.append(block)
    return [*merged, *(_under(merged, note) for note in waiting)]


def _under(blocks: Sequence[Block], note: Block) -> Block:
    return replace(note, path=blocks[-1].path if blocks else ())


class _Flow:
    """Goes down the lines and takes what belongs together; every method that takes returns how many lines it took."""

    def __init__(self, lines: Sequence[Line], headings: Mapping[int, Sequence[Heading]], facts: _Facts) -> None:
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

    def _add(self, text: str, kind: str, start: int, mark: str = "", level: int = 0) -> None:
        block = Block(text, kind, self._path(), mark, level, self._lines[start].page)  # type: ignore[arg-type]
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
            self._outline.open(heading.level, heading.text)
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
        text = self._joined(start, end)[mark.end() :]
        self._add(text, "item", start, mark.group().strip(), self._level(line))
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
        if _MARK.match(line.text) or line.size > first.size * 1.1:
            return False
        if self._is_code(number) and not self._is_inside_prose(number):
            return False
        if self._crosses(number):
            # At the top of the next page only a sentence that was left open goes on.
            return self._runs_on(above, line)
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
        self._add("\n".join([*terms, self._joined(text, end)]), "definition", start)
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
        text = self._joined(start, end)
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

    def _joined(self, start: int, end: int) -> str:
        return join_lines([line.text for line in self._lines[start:end]], self._facts.words)


def _is_full(above: Line, line: Line) -> bool:
    """Whether the first word of the next line would not have fitted any more."""
    word = line.text.split(maxsplit=1)[0]
    width = (line.right - line.left) * len(word) / max(len(line.text), 1)
    # By the mean width of the line's own letters: fonts rarely tell their widths.
    return above.right + width + 0.25 * line.size > above.edge - _ROOM * line.size


def _ends_early(above: Line, line: Line) -> bool:
    return not _is_full(above, line) and bool(_ENDS.search(above.text)) and not line.text[0].islower()


def join_lines(texts: Sequence[str], words: Collection[str]) -> str:
    """One line of several; a word that was broken at a line's end is made whole, unless it has its hyphen elsewhere."""
    joined = ""
    for text in texts:
        # Only what ends in a hyphen is looked at; all else is joined with a blank.
        if not _BROKEN.search(joined[-2:]):
            joined = text if not joined else joined + ("" if _is_split_name(joined, text, words) else " ") + text
            continue
        head, tail = _last_word(joined[:-1]), _WORD.match(text)
        whole = head + (tail.group() if tail else "")
        hyphened = f"{head}-{tail.group()}" if tail else ""
        is_name = _NAME.search(joined) is not None
        # A capital or digit behind the hyphen, or the same word with
        # its hyphen elsewhere: the hyphen is the author's.
        keeps = is_name or not text[0].islower() or (hyphened.lower() in words and whole.lower() not in words)
        joined = joined[:-1] + ("-" if keeps else "") + text
    return joined.replace(BREAK_MARK, "-")


def _is_split_name(joined: str, text: str, words: Collection[str]) -> bool:
    """Whether a path or an option was cut where no letter stands: "etc/" and "hosts", "--" and "verbose"."""
    if _SPLIT_PATH.search(joined[-40:]):
        return True
    option = joined.rpartition(" ")[2] + text.split(maxsplit=1)[0].partition("=")[0].rstrip(".,;:)")
    return option.startswith("--") and option in words


def _last_word(text: str) -> str:
    found = _WORD.findall(text[-60:])
    return found[-1] if found else ""


def code_text(lines: Sequence[Line], leading: float) -> str:
    """Lines of code with their indentation, inner spaces and blank lines, as the characters stand on the page."""
    pitches = [line.pitch for line in lines if line.pitch > 0]
    # Six tenths of an em is the pitch of most typewriter fonts.
    pitch = median(pitches) if pitches else lines[0].size * 0.6
    left = min(line.left for line in lines)
    shown: list[str] = []
    for number, line in enumerate(lines):
        # A gap of nearly two lines is an empty one.
        if number and lines[number - 1].base - line.base > 1.7 * leading:
            shown.append("")
        shown.append(_code_line(line, left, pitch))
    return "\n".join(shown).replace(BREAK_MARK, "-")


def _code_line(line: Line, left: float, pitch: float) -> str:
    """As many spaces as characters would fit: counted from the last one, since listings may stretch a line."""
    text, end = "", left
    for start, letters in line.starts:
        gap = (start - end) / pitch
        # Rounded down a little, but a gap that can be seen is at least one space.
        text += " " * max(int(gap + 0.35), gap > 0.4) + letters
        end = start + pitch * len(letters)
    return text
