"""Run every command shown in the docs and put its real output beneath it.

    .venv/bin/python tools/docs_output.py [FILE…]

A block that starts with ```console holds `$ command` lines, each followed by what it prints. Commands run in one
shell session per file, in a scratch folder with the small documents that the pages speak of.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from expound import resources

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COLUMNS = "100"


def main() -> None:
    files = [Path(name) for name in sys.argv[1:]] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for file in files:
        text = file.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as scratch:
            prepare(Path(scratch))
            fresh = BLOCK.sub(
                lambda match, folder=scratch: f"```console\n{rerun(match.group(1), Path(folder))}```", text
            )
        if fresh != text:
            file.write_text(fresh, encoding="utf-8")
            print(f"{file.name}: updated")


def prepare(folder: Path) -> None:
    """The documents that the pages speak of."""
    (folder / "home" / "resources").mkdir(parents=True)
    for name in ("minilm", "minilm-tokenizer", "punkt"):
        shutil.copy(resources.path(name), folder / "home" / "resources")
    shutil.copytree(ROOT / "examples" / "scoring", folder / "examples" / "scoring")
    notes = folder / "notes"
    notes.mkdir()
    (notes / "harbour.md").write_text(
        "# Harbour survey\n\nThe harbour of Ostrand was surveyed in May 2024. The survey found 14 wrecks.\n\n"
        "## Depth\n\nThe deepest point of the harbour of Ostrand is 31 metres. Dredging in 2025 added two metres.\n",
        encoding="utf-8",
    )
    (notes / "ferries.txt").write_text(
        "Ferries of Ostrand\n\nThe ferry Aurora sails from Ostrand at 7:30 every morning. "
        "The ferry Borealis sails from Ostrand only in summer.\n",
        encoding="utf-8",
    )


def commands(block: str) -> Iterator[str]:
    """The commands of a block, without their output."""
    yield from (line[2:] for line in block.splitlines() if line.startswith("$ "))


def words_of(command: str) -> list[str]:
    """The arguments that expound gets from a command line, without what follows a pipe."""
    return shlex.split(command.split(" | ")[0])[1:]


def rerun(block: str, folder: Path) -> str:
    """The block with fresh output."""
    return "".join(f"$ {command}\n{run(command, folder)}" for command in commands(block))


def run(command: str, folder: Path) -> str:
    """What a command prints to both streams; a failure stops the tool, unless the page shows one."""
    environment = {**os.environ, "EXPOUND_HOME": str(folder / "home"), "COLUMNS": COLUMNS, "NO_COLOR": "1"}
    environment["EXPOUND_LOCAL_SERVERS"] = "none"
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    result = subprocess.run(
        command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    output = result.stdout.replace(str(folder), "~").strip("\n")
    lines = [line.rstrip() for line in output.splitlines()]
    return "\n".join(lines) + "\n" if lines else ""


if __name__ == "__main__":
    main()
