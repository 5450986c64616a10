"""Corpora and their indexes in numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from expound.corpus.library import SAMPLER, Corpus, corpus_names, open_named
from expound.errors import ExpoundError


def describe_corpus(corpus: Corpus) -> dict[str, Any]:
    """Counts, languages and rejects of a corpus."""
    store = corpus.store
    return {
        "name": corpus.name,
        "documents": store.count("documents"),
        "passages": store.count(),
        "aliases": store.count("aliases"),
        "rejects": store.count("rejects"),
        "vectors": "all" if corpus.dense is not None else "as needed",
        "state": "complete" if not store.unfinished() else "unfinished: add the same paths again",
        "languages": store.languages(),
        "rejected_files": dict(store.rejects()),
        "folder": str(corpus.folder),
    }


def describe_index(corpus: Corpus) -> dict[str, Any]:
    """Passages stored and indexed, and the bytes that they take on disk."""
    return {
        "corpus": corpus.name,
        "passages": corpus.store.count(),
        "by words": len(corpus.lexical),
        "by meaning": len(corpus.dense) if corpus.dense is not None else 0,
        "store": _size(corpus.folder / "passages.sqlite"),
        "words index": _size(corpus.folder / "lexical"),
        "meaning index": _size(corpus.folder / "dense.faiss"),
    }


def list_corpora() -> list[dict[str, Any]]:
    """Every corpus of this machine; of one that cannot be read, why it cannot."""
    return [_describe_corpus(name, describe_corpus, "name") for name in _all_names()]


def list_indexes(names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The indexes of some corpora; without names those of all, and of one that cannot be read, why it cannot."""
    if names:
        return [describe_index(open_named(name)) for name in names]
    return [_describe_corpus(name, describe_index, "corpus") for name in _all_names()]


def _all_names() -> list[str]:
    return [*corpus_names(), SAMPLER]


def _describe_corpus(name: str, describe: Callable[[Corpus], dict[str, Any]], key: str) -> dict[str, Any]:
    try:
        return describe(open_named(name))
    except ExpoundError as error:
        return {key: name, "state": str(error)}


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())
