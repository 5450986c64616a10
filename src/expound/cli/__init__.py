"""The `expound` command: the table of its commands, the options they share, and what the user sees when one fails."""

from __future__ import annotations

import errno
import importlib
import math
import os
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer

from expound.cli import screen
from expound.errors import ExpoundError, UserError
from expound.version import __version__

__all__ = ["COMMANDS", "build_app", "execute", "main"]

COMMANDS = (
    "ask",
    "search",
    "show",
    "clarify",
    "corpus",
    "index",
    "datasets",
    "build",
    "score",
    "compare",
    "run",
    "runs",
    "audit",
    "judge",
    "report",
    "meta",
    "models",
    "recipe",
    "train",
    "study",
    "serve",
)
"""One module of this folder each, in the order of the help; it has a function `command` or a typer `app`."""

HELP_FLAGS = ["-h", "--help"]
SHARED_FLAGS = ("--debug", "--quiet")
# What a shell reports for a program that SIGINT (2) or SIGPIPE (13) ended: 128 and the signal's number.
STOPPED, PIPE_CLOSED = 130, 141
_STORAGE_FULL = "the disk is full; what was there before is unharmed: free some space and run the command again"
_NO_MEMORY = "there is not enough memory for this; close something, or give it less at once"
# `--out=` with nothing behind it, which a shell makes of an unset variable.
_EMPTY_OPTION = re.compile(r"--?[\w-]+=")
# Python hands over bytes that are no UTF-8 as lone surrogates: no file could be written that names them.
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
# Numbers beyond these are slips of the finger: they would be found out after hours, or when no memory is left.
_MOST = {"jobs": 256, "samples": 1_000_000, "seed": 2**32 - 1, "threads": 1024}
# Beyond any count, size or number of seconds that somebody means; within 64 bits whatever it is multiplied with.
_MOST_OF_ALL = 1_000_000_000
# What the system says of a path that the user gave, or that depends on who the user is.
_OF_PATHS = frozenset((errno.EACCES, errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT,
                       errno.ENOTDIR, errno.EPERM, errno.EROFS))  # fmt: skip
_EPILOG = screen.examples(
    'expound ask "Who was the ruler of France in 1830?"',
    "expound corpus add ~/papers --name papers",
    'expound ask "What limits the model?" --corpus papers --json',
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code."""
    screen.guard_streams()
    code = execute(sys.argv[1:] if arguments is None else arguments)
    try:
        if sys.stdout is not None:  # a closed one is the caller's choice
            sys.stdout.flush()
    except BrokenPipeError:
        code = _close_stdout()
    sys.exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code. Every error becomes one line on stderr, with a traceback under --debug."""
    try:
        _refuse_odd_words(arguments)
        return _invoke(_flags_first(arguments) or ["--help"])
    except BaseException as error:
        if "--debug" in arguments and not isinstance(error, SystemExit | typer.Exit | typer.TyperException):
            traceback.print_exc()
        return _explain(error)


def build_app(only: str | None = None) -> typer.Typer:
    """The typer app with all commands, or with the one that is wanted: the others need not be imported then."""
    app = typer.Typer(
        help="Long-form question answering: cited answers from your documents, and measurements you can trust.",
        epilog=_EPILOG,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP_FLAGS},
    )
    app.callback()(_add_shared_options)
    for name in COMMANDS if only is None else (only,):
        _register(app, name)
    return app


def _add_shared_options(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback when something fails."),
    quiet: bool = typer.Option(False, "--quiet", help="No progress and no remarks: results and errors only."),
    version: bool = typer.Option(
        False, "--version", help="Print the version.", is_eager=True, callback=lambda wanted: _print_version(wanted)
    ),
) -> None:
    screen.configure(quiet=quiet)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"expound {__version__}")
        raise typer.Exit


def _register(app: typer.Typer, name: str) -> None:
    module = importlib.import_module(f"expound.cli.{name}")
    epilog = getattr(module, "EPILOG", None)
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, epilog=epilog, no_args_is_help=True)
    else:
        app.command(name, epilog=epilog)(module.command)


def _invoke(arguments: list[str]) -> int:
    if "_EXPOUND_COMPLETE" in os.environ:  # the shell asks for completions
        build_app()(prog_name="expound")
    # Only the command that is wanted is imported: all of them would take longer than most questions.
    first = next((word for word in arguments if not word.startswith("-")), None)
    # Not through typer's own `main`: it turns Ctrl-C and a closed pipe into exit codes before we see them.
    command = typer.main.get_command(build_app(first if first in COMMANDS else None))
    _hide_flag_types(command)
    _bound_numbers(command)
    with command.make_context("expound", arguments) as context:
        command.invoke(context)
    return 0


