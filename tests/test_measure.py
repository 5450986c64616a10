"""The compass tells the truth: what counts as a comment, a docstring, a double name, a crowded call, a bare number."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parent.parent / "tools" / "measure.py"

_spec = importlib.util.spec_from_file_location("measure", TOOL)
assert _spec is not None
assert _spec.loader is not None
measure = importlib.util.module_from_spec(_spec)
sys.modules["measure"] = measure  # its dataclass looks itself up there
_spec.loader.exec_module(measure)

FILE = '''"""What the file is for,
in two lines."""

import os  # noqa: F401 (not used)

# Why it is so.
LIMIT = 3
BARE = 0.875
TOLD = 1.5  # of a line, by eye
FIRST, SECOND = 1, 2
DESCRIBED = 4
"""Of every hundred."""
NAME = "text"
IS_ON = True
PARTS = (1, -2.5)


class Thing:
    """A thing."""

    size: int = 3
    """In metres."""


def make(text):  # type: ignore[no-untyped-def]
    """Make it."""
    note = "# no comment"
    return call(1, 2, 3, 4, 5), call(*text, 1, 2), call(1, 2, 3, 4, last=5), note
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "thing.py"
    path.write_text(FILE)
    return path


def test_a_comment_speaks_to_people_and_a_docstring_is_none(file: Path) -> None:
    assert measure.comment_count(file) == 2  # not the noqa, not the type, not the text with a hash
    assert measure.docstring_count(file) == 5


def test_code_is_what_is_neither_empty_nor_comment_nor_docstring(file: Path) -> None:
    assert measure.code_line_count(file) == 1 + 8 + 2 + 3


def test_a_number_is_bare_without_a_comment_or_a_docstring(file: Path) -> None:
    names = [place.name for place in measure.bare_numbers([file])]
    assert names == ["BARE", "FIRST", "SECOND", "PARTS"]


def test_a_comment_behind_the_number_above_is_not_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "numbers.py"
    path.write_text("FIRST = 1  # by eye\nSECOND = 2\n")
    assert [place.name for place in measure.bare_numbers([path])] == ["SECOND"]


def test_a_call_is_crowded_from_five_positional_arguments_on(file: Path) -> None:
    assert [place.name for place in measure.crowded_calls([file])] == ["call"]


def test_other_libraries_and_lists_of_one_thing_are_not_crowded(tmp_path: Path) -> None:
    path = tmp_path / "calls.py"
    path.write_text(
        "import numpy as np\nfrom sqlalchemy import Table\nfrom expound.types import Passage\n"
        "def row(*cells): ...\n"
        "row(1, 2, 3, 4, 5, 6), np.put(1, 2, 3, 4, 5, 6), Table(1, 2, 3, 4, 5, 6), Passage(1, 2, 3, 4, 5, 6)\n"
    )
    assert [place.name for place in measure.crowded_calls([path])] == ["Passage"]


def test_names_that_stand_for_several_files_or_classes_are_told(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thing.py").write_text("class Thing: ...\nclass _Own: ...\n")
    (other / "more.py").write_text("class _Own: ...\n")
    files = [file, other / "thing.py", other / "more.py"]
    for folder in (tmp_path, other):
        (folder / "__init__.py").write_text("")
        files.append(folder / "__init__.py")
    assert measure.double_files(files) == {"thing.py": [file, other / "thing.py"]}
    assert measure.double_classes(files) == {"Thing": [file, other / "thing.py"]}


def test_the_compass_is_printed() -> None:
    done = subprocess.run([sys.executable, str(TOOL)], capture_output=True, text=True, check=True)
    for name in (
        "comments",
        "docstrings",
        "double class names",
        "called by tests only",
        "crowded calls",
        "bare numbers",
    ):
        assert f"\n{name} " in done.stdout
