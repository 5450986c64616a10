"""Results on stdout, remarks on stderr, and no text taken for markup."""

from __future__ import annotations

import json

import pytest

from expound.cli import progress, screen
from expound.types import Interpretation


@pytest.fixture(autouse=True)
def loud() -> None:
    screen.configure(quiet=False)


def test_json_is_lossless_and_obeyed_by_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": "é \x1b[2J \x9b1m \u202e \ud800 \n", "list": [1, None]}
    screen.print_json(value)
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert "é" in printed
    assert all(character.isprintable() or character == "\n" for character in printed)


def test_json_lines_hold_a_record_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("two\nlines", "\x1b[2J"):
        screen.print_json_line({"text": text})
    first, second = capsys.readouterr().out.splitlines()
    assert (json.loads(first)["text"], json.loads(second)["text"]) == ("two\nlines", "\x1b[2J")
    assert second.isprintable()


def test_records_print_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    screen.print_json([Interpretation("q", ("a", "b"))])
    assert json.loads(capsys.readouterr().out) == [
        {"question": "q", "answers": ["a", "b"], "citations": [], "type": "", "confidence": None}
    ]


def test_a_table_in_a_pipe_is_not_folded(capsys: pytest.CaptureFixture[str]) -> None:
    screen.table(("name", "n"), [("[bold]x[/bold]" + "y" * 200, 12345)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert "[bold]x[/bold]" in lines[1]
    assert lines[1].rstrip().endswith("12,345")


def test_quiet_silences_remarks_and_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY_SECONDS", 0.0)
    screen.configure(quiet=True)
    screen.say("a remark")
    with screen.progress("reading", 10) as meter:
        meter.update(1)
    assert capsys.readouterr() == ("", "")


def test_progress_without_a_terminal_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with screen.progress("reading", 10) as meter:
        meter.update(1)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(progress, "LINE_EVERY_SECONDS", 0.0)
    with screen.progress("reading \x1b[2J", 2000) as meter:
        meter.update(1000)
        meter.report("unpacking", 1500, 3000)
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert first.startswith("reading")
    assert first.endswith(": 1,000 of 2,000, 0 s left")
    assert second.startswith("unpacking: 1,500 of 3,000")


def test_time_left_follows_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("expound.cli.progress.time.monotonic", lambda: now)
    with screen.progress("reading", 40) as meter:
        assert meter.seconds_left() is None
        now = 110.0
        meter.update(10)
        assert meter.seconds_left() == pytest.approx(30)


def test_what_an_earlier_run_finished_does_not_make_the_rest_look_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("expound.cli.progress.time.monotonic", lambda: now)
    with screen.progress("reading") as meter:
        meter.report("embedding", 900, 1000)
        assert meter.seconds_left() is None
        now = 110.0
        meter.report("embedding", 910, 1000)
        assert meter.seconds_left() == pytest.approx(90)


@pytest.mark.parametrize(
    ("count", "text"), [(7, "7 B"), (466_247, "466.2 kB"), (22_928_619, "22.9 MB"), (3e9, "3.0 GB")]
)
def test_bytes_for_people(count: float, text: str) -> None:
    assert screen.human_bytes(count) == text


@pytest.mark.parametrize(("seconds", "text"), [(5, "5 s"), (300, "5 min"), (7200, "2.0 h")])
def test_durations_for_people(seconds: float, text: str) -> None:
    assert progress._duration(seconds) == text


def test_json_is_decided_in_one_place(capsys: pytest.CaptureFixture[str]) -> None:
    records = [{"name": "one", "size": 1}, {"name": "two", "size": 2}]
    for record in (records, lambda: records):
        screen.print_result(record, lambda: screen.print_records(records), as_json=True)
        assert json.loads(capsys.readouterr().out) == records
    screen.print_result(records, lambda: screen.print_records(records, ("size",)), as_json=False)
    assert capsys.readouterr().out.split() == ["size", "1", "2"]


def test_no_records_are_an_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    screen.print_records([])
    assert not capsys.readouterr().out.strip()
