"""What adding documents to a corpus did."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class NotRead:
    """Files of one suffix that cannot be read, and what to do about it."""

    files: int
    how_to_read: str


@dataclass(slots=True)
class Summary:
    """What an `add` did."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    passages: int = 0
    aliases: int = 0
    filtered: int = 0
    rejected: dict[str, str] = field(default_factory=dict)
    other_languages: dict[str, str] = field(default_factory=dict)
    not_read: dict[str, NotRead] = field(default_factory=dict)
    twins: int = 0
    remarks: list[str] = field(default_factory=list)
    """What of files that were read was not."""

    def take(self, other: Summary) -> None:
        """Add what happened to one file."""
        for name in ("added", "changed", "unchanged", "passages", "aliases", "filtered"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.other_languages |= other.other_languages
        self.remarks += other.remarks
