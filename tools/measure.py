"""Print the compass of the house style: lengths, comments, tests per code, cycles, names and numbers to look at."""

from __future__ import annotations

import ast
import io
import re
import statistics
import sys
import textwrap
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
sys.path.insert(0, str(ROOT / "tests"))  # two tests already know how to read imports and names

from test_layers import find_cycle, imports_of, modules  # noqa: E402 - after the line that makes it importable
from test_unused import unused_names  # noqa: E402 - the same

# A silenced rule or a switch of a tool speaks to the tool, even where its reason stands on the same line.
DIRECTIVE = re.compile(r"#\s*(?:!|noqa\b|type:|fmt:|mypy:|ruff:|pragma:|isort:|-\*-)")
MANY_ARGUMENTS = 5
SOURCE_PACKAGE = "expound"
LONG_FILE, LONG_FUNCTION = 250, 45
_WIDTH = 116  # as wide as our own lines, with a little room


@dataclass(frozen=True)
class Place:
    """Something to look at: its name, and the file it stands in."""

    name: str
    file: Path


def main() -> None:
    """Print one line per measure, with what the house style hopes for, and below it what it counts."""
    code, tests = _files(SOURCE), _files(ROOT / "tests")
    _print_lengths(code)
    _print_words(code, tests)
    cycle = find_cycle({name: imports_of(name, file) for name, file in modules().items()})
    _row("import cycle", " -> ".join(cycle) or "none", "none")
    _print_names(code)
    unused = unused_names()
    _print_list("called by tests only", f"{len(unused)}", unused, "none")
    _print_places("crowded calls", list(crowded_calls(code)), f"of {MANY_ARGUMENTS} or more positional arguments")
    _print_places("bare numbers", list(bare_numbers(code)), "module constants without a reason")


def _print_lengths(code: Sequence[Path]) -> None:
    functions = [length for file in code for length in function_lengths(file)]
    lengths = {file: len(_text(file).splitlines()) for file in code}
    _row("functions", f"{len(functions)}, median {_median(functions)} lines", "around 5-10")
    _row(f"under {LONG_FUNCTION} lines", f"{100 * _share_under(functions, LONG_FUNCTION):.1f} %", "95 %")
    _row("files", f"{len(code)}, median {_median(lengths.values())} lines, longest {max(lengths.values())}", "50-250")
    long = [f"{_shown(file)} {length}" for file, length in lengths.items() if length > LONG_FILE]
    _print_list("long files", f"{len(long)} of over {LONG_FILE} lines", long)


def _print_words(code: Sequence[Path], tests: Sequence[Path]) -> None:
    lines, test_lines = (sum(map(code_line_count, files)) for files in (code, tests))
    _row("comments", f"one every {_every(lines, sum(map(comment_count, code)))} code lines", "10-15")
    _row("docstrings", f"one every {_every(lines, sum(map(docstring_count, code)))} code lines", "")
    _row("test lines per code line", f"{test_lines / lines:.2f}", "about 1")


def _print_names(code: Sequence[Path]) -> None:
    for name, doubles in (("double file names", double_files(code)), ("double class names", double_classes(code))):
        listed = [_times(double, len(places)) for double, places in doubles.items()]
        _print_list(name, f"{len(listed)}", listed, "none")


# -- what is counted


def function_lengths(file: Path) -> Iterator[int]:
    """Lines of each function, its signature and docstring included."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def code_line_count(file: Path) -> int:
    """Lines that are neither empty, nor a comment alone, nor part of a docstring."""
    described = {line for node in _described(file) for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = enumerate(_text(file).splitlines(), start=1)
    return sum(number not in described and bool(line.strip()) and line.strip()[0] != "#" for number, line in lines)


def comment_count(file: Path) -> int:
    """Lines with a comment that speaks to people."""
    return sum(not DIRECTIVE.match(comment) for comment in _comments(file).values())


def docstring_count(file: Path) -> int:
    """Strings that describe what they stand in or below."""
    return sum(1 for _ in _described(file))


def double_files(files: Iterable[Path]) -> dict[str, list[Path]]:
    """File names that stand for several files; a package's own file has no choice."""
    found: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        if file.stem.strip("_") == file.stem:
            found[file.name].append(file)
    return _doubled(found)


