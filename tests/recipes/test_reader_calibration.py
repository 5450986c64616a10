"""The calibration of a reader: shares of people's score on the same questions, and a picture of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from expound.cli import execute
from expound.errors import BadInput, UserError
from expound.recipes import reader_calibration
from expound.recipes.catalogue import find_recipe
from expound.recipes.shape import Ingredients, measure
from expound.resources import override_variable
from expound.score.asqa_qa import Dr
from expound.score.rouge import Rouge
from expound.testing import write_jsonl
from expound.types import Span

RECIPE = reader_calibration.RECIPE


class WholeText:
    """A reader that takes the whole text for the answer."""

    name = "whole"

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        return [Span(text, 0, len(text), 1.0, 0.0) for _, text in pairs]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two questions: people answer the first in one word and the second in four; a system answers one of them."""
    monkeypatch.setattr(reader_calibration, "open_reader", lambda name: WholeText())
    # The splitter of ASQA's own scorer is fetched; the rules ship.
    by_rules = Dr(Rouge(profile="asqa", splitter="rules"))
    monkeypatch.setattr(reader_calibration, "METRICS", (*reader_calibration.METRICS[:-1], by_rules))
    answers = {"1": "Ann", "2": "It was Bob, surely"}
    items = {
        id: {
            "ambiguous_question": f"Who won race {id}?",
            "qa_pairs": [{"question": "Who won?", "short_answers": [said.split(",")[0].split()[-1]], "context": ""}],
            "annotations": [{"long_answer": said, "knowledge": []}] * 2,
            "wikipages": [],
        }
        for id, said in answers.items()
    }
    dataset, outputs = tmp_path / "asqa.json", tmp_path / "outputs.jsonl"
    dataset.write_text(json.dumps({"dev": items}))
    write_jsonl(
        outputs, [{"id": "1", "system": "same", "output": "Ann"}, {"id": "2", "system": "two", "output": "Bob"}]
    )
    return [dataset, outputs]


def test_a_system_is_held_against_people_on_its_own_questions(files: list[Path]) -> None:
    [(columns, rows)] = measure(RECIPE, Ingredients(files=tuple(files))).tables()
    share = {row[0]: row[columns.index("% of people's")] for row in rows}
    assert share["people"] == "100 (100–100)"
    assert share["same"] == "100 (100–100)"
    assert share["two"] == "250 (250–250)"  # people's four words have an F1 of 0.4


def test_the_shares_are_drawn(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("minilm-tokenizer", "punkt"):  # neither the reader nor the splitter of this test reads them
        monkeypatch.setenv(override_variable(name), str(files[0]))
    pytest.importorskip("matplotlib")
    picture = tmp_path / "shares.svg"
    command = ["recipe", "reader-calibration", *map(str, files), "--plot", str(picture), "--quiet"]
    assert execute(command) == 0
    assert "<svg" in picture.read_text()
    assert "people" in capsys.readouterr().out


def test_a_table_without_a_picture_or_a_file_that_is_none_is_refused(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no picture"):
        measure(find_recipe("hurdles-table11"), Ingredients(files=tuple(files[:1]), plot=tmp_path / "x.svg"))
    with pytest.raises(UserError, match=r"ends in \.png"):
        measure(RECIPE, Ingredients(files=tuple(files), plot=tmp_path / "x.txt"))
    with pytest.raises(UserError, match="there is no folder"):
        measure(RECIPE, Ingredients(files=tuple(files), plot=tmp_path / "nowhere" / "x.svg"))


def test_answers_to_other_questions_are_told(files: list[Path]) -> None:
    write_jsonl(files[1], [{"id": "9", "system": "same", "output": "Ann"}])
    with pytest.raises(BadInput, match="their ids differ"):
        measure(RECIPE, Ingredients(files=tuple(files)))
