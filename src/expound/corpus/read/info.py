"""Read Info files, as which Texinfo manuals are installed: nodes as sections, terms with their meaning, items, code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from expound.corpus.read.document import Block, Document, Outline
from expound.corpus.read.info_blocks import InfoBlocks
from expound.corpus.read.raw import decode, is_text, name_of, not_text, read_raw, stem_of
from expound.errors import BadInput
from expound.text.plain import plain

_SUFFIX = re.compile(r"\.info(?:-\d{1,3})?")
_BREAK = re.compile(r"^\x1f.*$", re.MULTILINE)
_HEADER = re.compile(r"\s*File: [^\n]*\bNode: [^\n]*(?:\n|$)")
# Pictures are marked by NUL, which no other text has.
_PICTURE = re.compile(r"\0\x08\[[^\0]*+\0\x08\]")
_UNDERLINE = re.compile(r"([*=\-.])\1*+")
_LEVELS = "*=-."
_MENU = "* Menu:"
_MENU_ENTRY = re.compile(r"\* [^:\n]++:")
_REFERENCE = re.compile(r"\*[Nn]ote\s+(?:[^:]{1,200}?::|([^:]{1,200}?):\s+[^.,:\n]{1,200})")


def is_info_suffix(suffix: str) -> bool:
    """Whether Info files are called so; long ones are cut into `.info-1`, `.info-2` and so on."""
    return _SUFFIX.fullmatch(suffix) is not None


def read(path: Path) -> Iterator[Document]:
    """One document per file."""
    text = _PICTURE.sub("", decode(read_raw(path)))
    if not is_text(text):
        raise not_text(path)
    # Before control characters go: one of them stands between two nodes.
    nodes = [node for node in _BREAK.split(text)[1:] if _HEADER.match(node)]
    if not nodes and "\nIndirect:" in text:
        raise BadInput(f"{name_of(path)}: only lists its parts; add the files beside it whose names end in a number")
    yield document_of(nodes or [text], stem_of(path))


def document_of(nodes: Sequence[str], name: str) -> Document:
    """The document of all nodes, called like its first heading if that names the program, or like its file."""
    outline, blocks = Outline(), list[Block]()
    for node in nodes:
        blocks += _join_examples(_node_blocks(plain(_HEADER.sub("", node, count=1)), outline))
    top = next((block.path[0] for block in blocks if block.path), "")
    if name.lower() not in top.lower():
        return Document(name, tuple(blocks))
    return Document(top, tuple(replace(block, path=tuple(h for h in block.path if h != top)) for block in blocks))


def _node_blocks(text: str, outline: Outline) -> Iterator[Block]:
    blocks = InfoBlocks()
    for chunk, following in pairwise([*_without_menus(_chunks(text)), []]):
        level = _heading_level(chunk)
        if level:
            blocks = InfoBlocks()
            outline.open(level, chunk[0].strip())
        lines = chunk[2:] if level else chunk
        if lines:
            yield from (replace(block, path=outline.path) for block in blocks.take(lines, following))


def _join_examples(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks, code that blank lines part as one: it is one example, which one sentence introduces."""
    last: Block | None = None
    for block in blocks:
        if last and last.kind == block.kind == "code" and (last.path, last.level) == (block.path, block.level):
            last = replace(last, text=f"{last.text}\n\n{block.text}")
            continue
        if last:
            yield last
        last = block
    if last:
        yield last


def _chunks(text: str) -> Iterator[list[str]]:
    """The lines between blank lines; references as a reader of the manual sees them."""
    shown = _REFERENCE.sub(lambda found: found.group(1) or _label(found.group()), text)
    for chunk in re.split(r"\n(?:[ \t]*\n)+", shown.strip("\n")):
        if chunk.strip():
            yield [line.expandtabs(8).rstrip() for line in chunk.split("\n")]


def _label(reference: str) -> str:
    """What a reference without a label of its own points at: "*note Signals::" is "Signals".

    The capital one begins a sentence, which readers of Info show as "See Signals".
    """
    note, target = reference.rstrip(":").split(None, 1)
    return f"See {target}" if note == "*Note" else target


def _heading_level(chunk: Sequence[str]) -> int:
    """The level of the heading that lines open with, by its underline, which is as long as it; 0 if there is none."""
    if len(chunk) < 2:
        return 0
    heading, rule = chunk[0].strip(), chunk[1].strip()
    underline = _UNDERLINE.fullmatch(rule)
    return _LEVELS.index(underline.group(1)) + 1 if underline and len(rule) == len(heading) else 0


def _without_menus(chunks: Iterator[list[str]]) -> Iterator[list[str]]:
    """The chunks without menus, which only say what stands below, and indexes, which are menus as well."""
    in_menu = False
    held: list[list[str]] = []
    for chunk in chunks:
        if chunk[0].startswith(_MENU):
            in_menu, held = True, []
        elif in_menu and _MENU_ENTRY.match(chunk[0]):
            # Names of groups stand between the entries.
            held = []
        elif in_menu and len(chunk) <= 2 and not held:
            held.append(chunk)
        else:
            yield from held
            in_menu, held = False, []
            yield chunk
    yield from held
