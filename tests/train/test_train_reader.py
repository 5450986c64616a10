"""The reader learns from SQuAD-layout files, goes on after an interruption, and is exported as it was trained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.errors import UserError
from expound.models.reader_windows import Window
from expound.train.reader import NO_ANSWER, Labelled, Settings, answer_places, iter_batches, train
from expound.train.reader_figures import Judged, choose_offset, judge, squad_figures
from expound.train.reader_run import ReaderFiles, train_and_export
from expound.train.smoke import iter_readings, smoke_files
from expound.train.squad import Gold, Reading, read_squad
from expound.types import Span

SETTINGS = Settings(steps=6, batch=4, learning_rate=1e-3, threads=1, checkpoint_every=2, measure_every=3)
# [CLS] who [SEP] Mira built it [SEP]
WINDOW = Window((2, 5, 3, 6, 7, 8, 3), 3, ((0, 4), (5, 10), (11, 13)))


class Interrupted(Exception):
    """What stops a run half-way in these tests."""


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        (Gold("Mira", 0), (3, 3)),
        (Gold("built it", 5), (4, 5)),
        (Gold("ira", 1), NO_ANSWER),
        (Gold("it was", 11), NO_ANSWER),
    ],
)
def test_an_answer_is_placed_by_whole_tokens_or_not_at_all(answer: Gold, place: tuple[int, int]) -> None:
    assert answer_places(Reading("who", "Mira built it", (answer,), ""), WINDOW) == (place,)


def test_a_pass_takes_every_window_once_and_batches_follow_from_the_seed() -> None:
    labelled = [Labelled(Window((number,) * (1 + number % 7), 1, ()), (NO_ANSWER,)) for number in range(20)]
    settings = Settings(steps=5, batch=4)
    batches = list(iter_batches(labelled, settings))
    assert sorted(item.window.ids for batch in batches for item in batch) == sorted(i.window.ids for i in labelled)
    assert batches == list(iter_batches(labelled, settings))
    assert batches != list(iter_batches(labelled, Settings(steps=5, batch=4, seed=14)))


def test_figures_count_silence_right_only_where_there_is_no_answer() -> None:
    answered = Reading("who", "Mira Okonedo built it", (Gold("Mira Okonedo", 0),), "")
    silent = Reading("why", "Mira built it", (), "")
    judged = judge(
        [answered, answered, silent], [Span("Mira", 0, 4, 5, 3), Span("it", 0, 2, 1, 3), Span("x", 0, 1, 1, 3)]
    )
    figures = squad_figures(judged)
    assert figures["has_answer_f1"] == pytest.approx(100 / 3)
    assert (figures["has_answer_exact"], figures["no_answer_f1"]) == (0, 100)
    assert figures["f1"] == pytest.approx((2 * 100 / 3 + 100) / 3)
    assert squad_figures(judged, offset=-10)["no_answer_f1"] == 0
    assert squad_figures(judged, offset=10)["f1"] == pytest.approx(100 / 3)


def test_the_offset_is_the_one_with_the_best_mean_over_the_parts() -> None:
    sure, unsure = Judged(True, 1.0, 1.0, -5.0), Judged(True, 1.0, 1.0, 2.0)
    wrong = Judged(False, 0.0, 0.0, 1.0)
    assert choose_offset({"a": [sure]}) == 0.0
    assert choose_offset({"a": [unsure, unsure]}) == -2.0
    # However few they are, the questions without an answer count as much as the others.
    assert choose_offset({"a": [*[sure] * 40, *[unsure] * 40, *[wrong] * 20]}) == 0.0
    # A handful of questions is no part.
    assert choose_offset({"a": [*[unsure] * 40, *[wrong] * 5]}) == -2.0


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.train.reader_run.needs_extra", lambda: None)
    with pytest.raises(UserError, match="--train FILE --dev FILE"):
        train_and_export(ReaderFiles((), (), tmp_path), SETTINGS, tmp_path, report=lambda *_: None)


@pytest.fixture
def files(tmp_path: Path) -> ReaderFiles:
    """The made-up town and the tiny base model."""
    for library in ("torch", "transformers", "onnx"):
        pytest.importorskip(library)
    return smoke_files(tmp_path / "town")


def readings(files: ReaderFiles) -> list[Reading]:
    return read_squad(files.train[0])


def test_a_resumed_run_ends_with_the_same_weights(files: ReaderFiles, tmp_path: Path) -> None:
    whole = train(readings(files), SETTINGS, base=files.base, out=tmp_path / "whole")

    def interrupt(model: Any, step: int) -> dict[str, float]:
        raise Interrupted

    # Stops after step 3, one step past the checkpoint: that step is taken again.
    with pytest.raises(Interrupted):
        train(readings(files), SETTINGS, base=files.base, out=tmp_path / "halves", measure=interrupt)
    halves = train(readings(files), SETTINGS, base=files.base, out=tmp_path / "halves")
    ours, theirs = whole.state_dict(), halves.state_dict()
    assert all((ours[name] == theirs[name]).all() for name in ours)


def test_loss_counts_every_right_place_together(files: ReaderFiles) -> None:
    import torch

    from expound.train.reader import span_loss

    logits = torch.zeros((1, 4))
    one, both = span_loss(logits, logits, [[(1, 1)]]), span_loss(logits, logits, [[(1, 1), (2, 3)]])
    assert one.item() == pytest.approx(torch.log(torch.tensor(16.0)).item())
    assert both.item() == pytest.approx(torch.log(torch.tensor(8.0)).item())


@pytest.mark.slow
def test_the_tiny_reader_learns_who_built_what(files: ReaderFiles, tmp_path: Path) -> None:
    settings = Settings(steps=150, batch=12, learning_rate=3e-3, threads=1, measure_every=50)
    figures = train_and_export(files, settings, tmp_path / "run", report=lambda *_: None)
    assert figures["dev_f1"] > 90
    assert figures["largest_logit_difference"] < 0.5
    records = [json.loads(line) for line in (tmp_path / "run/log.jsonl").read_text().splitlines()]
    assert [record["step"] for record in records if "dev_f1" in record] == [50, 100, 150]

    from expound.models.reader import SpanReader

    reader = SpanReader(tmp_path / "run/reader.onnx", files.base / "tokenizer.json", sha256=figures["sha256"])
    asked = list(iter_readings())
    spans = reader.read([(reading.question, reading.context) for reading in asked])
    wanted = [reading.answers[0].text if reading.answers else "" for reading in asked]
    right = [span.text == text for span, text in zip(spans, wanted, strict=True)]
    assert sum(right) / len(right) > 0.9
