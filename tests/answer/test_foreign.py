"""Foreign systems: commands and addresses, and what is said when they fail."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from expound import plugins
from expound.answer import foreign
from expound.answer.foreign import Command, Http
from expound.answer.program import Silent
from expound.errors import ForeignSystemFailed, UserError
from expound.testing import evidence_of


def program(folder: Path, body: str) -> str:
    path = folder / "system.py"
    path.write_text("import json, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n" + body)
    return f"{sys.executable} {path}"


def test_a_command_gets_question_and_evidence_and_gives_an_answer(tmp_path: Path) -> None:
    body = "    print(json.dumps({'answer': asked['question'] + asked['evidence'][0]['text']}), flush=True)\n"
    command = Command(program(tmp_path, body))
    assert command.answer("Who?", evidence_of("Ann did it.")).text == "Who?Ann did it."
    assert command.answer("When?", evidence_of("In 1990.")).text == "When?In 1990."
    command.close()


def test_a_command_may_give_a_whole_record(tmp_path: Path) -> None:
    record = {"answer": {"text": "Ann.", "sentences": [{"text": "Ann.", "source_text": "Ann.", "citations": [1]}]}}
    answer = Command(program(tmp_path, f"    print({json.dumps(json.dumps(record))}, flush=True)\n")).answer("Who?", [])
    assert answer.sentences[0].citations == (1,)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    sys.exit('out of memory')\n", "exit code 1: out of memory"),
        ('    print(\'{"text": "hello"}\', flush=True)\n', 'did not print .* but: {"text": "hello"}'),
        ('    print(\'{"error": "no memory"}\', flush=True)\n', "reported: no memory"),
        (
            '    print(\'{"answer": {"text": "x", "sentences": [{"text": "x", "citations": [1e999]}]}}\')\n'
            "    sys.stdout.flush()\n",
            "did not print",
        ),
        ("    __import__('os').close(1); time.sleep(600)\n", "closed its output"),
        ("    print('{\"answer\": 3}', flush=True)\n", 'but: {"answer": 3}'),
        ("    time.sleep(3600)\n", r"no answer within 0\.5 s"),
        ("    sys.stdout.buffer.write(b'\\xff\\xff\\n'); sys.stdout.flush()\n", "not UTF-8"),
    ],
)
def test_a_command_that_fails_is_explained(tmp_path: Path, body: str, message: str) -> None:
    seconds = 0.5 if "sleep(3600)" in body else 600
    with pytest.raises(ForeignSystemFailed, match=message):
        Command(program(tmp_path, body), seconds=seconds).answer("Who?", [])


CHATTY = """
import json, sys
print("Loading model…", flush=True)
for line in sys.stdin:
    print("50 %", flush=True)
    print(json.dumps({"answer": json.loads(line)["question"].upper()}), flush=True)
"""


def test_a_stray_line_is_not_taken_for_an_answer(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY, encoding="utf-8")
    command = Command(f"{sys.executable} {tmp_path / 'chatty.py'}")
    first, second = command.answer("who?", []), command.answer("when?", [])
    assert (first.text, second.text) == ("WHO?", "WHEN?")
    assert first.notes == {"skipped": "50 %"}
    command.close()


class Talks:
    """A program that prints one line and then nothing in time."""

    def __init__(self) -> None:
        self.said = [b"The answer is 3.\n"]
        self.is_ended = False

    def send(self, line: str) -> None:
        pass

    def line(self, *, seconds: float) -> bytes:
        if not self.said:
            raise Silent
        return self.said.pop()

    def end(self) -> None:
        self.is_ended = True


def test_a_command_that_prints_only_other_lines_is_told_what_an_answer_is(monkeypatch: pytest.MonkeyPatch) -> None:
    talks = Talks()
    monkeypatch.setattr(foreign, "Program", lambda words: talks)
    with pytest.raises(
        ForeignSystemFailed, match=r"such as: The answer is 3\.; an answer is a line {\"answer\": \"…\"}"
    ):
        Command("talks").answer("Who?", [])
    assert talks.is_ended


def test_half_characters_are_replaced(tmp_path: Path) -> None:
    command = Command(program(tmp_path, '    print(\'{"answer": "a \\\\ud83d b \\\\ud83d\\\\ude00"}\', flush=True)\n'))
    assert command.answer("Who?", []).text == "a \ufffd b \U0001f600"
    command.close()


ENDLESS = "    sys.stdout.write('x' * 300_000_000); sys.stdout.flush(); time.sleep(60)\n"
MANY_LINES = "    sys.stdout.write(('x' * 999 + chr(10)) * 300_000); sys.stdout.flush(); time.sleep(60)\n"


@pytest.mark.parametrize("body", [ENDLESS, MANY_LINES], ids=["one line", "many lines"])
def test_a_command_that_prints_without_end_is_stopped_and_takes_little_memory(tmp_path: Path, body: str) -> None:
    tracemalloc.start()
    command = Command(program(tmp_path, body))
    with pytest.raises(ForeignSystemFailed, match="more than 8 MB for one answer"):
        command.answer("Who?", [])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_errors_without_end_take_little_memory(tmp_path: Path) -> None:
    noise = "    sys.stderr.write('x' * 50_000_000); sys.stderr.flush(); print('{\"answer\": \"x\"}', flush=True)\n"
    tracemalloc.start()
    assert Command(program(tmp_path, noise)).answer("Who?", []).text == "x"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_a_command_that_does_not_read_its_input_does_not_hold_us_up(tmp_path: Path) -> None:
    evidence = evidence_of("A passage that is longer than a pipe. " * 5000)
    with pytest.raises(ForeignSystemFailed, match=r"no answer within 0\.5 s"):
        Command(f"{sys.executable} -c 'import time; time.sleep(60)'", seconds=0.5).answer("Who?", evidence)


def test_a_command_that_failed_once_answers_the_next_question(tmp_path: Path) -> None:
    body = "    if asked['question'] == 'bad': sys.exit(1)\n    print('{\"answer\": \"fine\"}', flush=True)\n"
    command = Command(program(tmp_path, body))
    with pytest.raises(ForeignSystemFailed):
        command.answer("bad", [])
    assert command.answer("good", []).text == "fine"
    command.close()


PARENT = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(f"{child.pid}")
for line in sys.stdin:
    print('{"answer": "x"}', flush=True)
time.sleep(600)  # the end of the input is no reason for it to leave
"""


