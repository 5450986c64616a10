"""The replies of text models that are kept: listed, sized, cleared."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict

from expound.cli import screen
from expound.models.cache import Kept, ReplyCache
from expound.models.kept_replies import Cleared


def print_replies(cache: ReplyCache, *, as_json: bool) -> None:
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


def print_cleared(cleared: Cleared, *, as_json: bool) -> None:
    """What was forgotten."""
    if as_json:
        removed = {"removed": cleared.replies, "freed_bytes": cleared.freed_bytes}
        return screen.print_json({**removed, "models": _records(cleared.models)})
    told = f"removed {cleared.replies:,} replies, {screen.human_bytes(cleared.freed_bytes)}"
    return screen.say(f"{told}; the same questions will be asked, and paid for, again")


def _records(kept: Sequence[Kept]) -> list[dict[str, object]]:
    return [{"name": item.name, **asdict(item)} for item in kept]


def _minute(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
