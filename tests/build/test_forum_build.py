"""`build eli5`: dumps become questions with answers, whatever they are packed with and in whichever order they come."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fsspec
import pytest

from build.forum_world import TOPICS, comment, comments, post, posts, write_dump
from commands import succeed
from expound.build import ForumRequest, ForumRules, Names, ShardWriter, SplitRules, build_eli5, open_build
from expound.build.forum_join import iter_dump
from expound.cli import execute
from expound.datasets.spec import open_dataset
from expound.errors import BuildBusy

HALVES = SplitRules(valid=0.25, test=0.25, threshold=0.9)


def lines(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """What was written, by side."""
    return {
        file.stem: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for file in sorted(folder.glob("*.jsonl"))
    }


def request(tmp_path: Path, suffix: str = ".jsonl", **more: Any) -> ForumRequest:
    asked = write_dump(tmp_path / f"RS{suffix}", posts())
    answered = write_dump(tmp_path / f"RC{suffix}", comments())
    return ForumRequest([asked], [answered], split=HALVES, parts=3, **more)


@pytest.mark.parametrize("suffix", [".jsonl", ".bz2", ".zst"])
def test_questions_come_with_their_answers_however_dumps_are_packed(tmp_path: Path, suffix: str) -> None:
    result = build_eli5(request(tmp_path, suffix), str(tmp_path / "out"))
    assert result.sides == {"train": 4, "valid": 2, "test": 2}
    written = [record for side in lines(tmp_path / "out").values() for record in side]
    assert sorted(record["question"] for record in written) == sorted(f"Why do {t} behave like that?" for t in TOPICS)
    assert all("number 1" in record["references"][0] for record in written)


def test_the_order_and_number_of_dumps_changes_nothing(tmp_path: Path) -> None:
    build_eli5(request(tmp_path), str(tmp_path / "one"))
    asked = [write_dump(tmp_path / f"RS-{n}.jsonl", [record]) for n, record in enumerate(reversed(posts()))]
    answered = [write_dump(tmp_path / f"RC-{n}.jsonl", [record]) for n, record in enumerate(reversed(comments()))]
    build_eli5(ForumRequest(asked, answered, split=HALVES, parts=3), str(tmp_path / "many"))
    assert lines(tmp_path / "one") == lines(tmp_path / "many")


def test_a_finished_stage_is_not_done_again(tmp_path: Path) -> None:
    wanted = request(tmp_path)
    build_eli5(wanted, str(tmp_path / "out"))
    before = lines(tmp_path / "out")
    again = build_eli5(wanted, str(tmp_path / "out"))
    assert [result.reused for result in again.stages.values()] == [1, 1, 3]
    assert lines(tmp_path / "out") == before


def test_bad_lines_are_counted_and_the_rest_is_used(tmp_path: Path) -> None:
    path = tmp_path / "RS.jsonl"
    asked = write_dump(path, [*posts(), ["no", "post"], {"subreddit": "explainlikeimfive"}])
    path.write_bytes(path.read_bytes() + b"{half\n\xff\xfe\n")
    answered = write_dump(tmp_path / "RC.jsonl", comments())
    result = build_eli5(ForumRequest([asked], [answered], split=HALVES, parts=2), str(tmp_path / "out"))
    assert result.stages["posts"].dropped == {"not a JSON object": 3, "score too low": 1}
    assert result.stages["questions"].counts["questions"] == len(TOPICS)


def test_a_dump_that_is_cut_short_gives_what_it_has_and_says_so(tmp_path: Path) -> None:
    whole = tmp_path / "RC.bz2"
    write_dump(whole, comments())
    cut = tmp_path / "cut.bz2"
    cut.write_bytes(whole.read_bytes() + whole.read_bytes()[:-20])
    asked = write_dump(tmp_path / "RS.jsonl", posts())
    result = build_eli5(ForumRequest([asked], [str(whole), str(cut)], split=HALVES, parts=2), str(tmp_path / "out"))
    assert any("cut short" in reason for reason in result.stages["comments"].dropped)
    assert result.stages["questions"].counts["answers"] == 2 * len(TOPICS)


def test_what_was_asked_twice_in_the_same_words_stands_once(tmp_path: Path) -> None:
    asked = write_dump(tmp_path / "RS.jsonl", [*posts(), post("again", "ELI5 Why do comets behave like that?")])
    answered = write_dump(tmp_path / "RC.jsonl", [*comments(), comment("c", "again")])
    result = build_eli5(ForumRequest([asked], [answered], split=HALVES, parts=3), str(tmp_path / "out"))
    assert sum(result.sides.values()) == len(TOPICS)


def test_no_name_and_no_id_of_the_forum_is_anywhere_in_the_output(tmp_path: Path) -> None:
    rules = ForumRules(names=Names.salted("pepper"))
    build_eli5(request(tmp_path, rules=rules), str(tmp_path / "out"))
    for file in (tmp_path / "out").rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        assert not [word for word in (b"asker_", b"writer_", b"pepper") if word in content], file


def test_the_official_layout_can_be_written_and_read(tmp_path: Path) -> None:
    build_eli5(request(tmp_path, layout="eli5"), str(tmp_path / "out"))
    first = lines(tmp_path / "out")["valid"][0]
    assert first["question"].endswith(" --T-- ")
    assert next(iter(open_dataset(f"eli5:{tmp_path / 'out' / 'valid.jsonl'}"))).references == (first["answer"],)


def test_two_processes_do_not_build_one_output(tmp_path: Path) -> None:
    with open_build(str(tmp_path / "out")), pytest.raises(BuildBusy, match="another process"):
        build_eli5(request(tmp_path), str(tmp_path / "out"))


def test_the_command_prints_what_was_kept_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked, answered = request(tmp_path).submissions[0], request(tmp_path).comments[0]
    given = ["--submissions", asked, "--comments", answered, "--out", str(tmp_path / "out"), "--parts", "2"]
    printed = json.loads(succeed(capsys, "build", "eli5", *given, "--json"))
    assert printed["stages"]["questions"]["counts"]["questions"] == len(TOPICS)
    assert sum(printed["result"].values()) == len(TOPICS)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--submissions", "nothing.zst"], "no such file"),
        (["--layout", "squad"], "no layout 'squad'"),
        (["--threshold", "2"], "threshold"),
        (["--valid", "0.6", "--test", "0.5"], "leave nothing to train on"),
        (["--pages", "nowhere"], "has no pages"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    wanted = request(tmp_path)
    given = ["--submissions", wanted.submissions[0], "--comments", wanted.comments[0], "--out", str(tmp_path / "out")]
    assert execute(["build", "eli5", *given, *more]) == 2
    assert said in capsys.readouterr().err


def test_a_damaged_dump_is_named_without_the_password_of_its_address() -> None:
    address = "memory://me:secret@host/RC.jsonl.gz"
    with fsspec.open(address, "wb") as file:
        file.write(gzip.compress(b'{"id": "a"}\n' * 1_000)[:-20])
    dropped: list[Mapping[str, Any]] = []
    list(iter_dump(address, ShardWriter({"dropped": dropped.append})))
    assert [row["id"].startswith("memory://host/RC.jsonl.gz, ") for row in dropped] == [True]


def test_an_option_takes_all_files_that_a_shell_makes_of_a_pattern(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = len(posts()) // 2
    asked = [write_dump(tmp_path / "RS1.jsonl", posts()[:half]), write_dump(tmp_path / "RS2.jsonl", posts()[half:])]
    answered = write_dump(tmp_path / "RC1.jsonl", comments())
    files = ["--submissions", *map(str, asked), "--comments", str(answered), "--parts", "2"]
    succeed(capsys, "build", "eli5", *files, "--out", str(tmp_path / "out"))
    written = [record["question"] for side in lines(tmp_path / "out").values() for record in side]
    build_eli5(request(tmp_path), str(tmp_path / "whole"))
    whole = [record["question"] for side in lines(tmp_path / "whole").values() for record in side]
    assert sorted(written) == sorted(whole)
