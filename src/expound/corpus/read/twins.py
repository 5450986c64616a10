"""Recognise generated twins: the sources that Sphinx keeps beside the pages it made of them."""

from __future__ import annotations

from pathlib import Path

from expound.corpus.read.raw import suffix_of

_SOURCES = "_sources"
_SUFFIXES = (".txt", ".rst", ".md", ".ipynb")


def is_twin(path: Path) -> bool:
    """Whether a file such as `_sources/guide/start.rst.txt` has its page, `guide/start.html`, beside the folder."""
    parts = path.parts
    if _SOURCES not in parts[:-1] or suffix_of(path) not in _SUFFIXES:
        return False
    place = len(parts) - 1 - parts[::-1].index(_SOURCES)
    folder = Path(*parts[:place], *parts[place + 1 : -1])
    name = path.name.removesuffix(".gz")
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    pages = (f"{name}.html", f"{name}.htm", f"{name}.html.gz", f"{name}/index.html")
    return any((folder / page).exists() for page in pages)
