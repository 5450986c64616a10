"""Make datasets: Wikipedia dumps, web crawls and forums as shards of passages, pages and questions (extra `build`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.build.building import Building, StageResult, open_build
    from expound.build.engine_choice import choose_engine
    from expound.build.engines import ShardEngine
    from expound.build.passages import build_passages
    from expound.build.places import OutPlace, list_inputs
    from expound.build.shards import Shard, ShardWriter, Stage, read_table
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "building": "Building StageResult open_build",
            "engine_choice": "choose_engine",
            "engines": "ShardEngine",
            "passages": "build_passages",
            "places": "OutPlace list_inputs",
            "shards": "Shard ShardWriter Stage read_table",
        },
    )

__all__ = [
    "Building",
    "OutPlace",
    "Shard",
    "ShardEngine",
    "ShardWriter",
    "Stage",
    "StageResult",
    "build_passages",
    "choose_engine",
    "list_inputs",
    "open_build",
    "read_table",
]