def _hide_flag_types(command: Any) -> None:
    """A flag is written without a value: keep typer from putting `<bool>` behind it in the help."""
    for parameter in command.get_params(typer.Context(command, help_option_names=HELP_FLAGS)):
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    for part in getattr(command, "commands", {}).values():
        _hide_flag_types(part)


def _bound_numbers(command: Any) -> None:
    """Let every option check its number after the option's own range, which no NaN is outside of."""
    for parameter in command.params:
        if parameter.callback is None:
            parameter.callback = _refuse_odd_number
    for part in getattr(command, "commands", {}).values():
        _bound_numbers(part)


def _refuse_odd_number(context: Any, parameter: Any, value: Any) -> Any:
    most = _MOST.get(parameter.name, _MOST_OF_ALL)
    for number in value if isinstance(value, list | tuple) else (value,):
        if isinstance(number, float) and not math.isfinite(number):
            raise UserError(f"{parameter.opts[0]}: {number} is not a number to count with")
        if isinstance(number, int) and abs(number) > most:
            raise UserError(f"{parameter.opts[0]}: {number} is too much; the most is {most:,}")
    return value


def _flags_first(arguments: Sequence[str]) -> list[str]:
    """Move --debug and --quiet to the front, so that they may stand anywhere before `--`."""
    # Behind `--` everything is text: a question may well be about `--debug`.
    end = arguments.index("--") if "--" in arguments else len(arguments)
    before, after = arguments[:end], arguments[end:]
    flags = [word for word in before if word in SHARED_FLAGS]
    return [*flags, *(word for word in before if word not in SHARED_FLAGS), *after]


def _refuse_odd_words(arguments: Sequence[str]) -> None:
    """An empty word would stand for the current folder where a path is meant; other bytes than UTF-8 for nothing."""
    for word in arguments:
        if not word or _EMPTY_OPTION.fullmatch(word):
            raise UserError(f"{word or 'an argument'} is empty; give it a value or leave it out")
        if _NOT_UTF8.search(word):
            raise UserError(f"{word!a} is not UTF-8; rename the file, or set your terminal to UTF-8")
        if "\0" in word:
            raise UserError(f"{word!a} holds a NUL, which stands in no path and no question; leave it out")


def _explain(error: BaseException) -> int:
    """Say what went wrong; the exit code."""
    match error:
        case SystemExit():
            return error.code if isinstance(error.code, int) else int(error.code is not None)
        case typer.Exit():
            return error.exit_code
        case KeyboardInterrupt() | typer.Abort():
            screen.show_error("stopped; run the same command again to go on", label="")
            return STOPPED
        case BrokenPipeError():
            return _close_stdout()
        case typer.TyperException():
            return _explain_usage(error)
        case ExpoundError():
            return _fail(str(error), error.exit_code)
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return _fail(_STORAGE_FULL, 1)
        # Libraries of other languages have errors of their own for it, and the system's words in them.
        case Exception() if os.strerror(errno.ENOSPC) in str(error):
            return _fail(_STORAGE_FULL, 1)
        case MemoryError():
            return _fail(_NO_MEMORY, 1)
        # Before the general case: its path would be one that the user never wrote.
        case FileNotFoundError() if not _has_folder():
            return _fail("the current folder is gone; change to one that exists", 2)
        case OSError(errno=number, filename=str() | bytes() | os.PathLike() as path) if number in _OF_PATHS:
            return _fail(f"{os.fsdecode(path)}: {error.strerror}; check the path and who may use it", 2)
        case _:
            return _fail(f"{type(error).__name__}: {error} (this is a mistake in {_find_culprit(error)})", 1)


def _find_culprit(error: BaseException) -> str:
    """Whose mistake it is, and where to read on."""
    from expound.plugins import place_in_plugin

    place = place_in_plugin(error)
    return f"a plug-in: {place}; --debug shows more" if place else "expound; --debug shows where"


def _has_folder() -> bool:
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _explain_usage(error: typer.TyperException) -> int:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # typer has printed the help already
        return error.exit_code
    # What the library puts before the words of a choice says nothing to who mistyped one.
    message = error.format_message().rstrip(".").replace("Value error, ", "")
    path = context.command_path if context else "expound"
    if question := _unquoted_question(error):
        return _fail(f'put the question in quotation marks: {path} "{question} …"', error.exit_code)
    return _fail(f"{message[:1].lower()}{message[1:]} (see {path} --help)", error.exit_code)


def _unquoted_question(error: typer.TyperException) -> str:
    """The first word of a question that was written without quotation marks, so that the others were too many."""
    context = getattr(error, "ctx", None)
    if context is None or "extra argument" not in error.format_message():
        return ""
    return str(context.params.get("question") or "")


def _fail(message: str, code: int) -> int:
    screen.show_error(message)
    return code


def _close_stdout() -> int:
    """The reader of our output is gone: be quiet about it, also when Python flushes at exit."""
    # The descriptor itself, since Python flushes what is left in its buffer when it ends, and would complain then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED
