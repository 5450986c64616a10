"""The tutorial on plug-ins ends in an installed package: here it is written, installed and used, as the page says."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from expound import plugins

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
GROUPS = re.findall(r"^\| `expound\.(\w+)` \|.*$", PAGE, re.MULTILINE)


def block(language: str) -> str:
    """The page's first block of a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found.group(1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the page speaks of, with the package written and installed beside it."""
    if importlib.util.find_spec("setuptools") is None:
        pytest.skip("needs setuptools to build the package without the network")
    package = tmp_path / "expound-harbour"
    package.mkdir()
    (package / "pyproject.toml").write_text(block("toml"), encoding="utf-8")
    (package / "harbour.py").write_text(block("python"), encoding="utf-8")
    offline = ["--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--target", str(tmp_path / "site")]
    subprocess.run([sys.executable, "-P", "-m", "pip", "install", *offline, str(package)], check=True, cwd=tmp_path)
    shutil.copytree(ROOT / "examples" / "scoring", tmp_path / "examples" / "scoring")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "harbour.md").write_text(
        "# Harbour survey\n\nThe harbour of Ostrand was surveyed in May 2024. The survey found 14 wrecks.\n\n"
        "## Depth\n\nThe deepest point of the harbour of Ostrand is 31 metres. Dredging in 2025 added two metres.\n",
        encoding="utf-8",
    )
    (tmp_path / "notes" / "ferries.txt").write_text(
        "Ferries of Ostrand\n\nThe ferry Aurora sails from Ostrand at 7:30 every morning.\n", encoding="utf-8"
    )
    return tmp_path


def printed(command: str, folder: Path) -> str:
    """What a command of the page prints, with the package on the path; white space folded."""
    words = shlex.split(command)[1:]
    variables = {**os.environ, "PYTHONPATH": str(folder / "site"), "COLUMNS": "200", "NO_COLOR": "1"}
    call = [sys.executable, "-P", "-m", "expound", *words]
    done = subprocess.run(call, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert not done.returncode, f"{command}: {done.stderr}"
    return " ".join((done.stdout + done.stderr).split())


def test_the_package_of_the_tutorial_is_installed_and_every_part_is_used(folder: Path) -> None:
    shown = re.split(r"^\$ ", block("shell"), flags=re.MULTILINE)[1:]
    for command, _, output in (part.partition("\n") for part in shown if part.startswith("expound ")):
        found = printed(command, folder)
        missing = [line for line in output.splitlines() if " ".join(line.split()) not in found]
        assert not missing, f"{command} printed {found}"


def test_every_group_of_plug_ins_has_a_row() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.findall(r'^\[project\.entry-points\."expound\.(\w+)"\]', text, re.MULTILINE)
    assert sorted(GROUPS) == sorted(declared)


@pytest.mark.parametrize("group", GROUPS)
def test_the_parts_that_a_row_names_are_ours(group: str) -> None:
    [row] = [line for line in PAGE.splitlines() if line.startswith(f"| `expound.{group}` |")]
    named = re.findall(r"`([\w-]+)`", row.rsplit("|", 2)[1])
    assert named
    assert set(named) <= set(plugins.names(group))
