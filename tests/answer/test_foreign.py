"""Foreign systems: commands and addresses, and what is said when they fail."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from expound import plugins
from expound.answer.foreign import Command, Http
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
        ("    print('hello', flush=True)\n", "did not print .* but: hello"),
        ("    print('{\"answer\": 3}', flush=True)\n", 'but: {"answer": 3}'),
        ("    time.sleep(60)\n", "no answer within 0.5 s"),
        ("    sys.stdout.buffer.write(b'\\xff\\xff\\n'); sys.stdout.flush()\n", "not UTF-8"),
    ],
)
def test_a_command_that_fails_is_explained(tmp_path: Path, body: str, message: str) -> None:
    seconds = 0.5 if "sleep" in body else 20
    with pytest.raises(ForeignSystemFailed, match=message):
        Command(program(tmp_path, body), seconds=seconds).answer("Who?", [])


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


def test_an_address_that_refuses_is_explained(server: tuple[str, list[int]]) -> None:
    url, codes = server
    codes += [404]
    with pytest.raises(ForeignSystemFailed, match="404"):
        Http(url).answer("who?", [])
    with pytest.raises(ForeignSystemFailed, match="failed"):
        Http("http://127.0.0.1:9/", retries=0).answer("who?", [])
