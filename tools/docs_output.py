"""Run every command shown in the docs and put its real output beneath it.

    .venv/bin/python tools/docs_output.py [FILE…]

A block that starts with ```console holds `$ command` lines, each followed by what it prints to both streams. Commands
run through the launcher, in a scratch folder with the examples of this checkout, and each page starts from an empty
home: the files that a command needs come from a package index made of those that this machine has.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path

from expound import resources
from expound.resource_table import EMBEDDER, PUNKT

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs" / "score" / "README.md")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SET_UP = "fetching what this needs, once: "
"""How the line begins that the first command on a machine prints; pages do not repeat it."""
PROGRESS = re.compile(r"[a-z\d -]+: [\d,.]+( \w+)? of [\d,.]+( \w+)?(, .* left)?")
"""A line about long work, told on slow machines only."""
SECONDS = re.compile(r" · [\d.]+ s(?=\*?$)")
"""How a line ends that says what an answer took: other each time, and no reason to change a page."""
COLUMNS = "100"


def main() -> None:
    files = [Path(name) for name in sys.argv[1:]] or PAGES
    with tempfile.TemporaryDirectory() as wheels:
        make_wheels(Path(wheels))
        for file in files:
            refresh(file, Path(wheels))


def refresh(file: Path, wheels: Path) -> None:
    """Write a page anew if what its commands print has changed."""
    text = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        prepare(Path(scratch))
        fresh = BLOCK.sub(lambda match: f"```console\n{rerun(match.group(1), Path(scratch), wheels)}```", text)
    fresh = keep_seconds(fresh, text)
    if fresh != text:
        file.write_text(fresh, encoding="utf-8")
        print(f"{file.name}: updated")


def keep_seconds(fresh: str, before: str) -> str:
    """The page with its former seconds on lines that say the same otherwise: they were taken on an idle machine."""
    known: defaultdict[str, deque[str]] = defaultdict(deque)
    for line in before.split("\n"):
        known[SECONDS.sub("", line)].append(line)
    # In order: two answers of a page may end in the same line.
    kept = (known[SECONDS.sub("", line)] if SECONDS.search(line) else None for line in fresh.split("\n"))
    return "\n".join(same.popleft() if same else line for line, same in zip(fresh.split("\n"), kept, strict=True))


def prepare(folder: Path) -> None:
    """What a reader of the pages has: the launcher and the examples."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "expound").symlink_to(ROOT / "expound")


def make_wheels(folder: Path) -> None:
    """Wheels with the small files, as pip finds them in a folder."""
    for name in (*EMBEDDER, PUNKT):
        (part,) = resources.find(name).parts
        project, _, version = part.requirement.replace("-", "_").partition("==")
        about = f"{project}-{version}.dist-info"
        with zipfile.ZipFile(folder / f"{project}-{version}-py3-none-any.whl", "w") as wheel:
            wheel.write(resources.path(name), part.member)
            wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n")
            wheel.writestr(f"{about}/RECORD", "")


def commands(block: str) -> Iterator[str]:
    """The commands of a block, without their output."""
    yield from (line[2:] for line in block.splitlines() if line.startswith("$ "))


def words_of(command: str) -> list[str]:
    """The arguments that expound gets from a command line, without what follows a pipe."""
    return shlex.split(command.split(" | ")[0])[1:]


def rerun(block: str, folder: Path, wheels: Path) -> str:
    """The block with fresh output."""
    return "".join(f"$ {command}\n{run(command, folder, wheels)}" for command in commands(block))


def run(command: str, folder: Path, wheels: Path) -> str:
    """What a command prints to both streams; a failure stops the tool."""
    result = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=os.environ | settings(folder, wheels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode:
        sys.exit(f"{command}\n{result.stdout}")
    lines = result.stdout.replace(str(folder), "~").strip("\n").splitlines()
    kept = [line.rstrip() for line in lines if not line.startswith(SET_UP) and not PROGRESS.fullmatch(line)]
    return "".join(f"{line}\n" for line in kept)


def settings(folder: Path, wheels: Path) -> dict[str, str]:
    """The environment of a command: an empty home, the scratch folder's launcher, no index but ours."""
    return {
        "EXPOUND_HOME": str(folder / "home"),
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "COLUMNS": COLUMNS,
        "NO_COLOR": "1",
        # A text model's server that happens to run here is none of the pages' business.
        "EXPOUND_LOCAL_SERVERS": "none",
    }


if __name__ == "__main__":
    main()
