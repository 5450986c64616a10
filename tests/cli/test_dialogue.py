"""`expound ask` on a terminal: a small dialogue, driven as a person does, through a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands import Capture, fail
from dialogue_turns import DOCUMENTS, TURNS
from expound.cli.dialogue import Dialogue
from expound.corpus import library
from expound.opinions import answers_file, keep_opinion, keep_support, opinions_file, read_opinions
from expound.records import prediction_from, read_judgments, read_lines
from expound.system import open_system
from expound.types import Answer, Prediction, Sentence

HARBOUR = """# Harbour of Ostrand

The deepest point of the harbour of Ostrand is 31 metres. Dredging in 2025 added two metres.

## History

The harbour of Ostrand was built in 1790 by masons from the next valley.
"""
_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")


class Terminal:
    """Somebody at a terminal: what is typed, and what is on the screen since."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        command = [sys.executable, "-P", *arguments]
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100"}
        # A session of its own, so that Ctrl-C on this terminal is sent to this process.
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, preexec_fn=_take_terminal
        )
        os.close(theirs)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def until(self, words: str) -> str:
        """The screen up to and with these words."""
        seen = b""
        while words.encode() not in _ESCAPES.sub(b"", seen):
            # A bound on silence, so that a broken dialogue fails; a busy machine stays far below it.
            if not select.select([self._ours], [], [], 300)[0]:
                raise AssertionError(f"nothing more after {seen.decode(errors='replace')!r}")
            seen += self._read()
        return _ESCAPES.sub(b"", seen).decode(errors="replace")

    def interrupt(self) -> None:
        """Press Ctrl-C, and again while nothing happens: one that comes just before readline waits is not heard."""
        for _ in range(30):
            self.type("\x03")
            # Ten seconds are no bound on the dialogue: if it was only slow, it is interrupted once more.
            if select.select([self._ours], [], [], 10)[0]:
                return

    def _read(self) -> bytes:
        try:
            return os.read(self._ours, 65536)
        # Linux says so when the other end is closed.
        except OSError as error:
            raise AssertionError("the dialogue has ended") from error

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._ours)


def _take_terminal() -> None:
    import fcntl
    import termios

    # Whoever runs the tests in the background ignores Ctrl-C, and children would, too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Open]:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "harbour.md").write_text(HARBOUR, encoding="utf-8")
    library.add([folder], name="notes")
    opened: list[Terminal] = []

    def make(*arguments: str) -> Terminal:
        opened.append(Terminal("-m", "expound", "ask", "--corpus", "notes", "--model", "none", *arguments))
        return opened[-1]

    yield make
    for terminal in opened:
        terminal.close()


def test_ask_look_at_a_source_ask_on_and_say_what_you_think(open_terminal: Open) -> None:
    terminal = open_terminal()
    assert "Ctrl-D ends" in terminal.until("\n? ")
    terminal.type("How deep is the harbour of Ostrand?\n")
    assert "31 metres" in terminal.until(" s\n? ")
    terminal.type("[1]\n")
    shown = terminal.until("\n? ")
    assert "┃ The " in shown
    terminal.type("When was it built?\n")
    answered = terminal.until(" s\n? ")
    assert "asked as: When was the harbour of Ostrand built?" in answered
    assert "1790" in answered
    terminal.type("right\n")
    assert "kept in" in terminal.until("\n? ")
    terminal.type("unsupported 1 it says nothing of masons\n")
    assert "kept in" in terminal.until("\n? ")
    terminal.type("\x04")
    assert terminal.process.wait(timeout=300) == 0
    said = [(one.criterion, one.value, one.comment) for one in read_judgments(opinions_file())]
    assert said == [("right", "yes", ""), ("supported", "no", "it says nothing of masons")]
    [(_, kept)] = read_lines(answers_file())
    assert kept["question"] == "When was the harbour of Ostrand built?"


SLOW = """
import sys, time
from pathlib import Path
from expound.cli.dialogue import Dialogue

def ask(question):
    print("asked", flush=True)
    while not Path(sys.argv[1]).exists():
        time.sleep(0.01)

Dialogue(ask).hold()
print("ended")
"""


