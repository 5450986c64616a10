"""Leave out tables that only repeat how the sections of their own document open, a row a section.

Reference pages begin with such an overview of all settings or commands. It is near to every question, and says of the
one that is meant what its section says as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from expound.corpus.read.document import Block, Document

_FEWEST_ROWS = 5
"""A smaller table is read with its section, and may well say twice what matters."""
_REPEATED = 0.8
"""Share of the rows; the author forgets some and words a few in another way."""
_CELL = " | "
_PROSE = frozenset(("paragraph", "definition"))


def drop_index_tables(document: Document) -> Document:
    """The document without its overviews."""
    if not any(_may_be_index(block) for block in document.blocks):
        return document
    openings = {opening for block in document.blocks if block.kind in _PROSE for opening in _openings(block)}
    kept = [block for block in document.blocks if not (_may_be_index(block) and _repeats(block, openings))]
    return replace(document, blocks=tuple(kept)) if len(kept) < len(document.blocks) else document


def _may_be_index(block: Block) -> bool:
    return block.kind == "table" and block.text.count("\n") + 1 >= _FEWEST_ROWS and _CELL in block.text


def _openings(block: Block) -> Iterator[str]:
    """What a block says first under its heading or behind its term: the whole line, and its first sentence."""
    line = block.text.rsplit("\n", 1)[-1] if block.kind == "definition" else block.text.split("\n", 1)[0]
    yield line.strip()
    stop = line.find(". ")
    if stop > 0:
        yield line[: stop + 1].strip()


def _repeats(block: Block, openings: set[str]) -> bool:
    """Whether nearly every row ends in what stands at the opening of something else."""
    rows: Sequence[str] = block.text.split("\n")[block.mark == "header" :]
    # An empty cell says nothing that could be repeated.
    said = [cell for row in rows if (cell := row.rpartition(_CELL)[2].strip())]
    return len(said) >= _FEWEST_ROWS and sum(cell in openings for cell in said) >= _REPEATED * len(rows)
