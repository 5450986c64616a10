"""The indexes of a corpus in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from expound.cli import screen
from expound.corpus.library import Corpus, open_named
from expound.errors import ExpoundError


def describe_index(corpus: Corpus) -> dict[str, Any]:
    """Passages stored and indexed, and what they take on disk."""
    return {
        "corpus": corpus.name,
        "passages": corpus.store.count(),
        "by words": len(corpus.lexical),
        "by meaning": len(corpus.dense) if corpus.dense is not None else 0,
        "store": _size(corpus.folder / "passages.sqlite"),
        "words index": _size(corpus.folder / "lexical"),
        "meaning index": _size(corpus.folder / "dense.faiss"),
    }


def describe_any_index(name: str) -> dict[str, Any]:
    """The same by name; of a corpus that cannot be read, why it cannot."""
    try:
        return describe_index(open_named(name))
    except ExpoundError as error:
        return {"corpus": name, "state": str(error)}


def print_indexes(indexes: Sequence[dict[str, Any]], *, vectors_kept: int) -> None:
    """A row a corpus, and what all of them share."""
    screen.print_records(indexes)
    screen.line(f"\n{vectors_kept:,} vectors kept for all corpora")


def _size(path: Path) -> str:
    files = path.rglob("*") if path.is_dir() else [path]
    return screen.human_bytes(sum(file.stat().st_size for file in files if file.is_file()))
