"""Forget the replies of text models that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.errors import UnknownName, nearest
from expound.models.cache import Kept, ReplyCache
from expound.models.dialect import dialects_file


@dataclass(frozen=True, slots=True)
class Cleared:
    """Whose replies were forgotten, and the room that this made."""

    models: list[Kept]
    freed_bytes: int

    @property
    def replies(self) -> int:
        """How many replies that were."""
        return sum(item.replies for item in self.models)


def clear_replies(cache: ReplyCache, model: str = "") -> Cleared:
    """Forget the replies of one model; without a name all of them, and what was set aside."""
    chosen, before = _choose_kept(cache.kept(), model), cache.disk_bytes()
    cache.clear([item.engine for item in chosen])
    if not model:
        _tidy(cache)
    # Never less than nothing: another process may have kept replies meanwhile.
    return Cleared(chosen, max(0, before - cache.disk_bytes()))


def _choose_kept(kept: Sequence[Kept], model: str) -> list[Kept]:
    found = [item for item in kept if not model or model in (item.name, item.engine)]
    if model and not found:
        names = [item.name for item in kept]
        raise UnknownName(f"no replies of a model {model!r} are kept; {nearest(model, names)}")
    return found


def _tidy(cache: ReplyCache) -> None:
    """Remove what else the asking of text models has left."""
    for path in (*cache.set_aside(), dialects_file()):
        path.unlink(missing_ok=True)
