"""A build that is killed, itself or its workers, ends with the same files when it is run again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from build.dump_program import FREE, closed_gate, command, files, until_shards, write_program
from expound.build import build_web, choose_engine

pytestmark = pytest.mark.slow


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return write_program(tmp_path)


def children(number: int) -> Iterator[int]:
    for line in Path(f"/proc/{number}/task/{number}/children").read_text().split():
        # Not the one that only tidies up behind the others.
        if "resource_tracker" not in Path(f"/proc/{line}/cmdline").read_text():
            yield int(line)


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_driver_that_is_killed_goes_on_where_it_was(program: Path) -> None:
    folder = program.parent
    subprocess.run(command(program, "whole"), check=True)
    with closed_gate(program):
        running = start(*command(program, "killed"))
        until_shards(folder / "killed", FREE, running)
        os.kill(running.pid, signal.SIGKILL)
        running.communicate()
    finished = {file: file.stat().st_mtime_ns for file in (folder / "killed").rglob("*.parquet")}
    subprocess.run(command(program, "killed"), check=True)
    assert files(folder / "killed") == files(folder / "whole")
    # Each finished shard has three tables, and none was written again.
    assert len(finished) == 3 * FREE
    assert all(file.stat().st_mtime_ns == when for file, when in finished.items())
    assert not list((folder / "killed").rglob("*.begun"))


def test_a_worker_that_is_killed_costs_nothing_but_its_shard(program: Path) -> None:
    folder = program.parent
    subprocess.run(command(program, "whole"), check=True)
    with closed_gate(program):
        running = start(*command(program, "killed", jobs=2))
        until_shards(folder / "killed", FREE, running)
        os.kill(next(children(running.pid)), signal.SIGKILL)
    printed, complaint = running.communicate()
    assert running.returncode == 0, complaint
    assert printed.split(" ", 1)[1].strip() == "{}"
    assert files(folder / "killed") == files(folder / "whole")


def test_daft_writes_what_one_process_writes(program: Path) -> None:
    pytest.importorskip("daft")
    subprocess.run(command(program, "whole"), check=True)
    subprocess.run(command(program, "daft", "daft", 2), check=True)
    assert files(program.parent / "daft") == files(program.parent / "whole")


def test_daft_does_one_stage_after_the_other(tmp_path: Path) -> None:
    pytest.importorskip("daft")
    archive = Path(__file__).resolve().parents[2] / "examples" / "build" / "wonders.warc"
    for name, engine in {"daft": choose_engine("daft"), "here": choose_engine("here")}.items():
        build_web([str(archive)], str(tmp_path / name), engine=engine)
    assert files(tmp_path / "daft") == files(tmp_path / "here")
