"""A build of a dump in many shards as a program of its own, which can be killed."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from build.test_passages_of_a_dump import PAGE

FREE = 2
"""So many shards are done before the others wait at the gate."""

CODE = """
import fcntl, sys
from expound.build import build_passages, choose_engine, passages

passages.SHARD_BYTES = 20_000


class Gated(passages.PassagesOf):
    def __call__(self, shard, writer):
        if int(shard.name) >= FREE:
            with open(GATE) as gate:
                fcntl.flock(gate, fcntl.LOCK_SH)
        super().__call__(shard, writer)


if __name__ == "__main__":
    dump, out, engine, jobs = sys.argv[1:]
    if engine != "daft":  # its workers do not know this file
        passages.PassagesOf = Gated
    result = build_passages([dump], out, corpus="", engine=choose_engine(engine, jobs=int(jobs)))
    print(len(result.shards), dict(result.aside))
"""


def write_program(folder: Path) -> Path:
    """The program, beside the dump that it reads."""
    text = "A ''long'' [[page]] of {{lang|de|Worten}} and so on. " * 60
    pages = "".join(PAGE.format(f"Page {number}", number, f"{text} {number}") for number in range(120))
    (folder / "dump.xml").write_text(f"<mediawiki>{pages}</mediawiki>")
    path = folder / "program.py"
    gate = folder / "gate"
    gate.touch()
    path.write_text(f"FREE, GATE = {FREE}, {str(gate)!r}\n{CODE}")
    return path


@contextmanager
def closed_gate(program: Path) -> Iterator[None]:
    """While the block lasts no shard but the first few can be finished, however fast the machine is."""
    with (program.parent / "gate").open() as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield


def command(program: Path, out: str, engine: str = "here", jobs: int = 1) -> list[str]:
    folder = program.parent
    return [sys.executable, "-P", str(program), str(folder / "dump.xml"), str(folder / out), engine, str(jobs)]


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.parquet")}


def until_shards(folder: Path, count: int, running: subprocess.Popen[str]) -> None:
    """Wait until so many shards are finished."""
    while len(list(folder.glob(".shards/passages/0*.json"))) < count:
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
