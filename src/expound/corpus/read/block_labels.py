"""A name in a line of its own, and what is set in below it, are a term and its meaning.

Manuals list options, states and commands like that without saying that it is a list of terms. Read as paragraphs and
quotations, a name would end one passage and its meaning begin the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from expound.corpus.read.document import Block, Document

# "pid <name>", "--user USER[.GROUP]", "`STOPPED` (0)": a longer line is a sentence that lost its stop.
_LONGEST_LABEL = 8


def define_labels(document: Document) -> Document:
    """The document, every label joined with the quotation that follows it to a definition."""
    return replace(document, blocks=tuple(_join_definitions(document.blocks)))


def _join_definitions(blocks: Sequence[Block]) -> Iterator[Block]:
    label: Block | None = None
    term: Block | None = None
    for block in blocks:
        if block.kind == "quotation" and label is not None and label.path == block.path:
            yield replace(label, text=f"{label.text}\n{block.text}", kind="definition")
            label, term = None, label
            continue
        if label is not None:
            yield label
        term = term if term is not None and _goes_on(block, term) else None
        label = block if term is None and is_label(block) else None
        if label is None:
            yield block if term is None else _set_in(block, term)
    if label is not None:
        yield label


def _goes_on(block: Block, term: Block) -> bool:
    """Whether a block is set in below a term: a note, code or a list may stand amid its meaning."""
    return block.path == term.path and (block.kind == "quotation" or block.level > term.level)


def _set_in(block: Block, term: Block) -> Block:
    kind = "paragraph" if block.kind == "quotation" else block.kind
    return replace(block, kind=kind, level=max(block.level, term.level + 1))


def is_label(block: Block) -> bool:
    """Whether a paragraph is a name and no sentence: a few words in one line, without a stop."""
    text = block.text
    # Who is quoted stands before a colon or a dash.
    return (
        block.kind == "paragraph"
        and "\n" not in text
        and len(text.split()) <= _LONGEST_LABEL
        and text[-1] not in ".!?:;,…—–"
    )
