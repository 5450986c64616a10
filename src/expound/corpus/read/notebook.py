"""Read Jupyter notebooks: Markdown cells as Markdown, code cells and their text outputs as code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Block, Document
from expound.corpus.read.markdown import blocks_of
from expound.corpus.read.raw import name_of, read_text, stem_of
from expound.errors import BadInput

# Stands for a code cell in the Markdown of the others, so that the cell comes under the heading above it.
_PLACE = "expoundcodecell{}ends"
_PLACES = re.compile(_PLACE.format(r"(\d+)"))
# "<Figure size 640x480 with 1 Axes>" tells nothing.
_BARE_OBJECT = re.compile(r"\s*<[^<>\n]*>\s*")


def read(path: Path) -> Iterator[Document]:
    """One document per notebook."""
    notebook = json.loads(read_text(path))
    cells = _cells(notebook)
    if cells is None:
        raise BadInput(f"{name_of(path)}: not a Jupyter notebook, it has no cells; check the file's suffix")
    code = [list(_code_blocks(cell, _language(notebook))) for cell in cells]
    texts = [_PLACE.format(number) if code[number] else _markdown(cell) for number, cell in enumerate(cells)]
    # All cells as one text: headings of one cell hold for the next ones.
    title, blocks = blocks_of("\n\n".join(texts))
    yield Document(title or stem_of(path), tuple(put for block in blocks for put in _put_back(block, code)))


def _cells(notebook: Any) -> list[dict[str, Any]] | None:
    """The cells; those of old notebooks stand on worksheets."""
    if not isinstance(notebook, dict):
        return None
    sheets = notebook.get("worksheets")
    holders = sheets if isinstance(sheets, list) else [notebook]
    lists = [holder.get("cells") for holder in holders if isinstance(holder, dict)]
    if not any(isinstance(cells, list) for cells in lists):
        return None
    return [cell for cells in lists if isinstance(cells, list) for cell in cells if isinstance(cell, dict)]


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        entry = metadata.get(name) if isinstance(metadata, dict) else None
        if isinstance(entry, dict) and isinstance(entry.get(key), str):
            return str(entry[key])
    return ""


def _markdown(cell: dict[str, Any]) -> str:
    text = _text(cell.get("source"))
    level: Any = cell.get("level")
    return f"{'#' * level} {text}" if cell.get("cell_type") == "heading" and level in range(1, 7) else text


def _code_blocks(cell: dict[str, Any], language: str) -> Iterator[Block]:
    """A cell's code and what it printed; nothing for a cell of text."""
    if cell.get("cell_type") not in ("code", "raw"):
        return
    source = _text(cell.get("source", cell.get("input")))
    if source.strip():
        yield Block(source, "code", mark=language if cell["cell_type"] == "code" else "")
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        text = _output(output) if isinstance(output, dict) else ""
        if text.strip() and not _BARE_OBJECT.fullmatch(text):
            yield Block(text, "code", mark="output")


def _output(output: dict[str, Any]) -> str:
    """The text of an output; pictures and pages have none."""
    if output.get("output_type") in ("error", "pyerr"):
        # Not the traceback: it repeats the code, with the colours of a terminal.
        return ": ".join(_text(output.get(name)) for name in ("ename", "evalue"))
    data = output.get("data")
    return _text(data.get("text/plain")) if isinstance(data, dict) else _text(output.get("text"))


def _text(value: Any) -> str:
    """A string, which may be stored line by line."""
    if isinstance(value, list):
        return "".join(piece for piece in value if isinstance(piece, str))
    return value if isinstance(value, str) else ""


def _put_back(block: Block, code: list[list[Block]]) -> Iterator[Block]:
    """The block with its places filled; one that swallowed a place, as an open fence does, is cut there."""
    pieces = _PLACES.split(block.text)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            if piece.strip():
                yield replace(block, text=piece.strip("\n"))
        elif int(piece) < len(code):
            yield from (replace(cell, path=block.path) for cell in code[int(piece)])
