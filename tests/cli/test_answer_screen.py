"""An answer on the screen and as Markdown: what kind of text it is can be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from expound.cli.answer_screen import print_answer
from expound.cli.question_options import ShownSources
from expound.shown import place_of, prediction_markdown
from expound.types import Answer, Direct, Evidence, Passage, Prediction, Sentence, Source

Capture = pytest.CaptureFixture[str]
CODE = "if true; then\n    cp a[0] b\nfi"
STEPS = "1. Open the page.\n2. Wait."
ROWS = "setting | default\nkeep_days | 14"
TEXT = "To restore a backup, stop the server and copy the file back. "


def evidence(number: int, file: str, page: int | None, heading: str, url: str = "") -> Evidence:
    source = Source(file, page, heading, url, 0, 100)
    return Evidence(Passage(f"{file}#{number}", TEXT * 3, "Handbook", source), number, 1.0)


@pytest.fixture
def prediction() -> Prediction:
    entries = (
        Sentence("[The server] stops.", "It stops.", (1,)),
        Sentence("Copy the file.", "Copy the file.", (1,)),
        Sentence(CODE, CODE, (1,), "code"),
        Sentence(STEPS, STEPS, (1,), "steps"),
        Sentence(ROWS, ROWS, (2,), "rows"),
    )
    answer = Answer(
        "[The server] stops. Copy the file.",
        entries,
        Direct("14 days", (2,), 0.9),
        {"order": "as in the first passage"},
    )
    found = (evidence(1, "guide.pdf", 12, "Backups > Restoring"), evidence(2, "settings.html", None, "Settings"))
    return Prediction(
        "1", "How?", "Extractive", answer, (), found, question_kind="how-to", meta={"corpora": ["a", "b"]}
    )


@pytest.fixture
def silence(prediction: Prediction) -> Prediction:
    return replace(prediction, answer=Answer(), abstained=True, nearest=prediction.evidence[:1])


def test_a_direct_answer_comes_first(prediction: Prediction, capsys: Capture) -> None:
    print_answer(prediction)
    assert capsys.readouterr().out.startswith("14 days [2]\n\n[The server] stops. Copy the file. [1]\n")


def test_code_steps_and_rows_have_lines_of_their_own(prediction: Prediction, capsys: Capture) -> None:
    print_answer(prediction)
    out = capsys.readouterr().out
    assert "\n\n    if true; then\n        cp a[0] b\n    fi\n\n" in out
    assert "\n  1. Open the page.\n  2. Wait. [1]\n\n" in out
    assert "\n  setting    default\n  keep_days  14\n  [2]\n" in out


def test_a_source_has_its_place_and_its_first_words(prediction: Prediction, capsys: Capture) -> None:
    print_answer(prediction)
    lines = capsys.readouterr().out.partition("\nSources\n")[2].splitlines()
    assert lines[0] == "  [1] Handbook (guide.pdf, page 12, “Backups > Restoring”)"
    assert lines[1].startswith("      To restore a backup, stop the server")
    assert lines[1].endswith("…")
    assert lines[2] == "  [2] Handbook (settings.html, “Settings”)"


def test_full_sources_quote_the_sentences(prediction: Prediction, capsys: Capture) -> None:
    print_answer(prediction, sources=ShownSources.full)
    assert "      “It stops.”\n      “Copy the file.”\n" in capsys.readouterr().out


def test_sources_can_be_left_out(prediction: Prediction, capsys: Capture) -> None:
    print_answer(prediction, sources=ShownSources.none)
    assert "Sources" not in capsys.readouterr().out


def test_an_abstention_shows_what_is_nearest_and_says_that_it_may_not_help(
    silence: Prediction, capsys: Capture
) -> None:
    print_answer(silence)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "No answer: nothing in these corpora supports one."
    assert lines[2:4] == [
        "Nearest passages, which may not answer it:",
        "  [1] Handbook (guide.pdf, page 12, “Backups > Restoring”)",
    ]
    assert lines[5].endswith("…")
    assert lines[6] == ""


def test_the_explanation_has_the_kind_of_question_and_the_notes(prediction: Prediction, capsys: Capture) -> None:
    print_answer(replace(prediction, meta={"explain": {"abstention": "0.81, above 0.5"}}), explain=True)
    out = capsys.readouterr().out
    assert "  kind of question  how-to\n" in out
    assert "  order             as in the first passage\n" in out
    assert "  abstention        0.81, above 0.5\n" in out


def test_markdown_has_fences_lists_and_tables(prediction: Prediction, capsys: Capture) -> None:
    print(prediction_markdown(prediction))
    out = capsys.readouterr().out
    assert out.startswith("**14 days** [2]\n")
    assert f"```\n{CODE}\n```\n\n1. Open the page.\n2. Wait. [1]\n" in out  # what is cited was just said
    assert "| setting | default |\n| --- | --- |\n| keep\\_days | 14 |\n" in out
    assert "**Sources**\n\n1. Handbook (guide.pdf, page 12" in out


def test_a_fence_is_longer_than_what_it_fences(prediction: Prediction, capsys: Capture) -> None:
    entry = Sentence("a ```` b", "a ```` b", (1,), "code")
    print(prediction_markdown(replace(prediction, answer=Answer("x", (entry,)))))
    assert "`````\na ```` b\n`````\n" in capsys.readouterr().out


def test_an_abstention_as_markdown_names_the_nearest(silence: Prediction, capsys: Capture) -> None:
    print(prediction_markdown(silence))
    assert "Nearest passages, which may not answer it:\n\n1. Handbook (guide.pdf" in capsys.readouterr().out


def test_a_saved_page_is_named_by_its_file_and_a_record_by_its_address() -> None:
    url = "https://example.org/"
    assert place_of(evidence(1, "page.html", None, "", url)) == "Handbook (page.html)"
    assert place_of(evidence(1, "pages.jsonl", None, "", url)) == f"Handbook ({url})"
