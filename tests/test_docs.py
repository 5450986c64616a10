"""What the docs show works on a fresh machine: blocks run, print what the pages show, and links lead somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import math
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from expound import plugins, resources
from expound.cli import COMMANDS, console, execute, progress
from expound.models.text import CAPABILITIES
from expound.resource_table import Resource
from expound.runs.plan import Plan
from expound.score import rouge
from expound.text import punkt

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(console|python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
NUMBER = re.compile(r"\d[\d.,]*")
# Answers hang on the last digits of float arithmetic, which differ from one processor to the next.
SAME_ELSEWHERE = 0.8

_spec = importlib.util.spec_from_file_location("docs_output", ROOT / "tools" / "docs_output.py")
assert _spec is not None
assert _spec.loader is not None
docs_output = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(docs_output)

PAGES = [*docs_output.PAGES, ROOT / "CONTRIBUTING.md"]
CARDS = [card for card in (ROOT / "docs" / "score").glob("*.md") if card.name != "README.md"]


class Printed(NamedTuple):
    """The lines of both streams."""

    out: list[str]
    err: list[str]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT).with_suffix(""))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.fixture
def folder(expound_home: Path, package_index: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that the pages speak of, on a machine where expound was never used; the launcher starts it."""
    checkout = Path(tempfile.mkdtemp())  # of a short name, so that lines with it are not folded
    docs_output.prepare(checkout)
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("EXPOUND_LAUNCHER", "1")
    monkeypatch.setenv("COLUMNS", docs_output.COLUMNS)
    monkeypatch.setattr(progress, "LINE_EVERY_SECONDS", math.inf)  # how often progress is told is the machine's affair
    # By another test: from a home that was not empty, or for a screen of another width.
    for opened in (punkt.english, rouge._asqa_reading, console.out, console.err):
        opened.cache_clear()
    monkeypatch.setattr(Console, "_environ", os.environ)
    assert not expound_home.exists()
    yield checkout
    shutil.rmtree(checkout)
    for opened in (console.out, console.err):  # others expect the width of their own screen
        opened.cache_clear()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_works_from_top_to_bottom(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for kind, block in BLOCK.findall(text_of(page)):
        if kind == "console":
            check_commands(block, folder, capsys)
        elif kind == "pycon":
            check_session(block, names)
        else:
            exec(compile(block, str(page), "exec", dont_inherit=True), {"__name__": "__main__"})
            capsys.readouterr()


def check_commands(block: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command succeeds, and prints to both streams what the page shows."""
    shown = {steady(line) for line in block.splitlines()}
    for command in docs_output.commands(block):
        printed = ran(command, folder, capsys)
        remarks = [line for line in printed.err if not line.startswith(docs_output.SET_UP)]
        assert [line for line in remarks if steady(line) not in shown] == [], f"{command}: its stderr is not shown"
        same = [line for line in printed.out if steady(line) in shown]
        assert len(same) >= SAME_ELSEWHERE * len(printed.out), f"{command}: run tools/docs_output.py again"


def ran(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Printed:
    code = execute(docs_output.words_of(command))
    captured = capsys.readouterr()
    assert code == 0, f"{command}: {captured.err}"
    out, err = ([line for line in text.replace(str(folder), "~").splitlines() if line.strip()] for text in captured)
    cut = re.search(r"\| head -(\d+)", command)
    return Printed(out[: int(cut[1]) if cut else None], err)


def steady(line: str) -> str:
    """A line without what differs from run to run: times, sizes, and how many spaces they leave."""
    return " ".join(NUMBER.sub("0", line).split())


def check_session(block: str, names: dict[str, Any]) -> None:
    example = doctest.DocTestParser().get_doctest(block, names, "session", None, 0)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append, clear_globs=False)
    names.update(example.globs)
    assert not report, "".join(report)


@pytest.mark.parametrize("page", [*PAGES, *CARDS], ids=named)
def test_every_page_has_a_block_that_is_run(page: Path) -> None:
    assert BLOCK.search(text_of(page))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "recipes" / "README.md"], ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(text_of(page)):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_front_page_leads_to_every_page() -> None:
    front = ROOT / "docs" / "README.md"
    targets = {(front.parent / target).resolve() for target in LINK.findall(text_of(front))}
    assert {page for page in PAGES if page.parent.name == "docs" and page != front} <= targets


@pytest.mark.parametrize("command", COMMANDS)
def test_the_front_page_names_every_command(command: str) -> None:
    assert f"`expound {command}" in text_of(ROOT / "docs" / "README.md")


def test_every_setting_of_the_environment_is_documented() -> None:
    used = {
        name
        for file in [*(ROOT / "src").rglob("*.py"), ROOT / "tools" / "set_up.py", ROOT / "expound"]
        for name in re.findall(r"(?<!_)EXPOUND_[A-Z_]+", text_of(file))
    }
    written = "".join(text_of(page) for page in PAGES)
    assert [name for name in sorted(used) if name not in written] == []


def test_the_plug_in_of_the_guide_is_found_by_its_name_and_recorded_by_its_spec(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for page in (ROOT / "CONTRIBUTING.md",):  # the package of docs/plugins.md is installed by tests/test_tutorial.py
        (entry,) = re.findall(r'^(\w+) = "(\w+):\1"$', text_of(page), re.MULTILINE)
        name, module = entry
        install(text_of(page), name, module, folder, monkeypatch)
        spec = re.search(rf"{name}\([^)]*\)", text_of(page))
        assert spec
        printed = ran(
            f'expound ask "Why are most boats white?" --corpus sampler --json --system "{spec[0]}"', folder, capsys
        )
        (system,) = [line for line in printed.out if line.startswith('  "system": ')]
        assert system == f'  "system": "{spec[0]}",'


def install(page: str, name: str, module: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `pip install` makes of the page's example: a module, and an entry point that names it."""
    place = folder / name
    about = place / f"{module}_of_{name.lower()}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}-of-{name.lower()}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[expound.answer]\n{name} = {module}_{name.lower()}:{name}\n")
    (code,) = [block for kind, block in BLOCK.findall(page) if kind == "python" and f"class {name}" in block]
    (place / f"{module}_{name.lower()}.py").write_text(code)
    monkeypatch.syspath_prepend(str(place))
    assert name in plugins.names("answer")


def test_every_setting_of_a_plan_is_documented() -> None:
    page = text_of(ROOT / "docs" / "run.md")
    assert [field.name for field in fields(Plan) if f"`{field.name}`" not in page] == []


@pytest.mark.parametrize("row", resources.RESOURCES.values(), ids=lambda row: row.name)
def test_the_page_says_of_a_text_model_what_the_command_says(row: Resource) -> None:
    listed = [line.split() for line in text_of(ROOT / "docs" / "models.md").splitlines() if line.startswith(row.name)]
    assert (row.capability or "-") in listed[0]


def test_the_page_says_how_to_declare_what_a_model_is_trusted_with() -> None:
    assert [name for name in CAPABILITIES if f"`--model {name}:http" not in text_of(ROOT / "docs" / "ask.md")] == []


@pytest.mark.parametrize("target", re.findall(r"^make ([a-z-]+)", text_of(ROOT / "CONTRIBUTING.md"), re.MULTILINE))
def test_the_guides_make_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", text_of(ROOT / "Makefile"), re.MULTILINE)


def test_resources_of_the_pages_are_those_of_the_table() -> None:
    assert set(re.findall(r"expound models get ([\w.-]+)", "".join(map(text_of, PAGES)))) - {"NAME"} <= set(
        resources.RESOURCES
    )


PAGE_OF_PARTS = {
    "retrieve": "retrieve.md",
    "clarify": "clarify.md",
    "answer": "run.md",
    "judge": "judge.md",
    "profile": "score.md",
    "supports": "score/citations.md",
    "dataset": "datasets.md",
    "preferences": "datasets.md",
    "ratings": "datasets.md",
    "form": "study.md",
}
"""By kind of part: the page whose tables name all of them. A metric has a card instead."""


@pytest.mark.parametrize("kind", sorted(PAGE_OF_PARTS))
def test_every_part_has_a_row(kind: str) -> None:
    page = text_of(ROOT / "docs" / PAGE_OF_PARTS[kind])
    first_cells = "\n".join(re.findall(r"^\|([^|]*)\|", page, re.MULTILINE))
    named_there = set(re.findall(r"`([\w-]+)[`(]", first_cells))
    assert [name for name in plugins.names(kind) if name not in named_there] == []


def test_every_kind_of_part_has_a_page() -> None:
    groups = re.findall(r'^\[project\.entry-points\."expound\.(\w+)"\]', text_of(ROOT / "pyproject.toml"), re.MULTILINE)
    assert {*PAGE_OF_PARTS, "score"} == set(groups)


def test_a_page_keeps_the_seconds_of_a_line_that_says_the_same_otherwise() -> None:
    before = "Deep. [1]\n\ncorpus notes · Composed() · 0.76 s\n"
    assert docs_output.keep_seconds("Very deep. [1]\n\ncorpus notes · Composed() · 5.18 s\n", before) == (
        "Very deep. [1]\n\ncorpus notes · Composed() · 0.76 s\n"
    )
    assert docs_output.keep_seconds("corpus sampler · 5.18 s\n", before) == "corpus sampler · 5.18 s\n"
    twice = "corpus notes · 0.76 s\ncorpus notes · 0.19 s\n"
    assert docs_output.keep_seconds("corpus notes · 5.18 s\ncorpus notes · 3.61 s\n", twice) == twice
