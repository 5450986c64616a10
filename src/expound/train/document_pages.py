"""Split pages written in Markdown, reStructuredText or plain text into passages under their headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from expound.train.texts import split_sentences

MOST_WORDS = 120
Kind = Literal["heading", "text", "item", "code", "table"]

_FRONT_MATTER = re.compile(r"\A\ufeff?---\n.*?\n---\n", re.S)
_ANCHOR = re.compile(r"<a (?:name|id)=[^>]*></a>|\s*\{#[\w-]+\}|<!--.*?-->", re.S)
_ROLE = re.compile(r":[\w:+-]+:`(?:[~!])?([^`<]+?)(?:\s*<[^>]*>)?`")
_LINK = re.compile(r"!?\[([^\]]+)\]\([^)\s]*(?: \"[^\"]*\")?\)|`([^`<]+?)\s*<[^>`]*>`__?")
_MARKED_HEADING = re.compile(r"^(#{1,6}|={2,5})\s+(.+?)\s*[#=]*$")
_UNDERLINE = re.compile(r"^([=\-~^\"'*+#`.:_])\1{2,}\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)]|#\.)\s+\S")
_DIRECTIVE = re.compile(r"^\s*\.\. ([\w-]+)::\s*(.*)$")
_CODE_DIRECTIVES = frozenset(
    {"code-block", "code", "sourcecode", "parsed-literal", "console", "prompt", "literalinclude"}
)
_DROPPED_DIRECTIVES = frozenset(
    "toctree contents image figure autoclass automodule autofunction automethod autosummary raw include index "
    "currentmodule module meta highlight only ifconfig plot graphviz".split()
)
_FENCE = re.compile(r"^\s*(```+|~~~+|:::+)")
_TABLE_ROW = re.compile(r"^\s*(\||\+[-=+]{3,})")
# Underlines that Markdown shares with reStructuredText: they make a heading of one line only.
_FEWEST_UNDERLINED = 3


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, an item, code or a table, as written."""

    kind: Kind
    text: str
    level: int = 0


@dataclass
class Section:
    """The blocks under one heading, with the headings above it."""

    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True)
class PagePassage:
    """Consecutive blocks under one heading, up to about 120 words."""

    document: str
    title: str
    path: tuple[str, ...]
    text: str
    section: int
    """Number of the section on its page."""

    def read(self, *, leaf: bool = True) -> str:
        """What a ranker reads: title and headings before the text; without its own heading if that is the question."""
        path = self.path if leaf else self.path[:-1]
        head = " > ".join(dict.fromkeys(part for part in (self.title, *path) if part))
        return f"{head}. {self.text}" if head else self.text


def page_passages(document: str, title: str, text: str) -> list[PagePassage]:
    """All passages of a page in their order."""
    return [
        PagePassage(document, title, section.path, " ".join(piece.split()), number)
        for number, section in enumerate(iter_sections(text))
        for piece in iter_pieces(section.blocks)
    ]


def iter_sections(text: str) -> Iterator[Section]:
    """The parts of a page, each with its heading path."""
    section, above = Section(()), list[tuple[int, str]]()
    for block in iter_blocks(text):
        if block.kind != "heading":
            section.blocks.append(block)
            continue
        if section.blocks:
            yield section
        above = [(level, name) for level, name in above if level < block.level]
        above.append((block.level, block.text))
        section = Section(tuple(name for _, name in above))
    if section.blocks:
        yield section


# --- blocks ---------------------------------------------------------------------------------------


def iter_blocks(text: str) -> Iterator[Block]:
    """Headings, paragraphs, items, code and tables of a page, markup of links and roles removed from prose."""
    lines = _ANCHOR.sub("", _FRONT_MATTER.sub("", text)).expandtabs(4).split("\n")
    marks: list[str] = []
    place = 0
    while place < len(lines):
        block, place = next_block(lines, place, marks)
        if block and block.text.strip():
            yield block if block.kind in ("code", "table") else Block(block.kind, plain(block.text), block.level)


def next_block(lines: Sequence[str], place: int, marks: list[str]) -> tuple[Block | None, int]:
    """The block that begins at a line, and the line after it."""
    line = lines[place]
    if not line.strip():
        return None, place + 1
    if _FENCE.match(line):
        return fenced(lines, place)
    if directive := _DIRECTIVE.match(line):
        return directed(lines, place, directive[1])
    if line.lstrip().startswith(".. "):
        return None, end_of_indented(lines, place)
    if heading := heading_at(lines, place, marks):
        return heading
    if _TABLE_ROW.match(line):
        end = end_while(lines, place, lambda row: bool(_TABLE_ROW.match(row)))
        return Block("table", "\n".join(row for row in lines[place:end] if re.search(r"\w", row))), end
    if line.startswith("    "):
        return indented(lines, place)
    return paragraph(lines, place, marks)


def heading_at(lines: Sequence[str], place: int, marks: list[str]) -> tuple[Block, int] | None:
    """A heading by its marks in front, or by the line under it; `marks` remembers the order of the underlines."""
    line = lines[place]
    if marked := _MARKED_HEADING.match(line):
        return Block("heading", marked[2], len(marked[1])), place + 1
    over = bool(_UNDERLINE.match(line)) and place + 2 < len(lines) and bool(_UNDERLINE.match(lines[place + 2]))
    start = place + 1 if over else place
    if start + 1 >= len(lines) or (line.startswith(" ") and not over):
        return None
    name, under = lines[start].strip(), lines[start + 1]
    is_heading = _UNDERLINE.match(under) and len(under.strip()) >= max(_FEWEST_UNDERLINED, len(name) - 2)
    if not name or not is_heading or _UNDERLINE.match(name) or len(name) > 150:
        return None
    mark = under[0] * 2 if over else under[0]
    if mark not in marks:
        marks.append(mark)
    return Block("heading", name, marks.index(mark) + 1), start + 2


