"""Make datasets: Wikipedia dumps, web crawls and forums as shards of passages, pages and questions (extra `build`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.build.building import Building, StageResult, open_build
    from expound.build.context_files import ContextRequest, build_contexts
    from expound.build.contexts import ContextRules
    from expound.build.engine_choice import choose_engine
    from expound.build.engines import ShardEngine
    from expound.build.forum import ForumRequest, ForumResult, build_eli5
    from expound.build.forum_rules import ForumRules
    from expound.build.forum_text import Names
    from expound.build.page_support import FindSupport
    from expound.build.passages import build_passages
    from expound.build.places import OutPlace, list_inputs
    from expound.build.shards import Shard, ShardWriter, Stage, read_table
    from expound.build.split_files import SplitRequest, build_split
    from expound.build.splits import SplitRules
    from expound.build.web import ExtractPages, build_web
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "building": "Building StageResult open_build",
            "context_files": "ContextRequest build_contexts",
            "contexts": "ContextRules",
            "engine_choice": "choose_engine",
            "engines": "ShardEngine",
            "forum": "ForumRequest ForumResult build_eli5",
            "forum_rules": "ForumRules",
            "forum_text": "Names",
            "passages": "build_passages",
            "places": "OutPlace list_inputs",
            "shards": "Shard ShardWriter Stage read_table",
            "split_files": "SplitRequest build_split",
            "splits": "SplitRules",
            "page_support": "FindSupport",
            "web": "ExtractPages build_web",
        },
    )

__all__ = [
    "Building",
    "ContextRequest",
    "ContextRules",
    "ExtractPages",
    "FindSupport",
    "ForumRequest",
    "ForumResult",
    "ForumRules",
    "Names",
    "OutPlace",
    "Shard",
    "ShardEngine",
    "ShardWriter",
    "SplitRequest",
    "SplitRules",
    "Stage",
    "StageResult",
    "build_contexts",
    "build_eli5",
    "build_passages",
    "build_split",
    "build_web",
    "choose_engine",
    "list_inputs",
    "open_build",
    "read_table",
]
