"""`build eli5`: the dumps of a forum as questions with their answers, support documents from the web, and splits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from expound.build.building import Building, Report, StageResult, open_build
from expound.build.engines import ShardEngine
from expound.build.forum_join import ASKED, KEPT, QUESTIONS, JoinThreads, PartDump, check_dump, part_table
from expound.build.forum_rules import ForumRules
from expound.build.page_index import PAGES, IndexPages
from expound.build.page_support import SUPPORT, SUPPORTED, FindSupport, official_record
from expound.build.places import OutPlace, fingerprint, is_address, list_inputs, require_build
from expound.build.shards import Columns, Shard, Stage, read_table, table_name
from expound.build.split_files import of_side
from expound.build.splits import SplitRules, draw_sides
from expound.errors import UserError
from expound.types import Question

SUFFIXES = (".zst", ".bz2", ".gz", ".jsonl", ".json", ".ndjson")
# Of all of Reddit's ELI5 (a million posts that people liked) a part is some 20 MB.
PARTS = 64
LAYOUTS: Mapping[str, Callable[[dict[str, Any]], Mapping[str, Any]]] = {"qa": dict, "eli5": official_record}
"""How the questions are written at the end: our own layout with every answer, or that of the official files."""


@dataclass(frozen=True)
class ForumRequest:
    """The dumps to read, the pages to find support in, if any, and what to make of them."""

    submissions: Sequence[str]
    comments: Sequence[str]
    pages: str = ""
    rules: ForumRules = field(default_factory=ForumRules)
    support: FindSupport = field(default_factory=FindSupport)
    split: SplitRules = field(default_factory=SplitRules)
    parts: int = PARTS
    layout: str = "qa"

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise UserError(f"no layout {self.layout!r} to write; there are: {', '.join(LAYOUTS)}")


@dataclass(frozen=True)
class ForumResult:
    """What every stage came to, by its name, and how many questions each side of the split has."""

    stages: Mapping[str, StageResult]
    sides: Mapping[str, int]


def build_eli5(
    request: ForumRequest, out: str, *, engine: ShardEngine | None = None, report: Report | None = None
) -> ForumResult:
    """Join posts and comments, find support for each question, and write `train.jsonl`, `valid.jsonl`, `test.jsonl`."""
    require_build()
    posts, comments = (list_inputs(given, SUFFIXES) for given in (request.submissions, request.comments))
    for kind, urls in (("posts", posts), ("comments", comments)):
        for url in urls:
            check_dump(url, kind)
    if request.pages and (is_address(out) or is_address(request.pages)):
        raise UserError("pages are searched on a disk: --pages and --out must be folders here")
    if request.pages and not OutPlace(request.pages).names(PAGES, ".parquet"):
        raise UserError(f"{request.pages} has no pages; make them with `expound build web … --out {request.pages}`")
    with open_build(out, engine=engine, report=report) as build:
        stages = {kind: _part(build, kind, urls, request) for kind, urls in (("posts", posts), ("comments", comments))}
        stages[QUESTIONS] = _join(build, stages, request)
        if request.pages:
            stages |= _support(build, stages[QUESTIONS].shards, request)
        sides = _write_sides(build, stages, request)
        # The forum's own ids are in them, by which everybody can look up who wrote what.
        for kind, number in ((kind, number) for kind in ("posts", "comments") for number in range(request.parts)):
            for shard in stages[kind].shards:
                build.place.remove(table_name(part_table(kind, number), shard))
    return ForumResult(stages, sides)


def _part(build: Building, kind: str, urls: Sequence[str], request: ForumRequest) -> StageResult:
    tables = {part_table(kind, number): KEPT for number in range(request.parts)}
    stage = Stage(kind, PartDump(kind, request.parts, request.rules), tables)
    shards = [Shard(f"{number:05}", {"url": url}) for number, url in enumerate(urls)]
    return build.run(stage, shards, inputs=[fingerprint(url) for url in urls])


def _join(build: Building, parted: Mapping[str, StageResult], request: ForumRequest) -> StageResult:
    names = {kind: list(result.shards) for kind, result in parted.items()}
    shards = [
        Shard(f"{number:05}", {"place": build.place.url, "part": number, **names}) for number in range(request.parts)
    ]
    return build.run(Stage(QUESTIONS, JoinThreads(request.rules), {QUESTIONS: ASKED}), shards)


def _support(build: Building, questions: Sequence[str], request: ForumRequest) -> dict[str, StageResult]:
    """Index the pages, shard by shard, then search them for every question."""
    names = OutPlace(request.pages).names(PAGES, ".parquet")
    folders = {name: str(Path(build.place.url) / ".index" / name) for name in names}
    shards = [Shard(name, {"place": request.pages, "shard": name, "folder": folders[name]}) for name in names]
    tables = (str(Path(request.pages) / table_name(PAGES, name)) for name in names)
    indexed = build.run(Stage("index", IndexPages(), {}), shards, inputs=[fingerprint(table) for table in tables])
    searched = [folders[name] for name in indexed.shards]
    asked = [Shard(name, {"place": build.place.url, "folders": searched}) for name in questions]
    return {"index": indexed, SUPPORT: build.run(Stage(SUPPORT, request.support, {SUPPORT: SUPPORTED}), asked)}


def _write_sides(build: Building, stages: Mapping[str, StageResult], request: ForumRequest) -> dict[str, int]:
    """Share the questions out by the paper's rule, and write each side; only texts and ids are held."""
    table, columns = (SUPPORT, SUPPORTED) if SUPPORT in stages else (QUESTIONS, ASKED)
    records = _Questions(build.place, table, columns, stages[table].shards)
    asked = [Question(record["id"], record["question"]) for record in records]
    if not asked:
        raise UserError(
            f"no question of {request.rules.forum} has an answer that people liked: do the dumps of posts "
            "and of comments belong together?"
        )
    sides = draw_sides(asked, request.split, by_meaning=False, report=build.report)
    for side in sides.names():
        with build.place.written(f"{side}.jsonl") as path, path.open("w", encoding="utf-8", newline="\n") as file:
            for record in of_side(records, sides, side):
                file.write(json.dumps(LAYOUTS[request.layout](dict(record)), ensure_ascii=False) + "\n")
    summary = sides.summary()
    build.place.write_json("split.manifest.json", {"rules": repr(request.split), "layout": request.layout, **summary})
    return summary


@dataclass(frozen=True)
class _Questions(Iterable[dict[str, Any]]):
    """The questions of a build as lines of the layout `qa`, each once, in an order that no dump's order changes."""

    place: OutPlace
    table: str
    columns: Columns
    shards: Sequence[str]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        seen: set[str] = set()
        for row in (row for shard in self.shards for row in read_table(self.place, self.table, shard, self.columns)):
            # Asked again in the same words: the first stands, since one side of a split would give the other away.
            if row["id"] not in seen:
                seen.add(row["id"])
                yield {**row, **{name: json.loads(row[name]) for name in ("meta", "evidence") if name in row}}
