"""`expound ask` without a question: ask, look at `[2]`, ask on, say whether it was right; Ctrl-D ends."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from expound.clarify.follow_ups import follow_prediction
from expound.cli import screen
from expound.errors import ExpoundError, UserError
from expound.types import Prediction

PROMPT = "? "
HOW = (
    "ask a question; then 2 shows source [2] where it stands, right or wrong says what you think of the answer, "
    "unsupported 3 that its sources do not say its third sentence; Ctrl-D ends"
)
_SOURCE = re.compile(r"\[?(\d{1,3})\]?")
_OPINION = re.compile(r"(right|wrong|unsupported)\b[\s:,.!]*(.*)", re.IGNORECASE | re.DOTALL)


def is_possible() -> bool:
    """Whether somebody sits there: both ends have to be a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Dialogue:
    """Question after question; it remembers the last answer."""

    def __init__(self, ask: Callable[[str], Prediction]) -> None:
        self._ask = ask
        self._last: Prediction | None = None

    def hold(self) -> None:
        """Until Ctrl-D. What goes wrong is said, and the next question can be asked."""
        screen.say(HOW)
        with _keys_kept():
            while (line := _read_line()) is not None:
                try:
                    self.take(line)
                except ExpoundError as error:
                    screen.show_error(str(error))
                except KeyboardInterrupt:
                    screen.say("stopped; ask on, or Ctrl-D ends")

    def take(self, line: str) -> None:
        """A number, an opinion, or else a question."""
        if not line:
            return
        if line.lower() in ("help", "?"):
            screen.say(HOW)
        elif source := _SOURCE.fullmatch(line):
            self._show(source[1])
        # "Right of the river, what is there?" is a question, and no verdict.
        elif (opinion := _OPINION.fullmatch(line)) and not line.endswith("?"):
            self._keep(opinion[1].lower(), opinion[2].strip())
        else:
            self._answer(line)

    def _answer(self, line: str) -> None:
        question = follow_prediction(line, self._last) if self._last else line
        if question != line:
            screen.say(f"asked as: {question}")
        self._last = self._ask(question)

    def _show(self, number: str) -> None:
        from expound.cli.search_screen import print_surroundings
        from expound.look import show

        self._need_answer()
        print_surroundings(show(number))

    def _keep(self, word: str, rest: str) -> None:
        from expound.opinions import keep_opinion, keep_support, opinions_file

        last = self._need_answer()
        if word == "unsupported":
            if not (number := _SOURCE.match(rest)):
                raise UserError("which sentence? Say its number: unsupported 3")
            keep_support(last, int(number[1]), comment=rest[number.end() :].strip())
        else:
            keep_opinion(last, is_right=word == "right", comment=rest)
        screen.say(f"kept in {opinions_file()}")

    def _need_answer(self) -> Prediction:
        if self._last is None:
            raise UserError("there is no answer yet: ask first")
        return self._last


@contextmanager
def _keys_kept() -> Iterator[None]:
    """Keys that are pressed while an answer is made wait for the prompt as they are.

    A terminal that reads line by line makes an end of a Ctrl-D at once, which is gone when the prompt takes over.
    """
    import termios  # POSIX only, as `readline` is

    before = termios.tcgetattr(sys.stdin)
    kept = termios.tcgetattr(sys.stdin)
    # Only reading by lines is switched off: Ctrl-C must still stop an answer.
    kept[3] &= ~termios.ICANON
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, kept)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _read_line() -> str | None:
    """What was typed; None at the end. Ctrl-C gives up the line, not the dialogue."""
    import readline  # noqa: F401  # with it, `input` has a history and can be edited

    while True:
        try:
            return input(PROMPT).strip()
        except EOFError:
            print()
            return None
        except KeyboardInterrupt:
            print()
            screen.say("Ctrl-D ends")
