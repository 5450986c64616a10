"""What a server of pages is told at its start, and how much anyone may ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from expound.pages.web_packages import SERVER, need_packages


@dataclass(frozen=True)
class Limits:
    """How much comes in at once. Round figures: a class of 50 that asks at the same moment stays within them."""

    asks_at_once: int = 2
    """As many as the cores that an answer without a text model keeps busy."""
    waiting: int = 200
    waiting_each: int = 5
    body_bytes: int = 1 << 20
    file_bytes: int = 50 << 20
    files: int = 500
    files_bytes: int = 500 << 20
    fetches_at_once: int = 2
    posts: int = 240
    posts_seconds: float = 60.0
    wrong_passwords: int = 20
    wrong_seconds: float = 600.0


@dataclass(frozen=True)
class ServeSettings:
    """Which corpora are offered (none named: all of the user's), which text model answers, and who is let in."""

    corpora: tuple[str, ...] = ()
    model: str = "auto"
    embedder: str = ""
    """A file of `expound train retriever` to search by, in MiniLM's place."""
    password: str = ""
    base_url: str = ""
    runs: tuple[Path, ...] = ()
    """Folders whose runs are shown."""
    private: bool = False
    """Whether visitors may also have pages fetched from this machine and its own network."""
    limits: Limits = Limits()


def need_serve_packages() -> None:
    """One clear line, if something is missing."""
    need_packages(SERVER, who="pages", extra="serve")