def fenced(lines: Sequence[str], place: int) -> tuple[Block, int]:
    """Code between fences; a fence with a word such as `{note}` holds prose."""
    found = _FENCE.match(lines[place])
    mark = found[1] if found else "```"
    end = place + 1
    while end < len(lines) and not lines[end].strip().startswith(mark):
        end += 1
    body = "\n".join(lines[place + 1 : end])
    is_prose = mark.startswith(":") or re.search(r"\{(note|tip|warning|important|admonition)", lines[place])
    return Block("text" if is_prose else "code", body), end + 1


def directed(lines: Sequence[str], place: int, name: str) -> tuple[Block | None, int]:
    """A directive: code, prose, or nothing a reader would see."""
    end = end_of_indented(lines, place)
    if name in _DROPPED_DIRECTIVES:
        return None, end
    found = _DIRECTIVE.match(lines[place])
    argument = found[2] if found else ""
    body = [line for line in lines[place + 1 : end] if not re.match(r"^\s+:[\w-]+:", line)]
    if name in _CODE_DIRECTIVES:
        return Block("code", "\n".join(body).strip("\n")), end
    return Block("text", "\n".join([argument, *body])), end


def indented(lines: Sequence[str], place: int) -> tuple[Block, int]:
    """Lines set in: code, or the rest of an item."""
    end = end_of_indented(lines, place - 1) if place else end_while(lines, place, lambda row: row.startswith(" "))
    end = max(end, place + 1)
    text = "\n".join(lines[place:end]).strip("\n")
    return Block("item" if _ITEM.match(lines[place]) else "code", text), end


def paragraph(lines: Sequence[str], place: int, marks: list[str]) -> tuple[Block, int]:
    """Lines up to an empty one or one that begins something else."""
    end = place + 1
    while end < len(lines) and lines[end].strip() and not begins_other(lines, end, marks):
        end += 1
    return Block("item" if _ITEM.match(lines[place]) else "text", "\n".join(lines[place:end])), end


def begins_other(lines: Sequence[str], place: int, marks: list[str]) -> bool:
    """Whether a line ends the paragraph above it though no empty line stands between."""
    line = lines[place]
    starts = _FENCE.match(line) or _MARKED_HEADING.match(line) or _ITEM.match(line) or _TABLE_ROW.match(line)
    return bool(starts) or heading_at(lines, place, list(marks)) is not None


def end_of_indented(lines: Sequence[str], place: int) -> int:
    """The first line after `place` that is neither empty nor set in further."""
    depth = len(lines[place]) - len(lines[place].lstrip()) if lines[place].strip() else 0
    end = place + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
        end += 1
    return end


def end_while(lines: Sequence[str], place: int, holds: object) -> int:
    """The first line from `place` on for which a claim does not hold."""
    assert callable(holds)
    end = place
    while end < len(lines) and holds(lines[end]):
        end += 1
    return max(end, place + 1)


def plain(text: str) -> str:
    """Prose without the addresses of its links and the names of its roles."""
    text = _LINK.sub(lambda found: found[1] or found[2] or "", _ROLE.sub(r"\1", text))
    return re.sub(r"\\([\\`*_{}\[\]()#+\-.!<>|])", r"\1", text.replace("``", "`").replace("**", ""))


# --- passages -------------------------------------------------------------------------------------


def iter_pieces(blocks: Iterable[Block]) -> Iterator[str]:
    """Texts of up to 120 words; code and tables stay with the sentence that leads to them where there is room."""
    held: list[str] = []
    for unit in iter_units(blocks):
        size = len(unit.split())
        if held and sum(len(text.split()) for text in held) + size > MOST_WORDS:
            lead = held.pop() if len(held) > 1 and held[-1].rstrip().endswith(":") else None
            yield "\n".join(held)
            held = [lead] if lead and len(lead.split()) + size <= MOST_WORDS * 1.3 else []
        held.append(unit)
    if held:
        yield "\n".join(held)


def iter_units(blocks: Iterable[Block]) -> Iterator[str]:
    """Blocks, long ones cut: prose between sentences, code and tables between lines, a table's header repeated."""
    for block in blocks:
        if len(block.text.split()) <= MOST_WORDS:
            yield block.text
        elif block.kind in ("code", "table"):
            lines = block.text.split("\n")
            header = lines[0] if block.kind == "table" else ""
            yield from gathered(lines[1:] if header else lines, header=header, joint="\n")
        else:
            yield from gathered([s for s in split_sentences(block.text) if s], header="", joint=" ")


def gathered(parts: Sequence[str], *, header: str, joint: str) -> Iterator[str]:
    """Parts put together up to the limit; one longer than that is cut between words."""
    held: list[str] = []
    room = max(20, MOST_WORDS - len(header.split()))
    for part in (piece for whole in parts for piece in cut(whole, room)):
        if held and sum(len(text.split()) for text in held) + len(part.split()) > room:
            yield joint.join([header, *held] if header else held)
            held = []
        held.append(part)
    if held:
        yield joint.join([header, *held] if header else held)


def cut(text: str, most: int) -> list[str]:
    """A text in parts of at most so many words."""
    words = text.split()
    return [text] if len(words) <= most else [" ".join(words[i : i + most]) for i in range(0, len(words), most)]
