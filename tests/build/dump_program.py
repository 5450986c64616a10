"""A build of a dump in many shards as a program of its own, which can be killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from build.test_passages_of_a_dump import PAGE

CODE = """
import sys
from expound.build import build_passages, choose_engine, passages
passages.SHARD_BYTES = 20_000
if __name__ == "__main__":
    dump, out, engine, jobs = sys.argv[1:]
    result = build_passages([dump], out, corpus="", engine=choose_engine(engine, jobs=int(jobs)))
    print(len(result.shards), dict(result.aside))
"""


def write_program(folder: Path) -> Path:
    """The program, beside the dump that it reads."""
    text = "A ''long'' [[page]] of {{lang|de|Worten}} and so on. " * 60
    pages = "".join(PAGE.format(f"Page {number}", number, f"{text} {number}") for number in range(120))
    (folder / "dump.xml").write_text(f"<mediawiki>{pages}</mediawiki>")
    path = folder / "program.py"
    path.write_text(CODE)
    return path


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
