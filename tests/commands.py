"""Run a command as a user does, and take what it printed."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest

from expound.cli import execute

Capture: TypeAlias = pytest.CaptureFixture[str]


def succeed(capsys: Capture, *arguments: str) -> str:
    """What a command printed that did what it was asked to."""
    code = execute(["--quiet", *arguments])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed.out


def as_json(capsys: Capture, *arguments: str) -> Any:
    """The same with `--json`, read."""
    return json.loads(succeed(capsys, *arguments, "--json"))


def fail(capsys: Capture, *arguments: str) -> str:
    """The one line that a command is refused with."""
    code = execute(["--quiet", *arguments])
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, ""), printed.err
    return _only_line(printed.err)


def error_line(capsys: Capture) -> str:
    """The one line on stderr."""
    return _only_line(capsys.readouterr().err)


def _only_line(text: str) -> str:
    [line] = text.splitlines()
    assert line.startswith("error: ")
    assert "mistake in expound" not in line
    return line
