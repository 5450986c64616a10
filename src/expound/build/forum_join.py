"""Posts and comments joined out of core: dumps are parted by post, and a part fits in memory."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from zlib import crc32

from expound.build.forum_rules import Dropped, ForumRules, KeptPost, join_thread, keep_comment, keep_post
from expound.build.places import OutPlace, public_name
from expound.build.shards import Columns, Shard, ShardWriter, read_table
from expound.build.unpack import iter_lines
from expound.errors import BadInput
from expound.records import without_surrogates

Keep = Callable[[Mapping[str, Any], ForumRules], KeptPost | Dropped]
KINDS: Mapping[str, tuple[Keep, str]] = {"posts": (keep_post, "id"), "comments": (keep_comment, "post")}
"""How a record of a kind is kept, and the field that says to which post it belongs."""

FIELDS: Mapping[str, tuple[str, ...]] = {"posts": ("id", "title"), "comments": ("id", "link_id", "body")}
"""What the records of a kind are known by."""

QUESTIONS = "questions"
KEPT: Columns = {"record": str}
ASKED: Columns = {"id": str, "question": str, "references": list, "meta": str}
# A post has at most 40,000 characters, and everything around it is small: what is longer is no line of a dump.
_LONGEST_LINE = 10_000_000
_LOOKED_AT = 1000  # lines: one of so many is a record, or the file is something else


@dataclass(frozen=True)
class PartDump:
    """What is kept of a dump, in a table for every part of the posts; what is dropped is counted, and no more."""

    kind: str
    parts: int
    rules: ForumRules

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        keep, key = KINDS[self.kind]
        for record in iter_dump(shard.inputs["url"], writer):
            writer.count(f"{self.kind} read")
            kept = keep(record, self.rules)
            if isinstance(kept, Dropped):
                writer.reasons[kept.reason] += 1
            else:
                table = part_table(self.kind, part_of(kept[key], self.parts))
                writer.add_row[table]({"record": json.dumps(kept, ensure_ascii=False)})
                writer.count(f"{self.kind} kept")


@dataclass(frozen=True)
class JoinThreads:
    """The questions of one part of all dumps, with their answers."""

    rules: ForumRules

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        versions = _group(shard, "posts")
        answers = _group(shard, "comments", only=versions)
        for id in sorted(versions):
            found = join_thread(versions[id], answers.get(id, ()), self.rules)
            if isinstance(found, Dropped):
                writer.reasons[found.reason] += 1
            else:
                writer.add(QUESTIONS, **{**found, "meta": json.dumps(found["meta"], ensure_ascii=False)})
                writer.count("answers", len(found["references"]))


def check_dump(url: str, kind: str) -> None:
    """Refuse a file that does not begin like a dump of this kind, before hours go into the others."""
    damages: list[str] = []
    lines = iter_lines(url, lambda _place, reason: damages.append(reason), longest=_LONGEST_LINE)
    for _, line in islice((line for line in lines if line[1].strip()), _LOOKED_AT):
        record = _object(line)
        if record and all(name in record for name in FIELDS[kind]):
            return
    why = f" ({damages[0]})" if damages else ""
    wanted = ", ".join(FIELDS[kind])
    raise BadInput(f"{public_name(url)} is no dump of {kind}{why}: expected a JSON object a line with {wanted}")


def iter_dump(url: str, writer: ShardWriter) -> Iterator[dict[str, Any]]:
    """The records of a dump (JSON Lines, packed or not); what is none is told to the writer."""

    def damaged(place: int, reason: str) -> None:
        writer.drop(f"{public_name(url)}, {place}", reason)

    for _, line in iter_lines(url, damaged, longest=_LONGEST_LINE):
        if line.strip():
            record = _object(line)
            if record is None:
                writer.reasons["not a JSON object"] += 1
            else:
                yield record


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return without_surrogates(value) if b"\\u" in line else value


def part_table(kind: str, number: int) -> str:
    """The table of a part: hidden, since only the join reads it."""
    return f".parts/{kind}-{number:05}"


def part_of(key: str, parts: int) -> int:
    """Which part a post goes to: the same on every machine, unlike Python's own hash."""
    return crc32(key.encode()) % parts


def _group(
    shard: Shard, kind: str, *, only: Mapping[str, Sequence[KeptPost]] | None = None
) -> dict[str, list[KeptPost]]:
    """The records of a part, by post."""
    place, key = OutPlace(shard.inputs["place"]), KINDS[kind][1]
    groups: defaultdict[str, list[KeptPost]] = defaultdict(list)
    for name in shard.inputs[kind]:
        for row in read_table(place, part_table(kind, shard.inputs["part"]), name, KEPT):
            record = json.loads(row["record"])
            # Comments to posts that were dropped are most of a dump: they never stay in memory.
            if only is None or record[key] in only:
                groups[record[key]].append(record)
    return groups
