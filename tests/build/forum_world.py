"""A small forum of our own making, in the layout of Pushshift's dumps: it has every case that the rules know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LONG = "It is so because of the wind and the sea."
TOPICS = "lighthouses herrings glaciers violins turbines comets yeast magnets".split()


def post(id: str, title: str, **more: Any) -> dict[str, Any]:
    """A submission that would be kept."""
    usual = {"subreddit": "explainlikeimfive", "selftext": "", "score": 5, "num_comments": 3, "author": f"asker_{id}"}
    return {"id": id, "title": title, "created_utc": 1506816964, "retrieved_on": 1, **usual, **more}


def comment(id: str, to: str, body: str = LONG, **more: Any) -> dict[str, Any]:
    """A comment that would be kept."""
    usual = {"subreddit": "explainlikeimfive", "score": 4, "author": f"writer_{id}", "retrieved_on": 1}
    return {"id": id, "link_id": f"t3_{to}", "parent_id": f"t3_{to}", "body": body, **usual, **more}


def posts() -> list[dict[str, Any]]:
    """Eight questions on as many topics."""
    return [post(f"p{n}", f"ELI5: Why do {topic} behave like that?") for n, topic in enumerate(TOPICS)]


def comments() -> list[dict[str, Any]]:
    """Two answers to each of them, the second better liked."""
    return [
        comment(f"c{n}{rank}", f"p{n}", f"{topic} answer number {rank} goes on for eight words", score=2 + rank)
        for n, topic in enumerate(TOPICS)
        for rank in range(2)
    ]


def write_dump(path: Path, records: Sequence[Any]) -> str:
    """Lines of a dump, packed as its name says."""
    content = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    path.write_bytes(_pack(path.suffix, content))
    return str(path)


def _pack(suffix: str, content: bytes) -> bytes:
    if suffix == ".zst":
        import zstandard

        return zstandard.ZstdCompressor().compress(content)
    if suffix == ".bz2":
        import bz2

        return bz2.compress(content)
    return content
