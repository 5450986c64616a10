"""Shards of a build: finished ones are kept, broken ones are tried again and set aside, one process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from expound.build import Shard, ShardWriter, Stage, choose_engine, open_build
from expound.build.engines import Done, Here, WorkersDied
from expound.build.places import OutPlace, public_name
from expound.build.shards import _TableWriter, do_shard, read_table
from expound.errors import BuildBusy, BuildFailed, UserError

COLUMNS = {"word": str, "length": int}


@dataclass(frozen=True)
class Words:
    """Writes the words of a shard; notes in a file that it was asked to, and fails where it is told to."""

    log: str
    failing: str = ""

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        with Path(self.log).open("a", encoding="utf-8") as file:
            file.write(f"{shard.name}\n")
        if shard.name == self.failing:
            raise ValueError("it does not want to")
        for word in shard.inputs["text"].split():
            if word.isalpha():
                writer.add("words", word=word, length=len(word))
            else:
                writer.drop(word, "no letters")


def stage(folder: Path, **settings: str) -> Stage:
    return Stage("words", Words(str(folder / "log"), **settings), {"words": COLUMNS})


def shards(*texts: str) -> list[Shard]:
    return [Shard(f"{number:02}", {"text": text}) for number, text in enumerate(texts)]


def log(folder: Path) -> list[str]:
    return (folder / "log").read_text().split()


def test_a_stage_writes_tables_counts_and_reasons(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with open_build(str(out)) as build:
        result = build.run(stage(tmp_path), shards("one two", "three 4"))
    assert (result.counts, result.dropped, result.aside) == ({"words": 3}, {"no letters": 1}, {})
    assert list(read_table(OutPlace(str(out)), "words", "01", COLUMNS)) == [{"word": "three", "length": 5}]
    assert [row["id"] for row in read_table(OutPlace(str(out)), "dropped/words", "01", {"id": str})] == ["4"]
    assert OutPlace(str(out)).read_json("words.manifest.json")["counts"] == {"words": 3}


def test_a_finished_shard_is_never_done_again(tmp_path: Path) -> None:
    for _ in range(2):
        with open_build(str(tmp_path / "out")) as build:
            result = build.run(stage(tmp_path), shards("one", "two"))
    assert log(tmp_path) == ["00", "01"]
    assert (result.reused, result.counts) == (2, {"words": 2})


def test_a_broken_shard_is_tried_again_and_set_aside_while_the_others_go_on(tmp_path: Path) -> None:
    with open_build(str(tmp_path / "out")) as build:
        result = build.run(stage(tmp_path, failing="01"), shards("one", "two", "three"))
    assert result.aside == {"01": "ValueError: it does not want to"}
    assert result.counts == {"words": 2}
    assert log(tmp_path).count("01") == 3
    assert not (tmp_path / "out" / "words" / "01.parquet").exists()


def test_when_no_shard_can_be_done_the_reason_is_told(tmp_path: Path) -> None:
    with open_build(str(tmp_path / "out")) as build, pytest.raises(BuildFailed, match="it does not want to"):
        build.run(stage(tmp_path, failing="00"), shards("one"))


def test_two_processes_on_one_output_get_one_clear_line(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with open_build(out), pytest.raises(BuildBusy, match="another process is building"), open_build(out):
        pass


def test_an_output_begun_with_other_settings_is_refused(tmp_path: Path) -> None:
    with open_build(str(tmp_path / "out")) as build:
        build.run(stage(tmp_path), shards("one"))
        with pytest.raises(UserError, match="begun with other work"):
            build.run(stage(tmp_path, failing="07"), shards("one"))
        with pytest.raises(UserError, match="begun with other shards"):
            build.run(stage(tmp_path), shards("one", "two"))


def test_the_same_shard_makes_the_same_bytes(tmp_path: Path) -> None:
    receipts = [do_shard(stage(tmp_path), shards("one 2")[0], OutPlace(str(tmp_path / name))) for name in "ab"]
    assert receipts[0] == receipts[1]
    assert len(receipts[0]["sha256"]) == 2


@dataclass(frozen=True)
class Parted:
    """Writes rows to many tables in turn."""

    tables: int

    def __call__(self, shard: Shard, writer: ShardWriter) -> None:
        for number in range(50 * self.tables):
            writer.add(f"part{number % self.tables}", word="x" * 1000, length=number)


def test_the_rows_that_wait_in_all_tables_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.build.shards._BYTES_AT_ONCE", 100_000)
    waiting: list[int] = []
    flush = _TableWriter.flush

    def counted(writer: _TableWriter) -> None:
        waiting.append(writer.size)
        flush(writer)

    monkeypatch.setattr(_TableWriter, "flush", counted)
    names = [f"part{number}" for number in range(20)]
    do_shard(Stage("parts", Parted(20), dict.fromkeys(names, COLUMNS)), Shard("00", {}), OutPlace(str(tmp_path)))
    # Each table would wait for its own 5,000 rows otherwise, and be written once, at the end.
    assert len(waiting) > 2 * 20
    assert max(waiting) < 20_000
    written = [row["length"] for name in names for row in read_table(OutPlace(str(tmp_path)), name, "00", COLUMNS)]
    assert sorted(written) == list(range(1000))


@dataclass(frozen=True)
class Dying:
    """An engine that loses its worker over one shard, as often as it gets it."""

    killer: str

    def run(self, work: Any, shards: Sequence[Shard]) -> Iterator[Done]:
        for shard in shards:
            if shard.name == self.killer:
                # As a worker leaves it that was killed at work.
                stage, place = work.args
                place.write_json(f".shards/{stage.name}/{shard.name}.begun", {})
                raise WorkersDied("a worker was killed")
            yield work(shard)


def test_a_shard_that_kills_its_worker_is_set_aside_and_no_other_is_blamed(tmp_path: Path) -> None:
    with open_build(str(tmp_path / "out"), engine=Dying("01")) as build:
        result = build.run(stage(tmp_path), shards("one", "two", "three"))
    assert result.aside == {"01": "a worker was killed"}
    assert result.counts == {"words": 2}


def test_several_processes_write_what_one_writes(tmp_path: Path) -> None:
    for name, engine in {"a": Here(1), "b": Here(2)}.items():
        with open_build(str(tmp_path / name), engine=engine) as build:
            build.run(stage(tmp_path), shards("one", "two", "three 3"))
    written = [
        {file.relative_to(tmp_path / name): file.read_bytes() for file in (tmp_path / name).rglob("*.parquet")}
        for name in "ab"
    ]
    assert written[0] == written[1]
    assert len(written[0]) == 6


def test_an_unknown_engine_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no engine 'spark'; there are: here, daft, ray"):
        choose_engine("spark")


def test_no_password_or_signature_of_an_address_is_kept() -> None:
    assert public_name("s3://key:secret@bucket/a.gz?X-Amz-Signature=1 failed") == "s3://bucket/a.gz failed"
    assert public_name("ftp://me:p@ss:w@rd@host/a@b.gz") == "ftp://host/a@b.gz"
    assert public_name("Why is it so? Nobody knows") == "Why is it so? Nobody knows"


def test_an_output_that_cannot_be_written_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is no folder"), open_build(str(tmp_path / "file")):
        os.abort()
