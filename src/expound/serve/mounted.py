"""What others bring to the server: an application below a path, and the addresses to hand out for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol


class Mounted(Protocol):
    """Pages of another part, such as its studies; the server knows nothing else of them."""

    @property
    def path(self) -> str:
        """Where they stand, with a slash in front and none behind."""
        ...

    @property
    def title(self) -> str:
        """What the head of every page calls them."""
        ...

    @property
    def entrance(self) -> str:
        """The address that lets in whoever runs them; it is secret."""
        ...

    @property
    def links(self) -> Mapping[str, str]:
        """Addresses by what they are for; they may hold secrets, and are printed and never shown on a page."""
        ...

    def build(self) -> Any:
        """The application (ASGI)."""
        ...

    def lifespan(self) -> AbstractAsyncContextManager[None]:
        """What holds while the server runs: Starlette asks only the outermost application for it."""
        ...