def test_a_dialogue_over_several_documents_is_followed(tmp_path: Path, capsys: Capture) -> None:
    for name, text in DOCUMENTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    library.add([tmp_path], name="shore")
    opened, answers = open_system(["shore"], model="none"), []

    def ask(question: str) -> Prediction:
        answers.append(opened.ask(question))
        return answers[-1]

    dialogue = Dialogue(ask)
    for typed, asked, expected in TURNS:
        dialogue.take(typed)
        assert answers[-1].question == asked
        assert expected in answers[-1].answer.text
        assert (f"asked as: {asked}" in " ".join(capsys.readouterr().err.split())) == (typed != asked)


def test_ctrl_d_during_an_answer_ends_the_dialogue_after_it(tmp_path: Path) -> None:
    terminal = Terminal("-c", SLOW, str(tmp_path / "answered"))
    try:
        terminal.until("? ")
        terminal.type("How deep is it?\n")
        terminal.until("asked")
        terminal.type("\x04")
        (tmp_path / "answered").touch()
        terminal.until("ended")
        assert terminal.process.wait(timeout=300) == 0
    finally:
        terminal.close()


def test_a_mistake_or_ctrl_c_does_not_end_it(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.until("\n? ")
    terminal.type("2\n")
    assert "there is no answer yet: ask first" in terminal.until("\n? ")
    terminal.type("wrong\n")
    assert "there is no answer yet" in terminal.until("\n? ")
    terminal.type("???\n")
    assert "the question is empty" in terminal.until("\n? ")
    terminal.type("half a questi")
    # Echoed by readline, so that it has begun to wait.
    terminal.until("questi")
    terminal.interrupt()
    assert "Ctrl-D ends" in terminal.until("\n? ")
    terminal.type("How deep is the harbour of Ostrand?\n")
    assert "31 metres" in terminal.until(" s\n? ")
    terminal.type("99\n")
    assert "no passage 99" in terminal.until("\n? ")
    terminal.type("unsupported\n")
    assert "which sentence?" in terminal.until("\n? ")
    terminal.type("\x04")
    assert terminal.process.wait(timeout=300) == 0
    assert not opinions_file().exists()


def test_without_a_terminal_a_question_is_missing(capsys: Capture) -> None:
    assert "which question?" in fail(capsys, "ask")


def _prediction(text: str = "It is 31 metres deep.") -> Prediction:
    answer = Answer(text, (Sentence(text, text, (1,)),))
    return Prediction(id="q", question="How deep is it?", system="Composed()", answer=answer)


def test_an_opinion_is_a_judgment_line_that_nobody_else_can_read() -> None:
    keep_opinion(_prediction(), is_right=False, comment="it is 29", rater="someone", form="serve")
    keep_opinion(_prediction(), is_right=True)
    keep_support(_prediction(), 1)
    first, second, third = read_judgments(opinions_file())
    assert (first.study, first.form, first.a, first.rater) == ("asked", "serve", "Composed()", "someone")
    assert (first.criterion, first.value, first.comment, second.value) == ("right", "no", "it is 29", "yes")
    assert (third.criterion, third.value, third.item) == ("supported", "no", f"{first.item}.1")
    # The answer is there once, under the id by which the judgments know it.
    [(_, record)] = read_lines(answers_file())
    assert prediction_from(record).id == first.question_id == first.item
    for path in (opinions_file(), answers_file()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_said_last_counts_and_can_be_taken_back() -> None:
    keep_opinion(_prediction(), is_right=True)
    keep_support(_prediction(), 1)
    keep_opinion(_prediction(), is_right=False)
    assert [(one.criterion, one.value) for one in read_opinions()] == [("supported", "no"), ("right", "no")]
    keep_opinion(_prediction(), is_right=None)
    assert [one.criterion for one in read_opinions()] == ["supported"]


def test_a_line_that_a_power_cut_left_half_spoils_no_other() -> None:
    keep_opinion(_prediction(), is_right=True)
    with opinions_file().open("a", encoding="utf-8") as file:
        file.write('{"study": "as')
    keep_opinion(_prediction("Another."), is_right=True)
    assert len(read_opinions()) == 2
