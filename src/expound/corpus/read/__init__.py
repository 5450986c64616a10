"""Read documents of many formats: find the files, then turn each into documents or ready passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.corpus.read.document import Block, Document
    from expound.corpus.read.formats import can_read, read_file
    from expound.corpus.read.visible_files import iter_visible_files
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "document": "Block Document",
            "formats": "can_read read_file",
            "visible_files": "iter_visible_files",
        },
    )

__all__ = ["Block", "Document", "can_read", "iter_visible_files", "read_file"]
