"""Nothing is kept for tests alone: each function, class and constant of a module serves code, a page or an entry point.

Methods are not looked at: only types tell whose method a call means.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from test_layers import PACKAGE, modules

ROOT = PACKAGE.parents[1]
# What the code finds by its name: `getattr(module, "RECIPE")`, `"eli5_table3:WEB_RECIPE"`.
_NAME_IN_TEXT = re.compile(r"[\w.:]+")
_CODE_IN_PAGE = re.compile(r"```(?:python|pycon)\n(.*?)```|`([^`\n]+)`", re.DOTALL)
# They are found by their files, or made for the tests of others.
_FOUND_OTHERWISE = ("testing", "migrations")


def unused_names() -> list[str]:
    """`module.name` of everything that a module defines and nothing but tests uses."""
    trees = {name.removesuffix(".__init__"): _tree(file) for name, file in modules().items()}
    others = [_tree(file) for folder in ("tools", "benchmarks", "examples") for file in (ROOT / folder).rglob("*.py")]
    taken = set(chain.from_iterable(map(_taken, [*trees.values(), *others])))
    named = set(chain.from_iterable(map(_named_in_text, trees.values()))) | _named_in_pages()
    return [
        f"{module}.{name}"
        for module, tree in trees.items()
        if not set(_FOUND_OTHERWISE) & set(module.split("."))
        for name in _left_alone(tree)
        if f"{module}.{name}" not in taken and name not in named
    ]


def _left_alone(tree: ast.Module) -> Iterator[str]:
    """Names that a module defines and does not use itself; a decorator with a dot has handed its function on."""
    for statement in tree.body:
        inside = set(map(id, ast.walk(statement)))
        names = set(_defined(statement))
        loaded = {node.id for node in _loads(tree) if id(node) not in inside} if names else set()
        yield from (name for name in names - loaded if not name.startswith("__"))


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if not any("." in ast.unparse(decorator) for decorator in statement.decorator_list):
            yield statement.name
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))


@cache
def _loads(tree: ast.Module) -> list[ast.Name]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]


def _taken(tree: ast.Module) -> Iterator[str]:
    """`module.name` of what a file imports, and of what it reaches through a module that it imports."""
    nodes = list(ast.walk(tree))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    known = {(alias.asname or alias.name): f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    yield from (f"{node.module}.{alias.name}" for node in imports for alias in node.names)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            yield f"{known[node.value.id]}.{node.attr}"


def _named_in_text(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME_IN_TEXT.fullmatch(node.value):
            yield from _words([node.value])


def _named_in_pages() -> set[str]:
    """Words of the code in the pages, and of the entry points."""
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    code = (chain(*_CODE_IN_PAGE.findall(page.read_text(encoding="utf-8"))) for page in pages)
    points = re.findall(r'= "expound\.([\w.:]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return set(_words(chain(points, *code)))


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word for text in texts for word in re.findall(r"\w+", text))


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def test_nothing_is_kept_for_tests_alone() -> None:
    assert unused_names() == []


def test_a_name_is_used_by_its_module_or_handed_on_by_a_decorator() -> None:
    tree = ast.parse("A = 1\nB = A\n\ndef b(): return b()\n\n@router.get('/')\ndef page(): ...\n")
    assert set(_left_alone(tree)) == {"B", "b"}


def test_a_name_is_reached_through_its_module() -> None:
    tree = ast.parse("from expound.stats import alpha as by_alpha\n\nby_alpha.nominal([])\n")
    assert "expound.stats.alpha.nominal" in set(_taken(tree))
