"""What the docs show works: Python snippets run, commands succeed, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from expound import resources
from expound.cli import execute

ROOT = Path(__file__).resolve().parent.parent
FILES = ("minilm", "minilm-tokenizer", "punkt")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

_spec = importlib.util.spec_from_file_location("docs_output", ROOT / "tools" / "docs_output.py")
assert _spec is not None
assert _spec.loader is not None
docs_output = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(docs_output)


def named(page: Path) -> str:
    return page.stem


def set_up(folder: Path, use_resources: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that the pages speak of, with the fetched files in its home."""
    use_resources(*FILES)
    docs_output.prepare(folder)
    for name in FILES:
        monkeypatch.delenv(resources.override_variable(name))
    monkeypatch.setenv("EXPOUND_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_snippets_run(
    page: Path, use_resources: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(tmp_path, use_resources, monkeypatch)
    for snippet in PYTHON.findall(page.read_text(encoding="utf-8")):
        exec(compile(snippet, str(page), "exec", dont_inherit=True), {"__name__": "__docs__"})


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_succeed_and_their_output_is_shown(
    page: Path,
    use_resources: Callable[..., object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up(tmp_path, use_resources, monkeypatch)
    for block in docs_output.BLOCK.findall(page.read_text(encoding="utf-8")):
        for command in docs_output.commands(block):
            words = docs_output.words_of(command)
            assert execute(words) == 0, command
            cut = re.search(r"\| head -(\d+)", command)
            lines = capsys.readouterr().out.splitlines()[: int(cut[1]) if cut else None]
            shown = [line.strip() for line in lines if line.strip()]
            # Times, sizes and folders differ from run to run; the first words of most lines do not.
            same = [line for line in shown if " ".join(line.split()[:3]) in " ".join(block.split())]
            assert len(same) >= 0.5 * len(shown), f"{page.name}: run tools/docs_output.py again"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "recipes" / "README.md"], ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
