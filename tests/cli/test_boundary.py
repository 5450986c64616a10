"""What the user sees when a command fails: one line, the right exit code, nothing that a terminal would obey."""

from __future__ import annotations

import errno
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import typer

from expound import cli
from expound.cli import console
from expound.errors import CorpusBusy, ExpoundError, UnknownName

Fail = Callable[[BaseException | type[BaseException]], None]
# One a command, and a few of words and errors: some 45 today.
MOST_MODULES_OF_A_HELP_PAGE = 80


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Fail:
    """A command `toy` that raises what it is told to."""
    module = ModuleType("expound.cli.toy")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(cli, "COMMANDS", ("toy",))

    def raising(error: BaseException | type[BaseException]) -> None:
        def command(word: str = "") -> None:
            """A toy."""
            raise error

        module.command = command  # type: ignore[attr-defined]  # modules have no such field

    raising(ExpoundError("nothing chosen"))
    return raising


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UnknownName("no corpus 'x'; did you mean y?"), 2, "error: no corpus 'x'; did you mean y?"),
        (CorpusBusy("busy"), 1, "error: busy"),
        (ExpoundError("two\nlines"), 1, "error: two lines"),
        (ExpoundError("[red]no markup[/red]"), 1, "error: [red]no markup[/red]"),
        (KeyboardInterrupt(), 130, "stopped; run the same command again to go on"),
        (typer.Abort(), 130, "stopped; run the same command again to go on"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, f"error: {cli._STORAGE_FULL}"),
        (RuntimeError("I/O error: No space left on device (os error 28)"), 1, f"error: {cli._STORAGE_FULL}"),
        (ZeroDivisionError("x"), 1, "error: ZeroDivisionError: x (this is a mistake in expound; --debug shows where)"),
    ],
)
def test_an_error_is_one_line(
    toy: Fail, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, line: str
) -> None:
    toy(error)
    assert cli.execute(["toy"]) == code
    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_mistake_in_somebody_elses_plugin_is_not_laid_to_expound(
    toy: Fail, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "harbour_parts.py").write_text('"""Parts."""\n\n\ndef count():\n    return 1 / 0\n')
    about = tmp_path / "harbour_parts-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour-parts\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[expound.score]\nHedges = harbour_parts:count\n")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        importlib.import_module("harbour_parts").count()
    except ZeroDivisionError as error:
        toy(error)
    assert cli.execute(["toy"]) == 1
    said = capsys.readouterr().err
    assert "(this is a mistake in a plug-in: harbour_parts.py, line 5; --debug shows more)" in said


def test_a_wrong_choice_is_told_without_the_librarys_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.execute(["ask", "How deep?", "--format", "pdf"]) == 2
    assert capsys.readouterr().err.startswith(
        "error: invalid value for '--format' / '-f': 'pdf' is not one of 'text', 'markdown', 'json'"
    )


def test_escape_sequences_do_not_reach_the_terminal(toy: Fail, capsys: pytest.CaptureFixture[str]) -> None:
    toy(ExpoundError("bad file \x1b[2J\x1b]0;title\x07 name\x9b1m"))
    cli.execute(["toy"])
    said = capsys.readouterr().err
    assert said.startswith("error: bad file")
    assert not [character for character in said if not character.isprintable() and character != "\n"]


