"""Questions from stdin, one a line, answered as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import typer

from expound.cli import model_options, screen
from expound.errors import ExpoundError
from expound.records import prediction_record
from expound.remembered import remember_prediction
from expound.system import System, check_question
from expound.types import Prediction


def read_questions() -> Iterator[bytes]:
    """The lines of stdin that hold something."""
    if sys.stdin.isatty():
        screen.say("one question a line; Ctrl-D ends")
    # As bytes, line by line: one that is no UTF-8 is one question's failure, and not the end of all.
    for line in sys.stdin.buffer:
        if line.strip():
            yield line


def answer_all(system: System) -> None:
    """A record a question, each as soon as it is there; a question that fails does not stop the others."""
    prediction: Prediction | None = None
    failed = count = 0
    for line in read_questions():
        record, answered = _answer(system, line)
        # At once: whoever pipes a thousand questions sees the first answer after the first.
        screen.print_json_line(record)
        count += 1
        failed += answered is None
        # The last one that has an answer is what `expound show` is asked about.
        prediction = answered or prediction
    if prediction:
        remember_prediction(prediction)
    if not count:
        screen.say("no question on stdin")
    model_options.say_ledger(system)
    if failed:
        screen.say(f"{failed:,} of {count:,} questions failed; their records have an `error`")
        raise typer.Exit(1)


def _answer(system: System, line: bytes) -> tuple[dict[str, Any], Prediction | None]:
    """The record of a line, and the prediction if there is one."""
    try:
        prediction = system.ask(check_question(line.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        return _failure(line, f"not UTF-8 ({error.reason})"), None
    except ExpoundError as error:
        return _failure(line, str(error)), None
    return prediction_record(prediction), prediction


def _failure(line: bytes, reason: str) -> dict[str, Any]:
    return {"question": line.decode("utf-8", "replace").strip(), "error": reason}
