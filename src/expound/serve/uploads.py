"""Documents that visitors bring: in a folder of their own until they get a name, on the disk before it is said."""

from __future__ import annotations

import os
import secrets
import shutil
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from expound import resources
from expound.corpus import library
from expound.corpus.fetching import fetch_address, host_of
from expound.corpus.ingest import Report
from expound.corpus.named import NAME, STORE, Corpus, is_corpus
from expound.corpus.read.unread import why_not_read
from expound.errors import BadInput, ExpoundError, UserError
from expound.files import private_folder, storage_error
from expound.serve.answering import CorpusPlace
from expound.serve.brought_files import safe_name, unpack
from expound.serve.fetched_pages import keep_page, page_addresses
from expound.serve.lanes import Event, Failed, Finished, Lane, LaneFull, Tell
from expound.serve.serve_settings import Limits

YOURS = "@yours"
"""How a visitor's own documents are asked; no corpus can have this name."""
_NAME = "your documents"


@dataclass
class DocumentsRead:
    """How far fetching and reading a visitor's documents is, in words; `problem` is why it ended early."""

    jobs: int = 0
    said: str = ""
    problem: str = ""

    @property
    def is_going_on(self) -> bool:
        return self.jobs > 0


@dataclass(frozen=True)
class Brought:
    """A document that a visitor brought or had fetched, and why it could not be read, if so."""

    name: str
    size: int
    problem: str = ""
    address: str = ""


def _say_read(name: str, done: int, total: int) -> str:
    return f"Reading {name} ({done + 1} of {total}) …" if total > 1 else f"Reading {name} …"


def _say_fetched(address: str, done: int, _total: int) -> str:
    so_far = f": {done / 1_000_000:.1f} MB" if done else ""
    return f"Fetching {address}, once{so_far} …"


class Uploads:
    """A folder of documents and a corpus of them for each visitor."""

    def __init__(self, folder: Path, limits: Limits, *, private: bool = False) -> None:
        self._folder, self._limits, self._private = folder, limits, private
        # One at a time: reading has processes of its own, and two would take the memory of two.
        self._lane = Lane(1, most=limits.waiting, most_each=limits.waiting)
        # Apart from reading: a slow server somewhere must not keep other people's documents waiting.
        self._fetches = Lane(limits.fetches_at_once, most=limits.waiting, most_each=limits.waiting_each)
        self._reading: dict[str, DocumentsRead] = {}
        self._guard = threading.Lock()

    def place(self, visitor: str) -> CorpusPlace | None:
        """The corpus of a visitor's documents, once there is one."""
        folder = self._corpus(visitor)
        return CorpusPlace(_NAME, folder) if (folder / STORE).exists() else None

    def progress_of(self, visitor: str) -> DocumentsRead:
        """How far reading is; what a server that was killed left unread is read now."""
        with self._guard:
            is_known = visitor in self._reading
            # Under the lock and before reading: two requests of one page must not both find documents that nobody
            # reads.
            state = self._reading.setdefault(visitor, DocumentsRead())
        if not is_known and any(self._documents(visitor).rglob("*")):
            self._read(visitor)
        return state

    def brought(self, visitor: str) -> list[Brought]:
        """The documents of a visitor, in alphabetical order."""
        root = self._documents(visitor)
        problems, addresses = self._problems(visitor), page_addresses(root)
        # Files with a dot in front are ours: parts that are still coming in, and notes of addresses.
        files = sorted(file for file in root.rglob("*") if file.is_file() and not file.name.startswith("."))
        return [
            Brought(
                name=str(file.relative_to(root)),
                size=file.stat().st_size,
                problem=problems.get(str(file), "") or why_not_read(file),
                address=addresses.get(file, ""),
            )
            for file in files
        ]

    async def receive(self, visitor: str, name: str, stream: AsyncIterator[bytes]) -> None:
        """Write a document down, and have it read; it is on the disk when this returns."""
        self.progress_of(visitor)
        file = private_folder(self._documents(visitor)) / safe_name(name)
        self._refuse_if_full(visitor)
        # Of its own: the same name may come from two tabs at once, and one would write into the other's.
        partial = file.with_name(f".{secrets.token_hex(4)}.{file.name}.partial")
        try:
            await self._write(partial, stream)
            if file.suffix.lower() == ".zip":
                unpack(partial, file.with_suffix(""), self._limits)
            else:
                partial.replace(file)
        except OSError as error:
            raise storage_error(error, file) from error
        finally:
            partial.unlink(missing_ok=True)
        self._read(visitor)

    async def _write(self, partial: Path, stream: AsyncIterator[bytes]) -> None:
        size = 0
        with partial.open("wb") as writing:
            async for block in stream:
                size += len(block)
                # Counted as it comes in: the length that a browser announces may be missing or wrong.
                if size > self._limits.file_bytes:
                    raise BadInput(f"a document has at most {self._limits.file_bytes >> 20} MB here; split it")
                writing.write(block)
            writing.flush()
            # The page says "brought" after this: a power cut must not make it a lie.
            os.fsync(writing.fileno())

    def fetch(self, visitor: str, address: str) -> None:
        """Have a page or a file fetched by its address, once, and read it; what is no address is refused at once."""
        host_of(address)
        self.progress_of(visitor)
        self._refuse_if_full(visitor)

        def fetch_it(report: Report) -> None:
            fetched = fetch_address(address, private=self._private, report=report)
            with self._guard:
                keep_page(private_folder(self._documents(visitor)), fetched)
            self._read(visitor)

        self._reading[visitor].said = _say_fetched(address, 0, 0)
        self._submit(visitor, fetch_it, lane=self._fetches, say=_say_fetched)

    def forget(self, visitor: str, name: str) -> None:
        """Remove one document."""
        wanted = next((one for one in self.brought(visitor) if one.name == name), None)
        if wanted is None:
            raise UserError("there is no such document")
        file = self._documents(visitor) / wanted.name
        # A fetched page has a folder of its own, with the note of its address in it.
        if wanted.address:
            shutil.rmtree(file.parent)
        file.unlink(missing_ok=True)
        self._read(visitor)

    def give_name(self, visitor: str, name: str) -> None:
        """Make a corpus of this name of a visitor's documents, for everyone who is let in."""
        if not NAME.fullmatch(name) or name == library.SAMPLER or is_corpus(name):
            raise UserError(
                f"{name[:80]!r} cannot be the name: it is taken, or has more than 64 letters, digits, '.', '_', '-'"
            )
        if not self.brought(visitor):
            raise UserError("there are no documents to name; drop some first")
        target = private_folder(named_folder()) / name
        if target.exists():
            raise UserError(f"{name!r} is taken; choose another")
        # Moved and then read: a kill in between leaves the documents under their new name, where `corpus add` finds
        # them.
        self._documents(visitor).replace(target)
        shutil.rmtree(self._corpus(visitor), ignore_errors=True)
        addresses = page_addresses(target)
        self._submit(visitor, lambda report: library.add([target], name=name, report=report, addresses=addresses))

    def close(self) -> None:
        self._lane.close()
        self._fetches.close()

    def _read(self, visitor: str) -> None:
        """Have a visitor's documents read, all that changed."""

        def read(report: Report) -> None:
            if not self.brought(visitor):
                shutil.rmtree(self._corpus(visitor), ignore_errors=True)
                return
            documents = self._documents(visitor)
            addresses = page_addresses(documents)
            library.add_apart(self._corpus(visitor), [documents], name=_NAME, report=report, addresses=addresses)

        self._submit(visitor, read)

    def _submit(
        self,
        visitor: str,
        work: Callable[[Report], object],
        *,
        lane: Lane | None = None,
        say: Callable[[str, int, int], str] = _say_read,
    ) -> None:
        state = self._reading[visitor]
        with self._guard:
            # Counted before it waits: the page asks at once whether anything is going on.
            state.jobs, state.problem = state.jobs + 1, ""

        def report(about: str, done: int, total: int) -> None:
            state.said = say(about, done, total)

        def tell(event: Event) -> None:
            if isinstance(event, Failed):
                known = isinstance(event.error, ExpoundError)
                state.problem = str(event.error) if known else "it could not be read; the server's log says more"
            if isinstance(event, Finished | Failed):
                with self._guard:
                    state.jobs -= 1

        def job(_tell: Tell) -> None:
            work(report)

        try:
            (lane or self._lane).submit(job, tell=tell, whose=visitor)
        except LaneFull:
            with self._guard:
                state.jobs -= 1
            raise

    def _refuse_if_full(self, visitor: str) -> None:
        brought = self.brought(visitor)
        if len(brought) >= self._limits.files or sum(one.size for one in brought) >= self._limits.files_bytes:
            most = f"{self._limits.files} documents of {self._limits.files_bytes >> 20} MB in all"
            raise BadInput(f"you have brought {most} already; name them, or remove some")

    def _problems(self, visitor: str) -> dict[str, str]:
        place = self.place(visitor)
        if place is None or place.folder is None:
            return {}
        corpus = Corpus(place.name, place.folder)
        try:
            return dict(corpus.store.rejects())
        except ExpoundError:  # it is being made this very moment
            return {}
        finally:
            corpus.close()

    def _documents(self, visitor: str) -> Path:
        return self._folder / visitor / "documents"

    def _corpus(self, visitor: str) -> Path:
        return self._folder / visitor / "corpus"


def forget_visitors(folder: Path, days: int) -> None:
    """Remove what visitors brought and asked whose sessions have ended: nobody can come back to it."""
    limit = time.time() - days * 86_400
    for visitor in folder.iterdir() if folder.is_dir() else ():
        # The newest of everything below: a folder's own time does not change when a file deep in it is written.
        files = [visitor, *visitor.rglob("*")]
        if max(file.lstat().st_mtime for file in files) < limit:
            shutil.rmtree(visitor, ignore_errors=True)


def named_folder() -> Path:
    """Where documents lie that were brought and then named."""
    return resources.home_folder("documents")


def named_corpora() -> list[str]:
    """The corpora that visitors made."""
    folder = named_folder()
    return sorted(entry.name for entry in folder.iterdir() if is_corpus(entry.name)) if folder.is_dir() else []
