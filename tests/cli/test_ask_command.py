"""`expound ask` on the terminal, as JSON and as Markdown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.cli import execute
from expound.records import prediction_from
from expound.testing import write_toy_folder

Capture = pytest.CaptureFixture[str]
QUESTION = "Who was the King of France in 1830?"


@pytest.fixture
def toys(tmp_path: Path) -> str:
    return str(write_toy_folder(tmp_path / "toys"))


def test_the_screen_has_readings_answer_sources_and_footer(toys: str, capsys: Capture) -> None:
    assert execute(["--quiet", "ask", QUESTION, "--corpus", toys]) == 0
    out = capsys.readouterr().out
    for part in (
        "several readings",
        "Charles X",
        "[1]",
        "Sources",
        "charles-x.md",
        "corpus toys",
        "Composed(",
    ):
        assert part in out


def test_json_is_the_prediction_record(toys: str, capsys: Capture) -> None:
    assert execute(["ask", QUESTION, "--corpus", toys, "--json", "--quiet"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record) == {
        "id", "question", "system", "answer", "interpretations", "evidence", "abstained", "question_kind",
        "seconds", "meta",
    }  # fmt: skip
    assert record["answer"]["sentences"][0]["citations"] == [1]
    assert "[1]" not in record["answer"]["text"]
    assert record["evidence"][0]["number"] == 1
    assert prediction_from(record).answer.text == record["answer"]["text"]


def test_markdown_can_be_pasted(toys: str, capsys: Capture) -> None:
    assert execute(["ask", QUESTION, "--corpus", toys, "--format", "markdown", "--quiet"]) == 0
    assert "Charles X (charles-x.md)" in capsys.readouterr().out


def test_sources_and_the_explanation_are_shown_on_request(toys: str, capsys: Capture) -> None:
    assert execute(["ask", QUESTION, "--corpus", toys, "--sources", "none", "--explain", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "charles-x.md" not in out
    assert "kind of question" in out


def test_an_abstention_shows_the_nearest_passages(toys: str, capsys: Capture) -> None:
    assert execute(["ask", "Which ocean was the King of France afraid of?", "--corpus", toys, "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "No answer" in out
    assert "Nearest passages, which may not answer it:\n  [1] " in out


def test_nothing_found_is_said(toys: str, capsys: Capture) -> None:
    assert execute(["ask", "What is the melting point of gallium?", "--corpus", toys, "--quiet"]) == 0
    assert "No answer" in capsys.readouterr().out


def test_without_the_embedder_it_says_how_to_get_it(toys: str, capsys: Capture) -> None:
    assert execute(["ask", QUESTION, "--corpus", toys]) == 0
    assert "expound models get minilm" in capsys.readouterr().err


def test_words_change_the_length(toys: str, capsys: Capture) -> None:
    lengths = []
    for words in ("10", "80"):
        execute(["ask", QUESTION, "--corpus", toys, "--words", words, "--json", "--quiet"])
        lengths.append(len(json.loads(capsys.readouterr().out)["answer"]["text"].split()))
    assert lengths[0] < lengths[1]


@pytest.mark.parametrize(
    "arguments", [["ask", ""], ["ask", "Who?", "--words", "0"], ["ask", "Who?", "--model", "x"], ["ask"]]
)
def test_a_bad_call_is_a_users_mistake(arguments: list[str], capsys: Capture) -> None:
    assert execute([*arguments, "--quiet"]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_other_systems_answer_too(toys: str, capsys: Capture) -> None:
    assert execute(["--quiet", "ask", QUESTION, "--corpus", toys, "--system", "TopPassages(k=1)"]) == 0
    assert "TopPassages(k=1" in capsys.readouterr().out


def test_a_bound_needs_a_dataset(toys: str, capsys: Capture) -> None:
    assert execute(["--quiet", "ask", QUESTION, "--corpus", toys, "--system", "BestGold()"]) == 2
    assert "BestGold() looks at a dataset's own answers: use it in expound run" in capsys.readouterr().err