@pytest.mark.parametrize("arguments", [["--debug", "toy"], ["toy", "--debug"]])
def test_debug_shows_the_traceback(toy: Fail, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    toy(UnknownName("no such thing"))
    assert cli.execute(arguments) == 2
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert said.endswith("error: no such thing\n")


def test_exit_codes_of_commands_pass(toy: Fail) -> None:
    toy(typer.Exit(3))
    assert cli.execute(["toy"]) == 3
    toy(SystemExit(4))
    assert cli.execute(["toy"]) == 4


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["modles"], "error: no such command 'modles'. Did you mean 'models'? (see expound --help)"),
        (["models", "get"], "error: missing argument 'NAME' (see expound models get --help)"),
        (["models", "list", "--jsno"], "error: no such option: --jsno"),
        (["models", "get", "minlm"], "error: no resource named 'minlm'; did you mean 'minilm'?"),
    ],
)
def test_a_wrong_command_line_exits_with_2(capsys: pytest.CaptureFixture[str], arguments: list[str], line: str) -> None:
    assert cli.execute(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(line)
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_every_command(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert cli.execute(arguments) == 0
    shown = capsys.readouterr().out
    assert all(f" {name} " in shown for name in cli.COMMANDS)
    assert '$ expound ask "' in shown
    assert "<bool>" not in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.execute(["--version"]) == 0
    assert capsys.readouterr().out.startswith("expound 0.")


def test_quiet_may_stand_anywhere_and_lasts_one_run(toy: Fail) -> None:
    cli.execute(["toy", "--quiet"])
    assert console.is_quiet()
    cli.execute(["toy"])
    assert not console.is_quiet()


def test_after_two_dashes_flags_are_words() -> None:
    assert cli._flags_first(["ask", "--quiet", "--", "--debug"]) == ["--quiet", "ask", "--", "--debug"]


def test_nothing_that_cannot_be_seen_reaches_the_screen() -> None:
    name = "pay\u200bpal\u200e\u200f\u061c\U000e0041\U000e007f\U000e0101"
    code = f"from expound.cli import screen; screen.guard_streams(); print({name!r}); screen.print_json({name!r})"
    plain, quoted = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True).stdout.split()
    assert plain == "paypal"
    assert quoted.isascii()
    assert json.loads(quoted) == name


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "expound", "models", "list", "--json"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (cli.PIPE_CLOSED, "")


def test_the_help_page_loads_little_but_the_libraries_of_any_help_page() -> None:
    """Half a second is the goal. Modules can be counted on every machine; seconds of a busy one say nothing."""
    toy = "import typer; app = typer.Typer(rich_markup_mode='rich'); app.command()(lambda: None); app(['--help'])"
    any_page, our_page = _modules_loaded("-c", toy), _modules_loaded("-m", "expound", "--help")
    ours = {name for name in our_page if name.partition(".")[0] == "expound"}
    foreign = {name.partition(".")[0] for name in our_page - any_page - ours}
    assert foreign <= sys.stdlib_module_names
    assert len(ours) < MOST_MODULES_OF_A_HELP_PAGE


def test_completion_knows_commands_and_names() -> None:
    environment = os.environ | {
        "_EXPOUND_COMPLETE": "complete_bash",
        "COMP_WORDS": "expound models get min",
        "COMP_CWORD": "3",
    }
    done = subprocess.run(
        [sys.executable, "-m", "expound"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["minilm", "minilm-tokenizer", "minilm-float32"]


def _modules_loaded(*words: str) -> set[str]:
    done = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True)
    rows = (line.split("|") for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {row[-1].strip() for row in rows}


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--samples=10000000", "error: --samples: 10000000 is too much; the most is 1,000,000"),
        ("--jobs=257", "error: --jobs: 257 is too much; the most is 256"),
        ("--k=99999999999", "error: --k: 99999999999 is too much; the most is 1,000,000,000"),
        ("--no-answer-threshold=nan", "error: --no-answer-threshold: nan is not a number to count with"),
    ],
)
def test_a_number_beyond_measure_is_refused(option: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.execute(["score", "a.jsonl", "--dataset", "qa:b.jsonl", option]) == 2
    assert capsys.readouterr().err == f"{says}\n"


def test_no_memory_left_is_said(toy: Fail, capsys: pytest.CaptureFixture[str]) -> None:
    toy(MemoryError())
    assert cli.execute(["toy"]) == 1
    assert capsys.readouterr().err.startswith("error: there is not enough memory for this")
