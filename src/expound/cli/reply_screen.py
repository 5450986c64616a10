"""The replies of text models that are kept: listed, sized, cleared."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict

from expound.cli import screen
from expound.errors import UnknownName, nearest
from expound.models.cache import Kept, ReplyCache
from expound.models.dialect import dialects_file


def list_replies(cache: ReplyCache, *, as_json: bool) -> None:
    """A row for each model, and what all of them take."""
    kept = cache.kept()
    if as_json:
        return screen.print_json({"file": str(cache.file), "disk_bytes": cache.disk_bytes(), "models": _records(kept)})
    if not kept:
        return screen.line("no replies are kept")
    rows = [
        (item.name, item.replies, screen.human_bytes(item.size_bytes), item.tokens, _minute(item.at)) for item in kept
    ]
    screen.table(("model", "replies", "size", "tokens", "latest"), rows)
    return screen.say(f"{cache.file}: {screen.human_bytes(cache.disk_bytes())} on the disk")


def clear_replies(cache: ReplyCache, model: str, *, as_json: bool) -> None:
    """Forget the replies of one model; without a name all of them, and what was set aside."""
    chosen, before = _chosen(cache.kept(), model), cache.disk_bytes()
    cache.clear([item.engine for item in chosen])
    if not model:
        _tidy(cache)
    freed, replies = max(0, before - cache.disk_bytes()), sum(item.replies for item in chosen)
    if as_json:
        return screen.print_json({"removed": replies, "freed_bytes": freed, "models": _records(chosen)})
    told = f"removed {replies:,} replies, {screen.human_bytes(freed)}"
    return screen.say(f"{told}; the same questions will be asked, and paid for, again")


def _chosen(kept: Sequence[Kept], model: str) -> list[Kept]:
    found = [item for item in kept if not model or model in (item.name, item.engine)]
    if model and not found:
        names = [item.name for item in kept]
        raise UnknownName(f"no replies of a model {model!r} are kept; {nearest(model, names)}")
    return found


def _tidy(cache: ReplyCache) -> None:
    """Remove what else the asking of text models has left."""
    for path in (*cache.set_aside(), dialects_file()):
        path.unlink(missing_ok=True)


def _records(kept: Sequence[Kept]) -> list[dict[str, object]]:
    return [{"name": item.name, **asdict(item)} for item in kept]


def _minute(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
