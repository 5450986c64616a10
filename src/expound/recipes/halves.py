"""Which half of the questions a question belongs to: one to choose with, one to report on."""

from __future__ import annotations

from hashlib import sha256


def half_of(identifier: str) -> str:
    """`choose` or `report`, by the hash of an id: the same on every machine."""
    return "choose" if int(sha256(identifier.encode()).hexdigest(), 16) % 2 == 0 else "report"
