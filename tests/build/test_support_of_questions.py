"""Support documents: pages are searched shard by shard, the forum's own left out, and what is nearest cut out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from build.forum_world import TOPICS, comments, posts, write_dump
from expound.build import ForumRequest, OutPlace, SplitRules, build_eli5, page_support
from expound.build.page_index import COLUMNS, FORUM_HOSTS, PAGES, is_of_host
from expound.build.page_support import FindSupport, official_record
from expound.build.shards import Shard, ShardWriter, Stage, do_shard


class _Given:
    """Pages as `build web` writes them."""

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        for row in shard.inputs["rows"]:
            writer.add(PAGES, **row)


def write_pages(folder: Path) -> str:
    """Two shards of pages: one about each topic, with something before and after, and a thread of the forum."""
    rows = [
        {
            "url": f"https://site{n}.example/{topic}",
            "title": topic.title(),
            "text": f"Opening words come first. Then some filler. Old {topic} behave so. "
            "A sentence follows. The end is far. Nobody reads on.",
        }
        for n, topic in enumerate(TOPICS)
    ]
    copied = {
        "url": "https://old.reddit.com/r/x",
        "title": "comets",
        "text": "Why do comets behave like that?",
    }
    stage = Stage("web", _Given(), {PAGES: COLUMNS})
    for name, part in (("00000", rows[:4]), ("00001", [*rows[4:], copied])):
        do_shard(stage, Shard(name, {"rows": part}), OutPlace(str(folder)))
    return str(folder)


def request_of(folder: Path) -> ForumRequest:
    asked = write_dump(folder / "RS.jsonl", posts())
    answered = write_dump(folder / "RC.jsonl", comments())
    return ForumRequest(
        [asked], [answered], pages=write_pages(folder / "pages"), parts=2, split=SplitRules(threshold=0.9),
        support=FindSupport(sources=5, passages=2),
    )  # fmt: skip


@pytest.fixture
def built(tmp_path: Path) -> Path:
    request = request_of(tmp_path)
    result = build_eli5(request, str(tmp_path / "out"))
    assert result.stages["index"].dropped == {"a page of the forum": 1}
    assert [stage.reused for stage in build_eli5(request, str(tmp_path / "out")).stages.values()] == [1, 1, 2, 2, 2]
    return tmp_path / "out"


def test_each_question_has_the_passages_that_are_nearest_to_it(built: Path) -> None:
    records = [json.loads(line) for file in built.glob("*.jsonl") for line in file.read_text().splitlines()]
    assert len(records) == len(TOPICS)
    for record in records:
        topic = record["question"].split()[2]
        first = record["evidence"][0]
        assert first["title"] == topic.title()
        # A sentence stands around the nearest one.
        assert first["text"] == f"Then some filler. Old {topic} behave so. A sentence follows."
        assert len(record["evidence"]) <= 2
        assert not any(is_of_host(item["source"]["url"], FORUM_HOSTS) for item in record["evidence"])


def test_compiled_loops_write_the_same_files(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="needs the extra `compiled`")
    monkeypatch.setattr(page_support, "_WORTH_COMPILING", 1)
    build_eli5(request_of(tmp_path), str(tmp_path / "compiled"))
    for file in sorted(built.glob("*.jsonl")):
        assert (tmp_path / "compiled" / file.name).read_bytes() == file.read_bytes()


def test_the_official_form_has_a_mark_before_each_passage() -> None:
    question = {
        "id": "q",
        "references": ["Best.", "Other."],
        "meta": {"title": "Why?", "text": "I mean this."},
        "evidence": [{"text": "One."}, {"text": "Two."}],
    }
    assert official_record(question) == {
        "id": "q", "question": "Why? --T-- I mean this.", "document": "<P> One. <P> Two.", "answer": "Best."
    }  # fmt: skip


@pytest.mark.parametrize(
    ("url", "is_forum"),
    [
        ("https://www.reddit.com/r/explainlikeimfive", True),
        ("http://REDD.IT/abc", True),
        ("https://notreddit.com", False),
        ("no address", False),
        ("http://[broken", False),
    ],
)
def test_the_forum_is_known_by_its_host(url: str, is_forum: bool) -> None:
    assert is_of_host(url, FORUM_HOSTS) is is_forum