def double_classes(files: Iterable[Path]) -> dict[str, list[Path]]:
    """Names of classes that stand for several; what begins with an underscore is a file's own affair."""
    found: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        for node in _tree(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(file)
    return _doubled(found)


def crowded_calls(files: Iterable[Path]) -> Iterator[Place]:
    """Calls whose arguments only their order tells apart, and there are many.

    Not counted: what takes any number of one thing, and other libraries, which say themselves how they are called.
    """
    read = list(files)
    any_number = {name for file in read for name in _of_any_number(file)}
    for file in read:
        foreign = set(_foreign_names(file))
        for node in ast.walk(_tree(file)):
            if isinstance(node, ast.Call) and _positional(node) >= MANY_ARGUMENTS:
                name = ast.unparse(node.func)
                if name.partition(".")[0] not in foreign and name.rpartition(".")[2] not in any_number:
                    yield Place(name, file)


def bare_numbers(files: Iterable[Path]) -> Iterator[Place]:
    """Constants of a module that are numbers, with neither a comment beside or above nor a docstring below."""
    for file in files:
        body = _tree(file).body
        for node, following in zip(body, [*body[1:], None], strict=True):
            if not _is_docstring(following) and not _has_comment(node, file):
                yield from (Place(name, file) for name in _numbers_named(node))


def _positional(call: ast.Call) -> int:
    return sum(not isinstance(argument, ast.Starred) for argument in call.args)


def _of_any_number(file: Path) -> Iterator[str]:
    """Functions of a file that take any number of one thing, such as the columns of a table."""
    functions = (node for node in ast.walk(_tree(file)) if isinstance(node, ast.FunctionDef))
    return (function.name for function in functions if function.args.vararg)


def _foreign_names(file: Path) -> Iterator[str]:
    """Names that a file imports from elsewhere than our own package."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                if (module or alias.name).partition(".")[0] != SOURCE_PACKAGE:
                    yield (alias.asname or alias.name).partition(".")[0]


def _numbers_named(node: ast.stmt) -> list[str]:
    """The constants that an assignment of numbers, or of a row of them, names."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return []
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return names if values and all(map(_is_number, values)) and all(map(str.isupper, names)) else []


def _is_number(node: ast.expr) -> bool:
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def _has_comment(node: ast.stmt, file: Path) -> bool:
    """Whether a comment stands on one of the statement's lines, or alone on the line above."""
    comments, lines = _comments(file), _text(file).splitlines()
    above = node.lineno - 1
    own = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return any(line in comments for line in own) or (above in comments and lines[above - 1].lstrip()[0] == "#")


def _doubled(found: Mapping[str, list[Path]]) -> dict[str, list[Path]]:
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


# -- reading


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(_text(file))


@cache
def _comments(file: Path) -> dict[int, str]:
    """Every comment by its line."""
    tokens = tokenize.generate_tokens(io.StringIO(_text(file)).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


def _described(file: Path) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(_tree(file)) if isinstance(node, ast.stmt) and _is_docstring(node))


def _is_docstring(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


# -- printing


def _print_places(name: str, places: Sequence[Place], what: str) -> None:
    """How many there are, and below them those of each file."""
    _row(name, f"{len(places)} {what}", "")
    for file, found in groupby(places, key=lambda place: place.file):
        times = Counter(place.name for place in found)
        _print_folded(f"{_shown(file)}: " + ", ".join(_times(name, count) for name, count in times.items()))


def _every(lines: int, count: int) -> str:
    return f"{lines / count:.1f}" if count else "∞"


def _median(values: Iterable[int]) -> str:
    return f"{statistics.median(list(values) or [0]):.0f}"


def _share_under(values: Sequence[int], limit: int) -> float:
    return sum(value < limit for value in values) / max(1, len(values))


def _shown(file: Path) -> str:
    return str(file.relative_to(SOURCE / "expound") if file.is_relative_to(SOURCE) else file)


def _row(name: str, value: str, hope: str) -> None:
    print(f"{name:26}{value:48}{hope and f'({hope})'}".rstrip())


def _print_list(name: str, value: str, items: Sequence[str], hope: str = "") -> None:
    _row(name, value, hope)
    _print_folded(", ".join(items))


def _print_folded(text: str) -> None:
    if text:
        print(textwrap.fill(text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False))


def _times(name: str, count: int) -> str:
    return f"{name} x{count}" if count > 1 else name


if __name__ == "__main__":
    main()
