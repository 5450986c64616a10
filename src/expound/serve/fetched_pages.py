"""Pages that visitors name by their address: among their documents, each beside a note of where it came from."""

from __future__ import annotations

from pathlib import Path

from expound.corpus.fetched_files import fetched_file, write_fetched
from expound.corpus.fetching import Fetched
from expound.files import private_folder, write_whole

# No document has this name: dots in front are taken off (`safe_name`).
_NOTE = ".address"


def keep_page(documents: Path, fetched: Fetched) -> None:
    """Put a page among the documents; a former state of it goes."""
    file = fetched_file(documents, fetched)
    folder = private_folder(file.parent)
    # The note first: a kill in between leaves a note without a page, and no page without its source.
    with write_whole(folder / _NOTE, mode=0o600) as note:
        note.write(fetched.address)
    write_fetched(file, fetched.data)
    # A page that was a PDF may have become HTML: its former file would be read as a second document.
    for other in folder.iterdir():
        if other.name not in (file.name, _NOTE):
            other.unlink()


def page_addresses(documents: Path) -> dict[Path, str]:
    """The files below a folder that were fetched, each with its address."""
    notes = {note.parent: note.read_text(encoding="utf-8") for note in documents.glob(f"*/{_NOTE}")}
    return {file: address for folder, address in notes.items() for file in folder.glob("[!.]*")}
