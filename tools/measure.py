"""Print the compass of the house style: lengths, comments, tests per code, import cycles."""

from __future__ import annotations

import ast
import io
import statistics
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
sys.path.insert(0, str(ROOT / "tests"))  # the layer test already knows how to read imports

from test_layers import find_cycle, imports_of, modules  # noqa: E402 - after the line that makes it importable


def main() -> None:
    """Print one line per measure, with what the house style hopes for."""
    code, tests = _files(SOURCE), _files(ROOT / "tests")
    functions = [length for file in code for length in function_lengths(file)]
    lengths = [len(_lines(file)) for file in code]
    code_lines, comments = sum(map(code_line_count, code)), sum(map(comment_count, code))
    test_lines = sum(map(code_line_count, tests))
    cycle = find_cycle({name: imports_of(name, file) for name, file in modules().items()})
    _row("functions", f"{len(functions)}, median {_median(functions)} lines", "around 5-10")
    _row("under 45 lines", f"{100 * _share_under(functions, 45):.1f} %", "95 %")
    _row("files", f"{len(code)}, median {_median(lengths)} lines, longest {max(lengths)}", "50-250")
    _row("comments", f"one every {code_line_count_per(code_lines, comments)} code lines", "10-15")
    _row("test lines per code line", f"{test_lines / code_lines:.2f}", "about 1")
    _row("import cycle", " -> ".join(cycle) or "none", "none")
    for file in (file for file in code if len(_lines(file)) > 250):
        _row("long file", f"{file.relative_to(ROOT)}, {len(_lines(file))} lines", "")


def function_lengths(file: Path) -> Iterator[int]:
    """Lines of each function, its signature and docstring included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def code_line_count(file: Path) -> int:
    """Lines that are neither empty nor comment alone."""
    return sum(1 for line in _lines(file) if line.strip() and not line.strip().startswith("#"))


def comment_count(file: Path) -> int:
    """Comments, and docstrings of modules, classes and functions."""
    text = file.read_text(encoding="utf-8")
    comments = sum(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(text).readline))
    owners = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, owners))
    return comments + sum(ast.get_docstring(node) is not None for node in nodes)


def code_line_count_per(lines: int, comments: int) -> str:
    """Code lines for each comment."""
    return f"{lines / comments:.1f}" if comments else "∞"


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _median(values: Sequence[int]) -> str:
    return f"{statistics.median(values or [0]):.0f}"


def _share_under(values: Sequence[int], limit: int) -> float:
    return sum(value < limit for value in values) / max(1, len(values))


def _row(name: str, value: str, hope: str) -> None:
    print(f"{name:26}{value:48}{hope and f'({hope})'}")


if __name__ == "__main__":
    main()
