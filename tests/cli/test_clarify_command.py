"""`expound clarify` shows the readings that `expound ask` would, and says why there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import as_json, succeed
from expound.cli import execute
from expound.testing import write_jsonl, write_toy_folder

Capture = pytest.CaptureFixture[str]
ASKED = "Who built the red kite?"


@pytest.fixture
def kites(tmp_path: Path) -> str:
    rows = [
        {"id": "a", "title": "Red kite (1920)", "text": "The red kite of 1920 was built by Ann Lee in Rome."},
        {"id": "b", "title": "Red kite (1990)", "text": "The red kite of 1990 was built by Tom Hay in Oslo."},
    ]
    return str(write_jsonl(tmp_path / "kites.jsonl", rows))


def test_clarify_and_ask_show_the_same_readings(kites: str, capsys: Capture, embedder_files: dict[str, Path]) -> None:
    clarified = as_json(capsys, "clarify", ASKED, "--corpus", kites, "--model", "none")
    asked = as_json(capsys, "ask", ASKED, "--corpus", kites, "--model", "none")

    def shown(record: dict[str, list[dict[str, object]]]) -> list[object]:
        return [(reading["question"], reading["confidence"], reading["type"]) for reading in record["interpretations"]]

    assert len(clarified["interpretations"]) == 2
    assert shown(clarified) == shown(asked)


def test_what_was_weighed_is_told_on_request(kites: str, capsys: Capture, embedder_files: dict[str, Path]) -> None:
    arguments = ("clarify", ASKED, "--corpus", kites, "--model", "none")
    told = as_json(capsys, *arguments, "--explain")["explain"]
    assert told["“Ann Lee”"].endswith("a reading")
    assert "explain" not in as_json(capsys, *arguments)
    assert "What was weighed" in succeed(capsys, *arguments, "--explain")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who sold the green submarine to Peru?", "No reading: the evidence does not hold an answer."),
        ("Was the red kite built in Rome?", "One reading at most:"),
    ],
)
def test_a_reason_is_given_for_no_readings(question: str, reason: str, kites: str, capsys: Capture) -> None:
    said = succeed(capsys, "clarify", question, "--corpus", kites, "--model", "none")
    assert reason in " ".join(said.split())


def test_a_manual_has_no_readings_here_either(tmp_path: Path, capsys: Capture) -> None:
    folder = write_toy_folder(tmp_path / "toys")
    steps = "To restore a backup, stop your server. Copy your file back. Start your server with your old settings."
    (folder / "handbook.md").write_text(f"# Handbook\n\n## Restoring a backup\n\n{steps}\n", encoding="utf-8")
    said = succeed(
        capsys, "clarify", "What do you copy back?", "--corpus", str(folder / "handbook.md"), "--model", "none"
    )
    assert "No reading: the passages are of manuals" in " ".join(said.split())


def test_a_dataset_s_answers_are_nothing_to_ask_with(kites: str, capsys: Capture) -> None:
    assert execute(["clarify", ASKED, "--corpus", kites, "--strategy", "GoldAnswers()", "--model", "none"]) == 2
    assert "use it in expound run" in capsys.readouterr().err
