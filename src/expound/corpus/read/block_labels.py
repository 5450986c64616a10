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
    is_meaning = False
    for block in blocks:
        is_set_in = block.kind == "quotation"
        if is_set_in and label is not None and label.path == block.path:
            yield replace(label, text=f"{label.text}\n{block.text}", kind="definition")
            label, is_meaning = None, True
            continue
        if label is not None:
            yield label
        is_meaning = is_meaning and is_set_in
        label = block if is_label(block) else None
        if label is None:
            # What else is set in goes on with the meaning.
            yield replace(block, kind="paragraph", level=block.level + 1) if is_meaning else block
    if label is not None:
        yield label


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