def family(folder: Path) -> tuple[str, Path]:
    """A command that starts another process, and the file with that one's number."""
    (folder / "parent.py").write_text(PARENT)
    return f"{sys.executable} {folder / 'parent.py'} {folder / 'child'}", folder / "child"


def wait_for_end(pid: int) -> bool:
    """Whether a process ends; one that does not is given up after a minute."""
    for _ in range(600):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.1)
    return False


def test_closing_a_command_ends_what_it_started(tmp_path: Path) -> None:
    line, child = family(tmp_path)
    command = Command(line)
    command.answer("Who?", [])
    command.close()
    assert wait_for_end(int(child.read_text()))


def test_a_command_that_is_no_longer_held_is_ended(tmp_path: Path) -> None:
    line, child = family(tmp_path)
    Command(line).answer("Who?", [])
    assert wait_for_end(int(child.read_text()))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_does_not_outlive_us(tmp_path: Path, how: signal.Signals) -> None:
    line, child = family(tmp_path)
    # Whoever started the tests in the background may have told all of them to ignore Ctrl-C.
    code = (
        "import signal, sys, time; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from expound.answer.foreign import Command; command = Command(sys.argv[1]);"
        "command.answer('Who?', []); print('answered', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, line], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    assert process.stdout.readline() == b"answered\n"
    process.send_signal(how)
    process.wait()
    process.stdout.close()
    assert wait_for_end(int(child.read_text()))


def test_a_command_that_does_not_exist_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="cannot be started"):
        Command("no-such-program-at-all").answer("Who?", [])


def test_specs_take_the_command_without_a_name() -> None:
    assert repr(plugins.build("answer", "Command('cat -u')")) == "Command('cat -u')"
    assert repr(plugins.build("answer", "Http('http://localhost:1/ask')")) == "Http('http://localhost:1/ask')"
    with pytest.raises(UserError, match="not an address"):
        plugins.build("answer", "Http('ftp://x')")


@pytest.fixture
def server() -> Iterator[tuple[str, list[int]]]:
    codes: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(codes.pop(0) if codes else 200)
            self.end_headers()
            self.wfile.write(json.dumps({"answer": asked["question"].upper()}).encode())

        def log_message(self, *arguments: object) -> None:
            pass

    http = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_port}/", codes
    http.shutdown()


def test_an_address_answers_and_passing_failures_are_tried_again(server: tuple[str, list[int]]) -> None:
    url, codes = server
    codes += [503]
    assert Http(url).answer("who?", []).text == "WHO?"


def test_an_address_that_sends_too_much_is_explained(
    server: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "MOST_BYTES", 10)
    with pytest.raises(ForeignSystemFailed, match="for one answer"):
        Http(server[0]).answer("who is it that sends so much?", [])


def test_an_address_that_breaks_off_is_explained() -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def hang_up() -> None:
        client, _ = listening.accept()
        client.recv(65536)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")
        client.close()

    threading.Thread(target=hang_up, daemon=True).start()
    with listening, pytest.raises(ForeignSystemFailed, match=r"failed|did not print"):
        Http(f"http://127.0.0.1:{listening.getsockname()[1]}/", retries=0).answer("who?", [])


def test_an_address_that_refuses_is_explained(server: tuple[str, list[int]]) -> None:
    url, codes = server
    codes += [404]
    with pytest.raises(ForeignSystemFailed, match="404"):
        Http(url).answer("who?", [])
    with pytest.raises(ForeignSystemFailed, match="failed"):
        Http("http://127.0.0.1:9/", retries=0).answer("who?", [])
