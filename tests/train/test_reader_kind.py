"""The reader learns from SQuAD-layout files, goes on after an interruption, and is exported as it was trained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.errors import UserError
from expound.models.reader_windows import Window
from expound.train.batches import iter_batches
from expound.train.data.squad_layout import Gold, SpanExample, write_squad
from expound.train.description import TrainingFiles
from expound.train.kinds.reader_kind import NO_ANSWER, ReaderKind, answer_places, describe_reader
from expound.train.loop import fit, train
from expound.train.reader_figures import JudgedSpan, choose_offset, judge_spans, squad_figures
from expound.train.smoke import iter_span_examples, smoke_files
from expound.train.training_settings import READER, ReaderSettings
from expound.types import Span
from train.tinybert import write_base
from train.toymodel import weights_of

SETTINGS = replace(READER, steps=6, batch=4, learning_rate=1e-3, threads=1, checkpoint_every=2, measure_every=3)
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
    assert answer_places(SpanExample("who", "Mira built it", (answer,), ""), WINDOW) == (place,)


def test_figures_count_silence_right_only_where_there_is_no_answer() -> None:
    answered = SpanExample("who", "Mira Okonedo built it", (Gold("Mira Okonedo", 0),), "")
    silent = SpanExample("why", "Mira built it", (), "")
    judged = judge_spans(
        [answered, answered, silent], [Span("Mira", 0, 4, 5, 3), Span("it", 0, 2, 1, 3), Span("x", 0, 1, 1, 3)]
    )
    figures = squad_figures(judged)
    assert figures["has_answer_f1"] == pytest.approx(100 / 3)
    assert (figures["has_answer_exact"], figures["no_answer_f1"]) == (0, 100)
    assert figures["f1"] == pytest.approx((2 * 100 / 3 + 100) / 3)
    assert squad_figures(judged, offset=-10)["no_answer_f1"] == 0
    assert squad_figures(judged, offset=10)["f1"] == pytest.approx(100 / 3)


def test_the_offset_is_the_one_with_the_best_mean_over_the_parts() -> None:
    sure, unsure = JudgedSpan(True, 1.0, 1.0, -5.0), JudgedSpan(True, 1.0, 1.0, 2.0)
    wrong = JudgedSpan(False, 0.0, 0.0, 1.0)
    assert choose_offset({"a": [sure]}) == 0.0
    assert choose_offset({"a": [unsure, unsure]}) == -2.0
    # However few they are, the questions without an answer count as much as the others.
    assert choose_offset({"a": [*[sure] * 40, *[unsure] * 40, *[wrong] * 20]}) == 0.0
    # A handful of questions is no part.
    assert choose_offset({"a": [*[unsure] * 40, *[wrong] * 5]}) == -2.0


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--train FILE --dev FILE"):
        describe_reader(TrainingFiles((), ()), tmp_path, ReaderSettings())


@pytest.mark.parametrize("empty", ["train.json", "dev.json"])
def test_a_file_without_questions_is_named(tmp_path: Path, empty: str) -> None:
    files = smoke_files("reader", tmp_path)
    write_squad(tmp_path / empty, [])
    with pytest.raises(UserError, match=rf"{empty} has no questions"):
        describe_reader(files, tmp_path, ReaderSettings())


@pytest.fixture
def kind(base: Path, tmp_path: Path) -> ReaderKind:
    """A reader of the made-up town with the tiny model as its base."""
    return describe_reader(smoke_files("reader", tmp_path), base, ReaderSettings())


def test_a_pass_takes_every_window_once(kind: ReaderKind) -> None:
    batches = list(iter_batches(kind, replace(SETTINGS, steps=12)))
    asked = sorted(item.window.ids for batch in batches for item in batch)
    assert asked == sorted(item.window.ids for item in kind._windows)
    assert len(asked) == len(kind.examples)


def test_a_resumed_run_ends_with_the_same_weights(kind: ReaderKind, tmp_path: Path) -> None:
    class Stopped(ReaderKind):
        def measure(self, model: Any) -> dict[str, float]:
            raise Interrupted

    whole = fit(kind, SETTINGS, tmp_path / "whole").model
    # Stops after step 3, one step past the checkpoint: that step is taken again.
    with pytest.raises(Interrupted):
        fit(Stopped(kind.examples, kind.dev, kind.base), SETTINGS, tmp_path / "halves")
    assert weights_of(fit(kind, SETTINGS, tmp_path / "halves").model) == weights_of(whole)


def test_loss_counts_every_right_place_together(kind: ReaderKind) -> None:
    import torch

    from expound.train.kinds.reader_kind import span_loss

    logits = torch.zeros((1, 4))
    one, both = span_loss(logits, logits, [[(1, 1)]]), span_loss(logits, logits, [[(1, 1), (2, 3)]])
    assert one.item() == pytest.approx(torch.log(torch.tensor(16.0)).item())
    assert both.item() == pytest.approx(torch.log(torch.tensor(8.0)).item())


def test_any_architecture_can_be_the_base(kind: ReaderKind, tmp_path: Path) -> None:
    other = write_base(tmp_path / "other", "roberta")
    figures = train(ReaderKind(kind.examples, kind.dev, other), SETTINGS, tmp_path / "run")
    assert figures["largest_logit_difference"] < 0.5

    from expound.models.hub_reader import HubReader

    reader = HubReader(str(tmp_path / "run" / "model"))
    assert len(reader.read([("who built the tower ?", "the tower was built by mira .")])) == 1


@pytest.mark.slow
def test_the_tiny_reader_learns_who_built_what(kind: ReaderKind, tmp_path: Path) -> None:
    settings = replace(SETTINGS, steps=150, batch=12, learning_rate=3e-3, measure_every=50)
    figures = train(kind, settings, tmp_path / "run")
    assert figures["dev_f1"] == figures["mean_f1"] > 90
    assert figures["largest_logit_difference"] < 0.5
    records = [json.loads(line) for line in (tmp_path / "run/log.jsonl").read_text().splitlines()]
    assert [record["step"] for record in records if "dev_f1" in record] == [50, 100, 150]

    from expound.models.reader import SpanReader

    reader = SpanReader(tmp_path / "run/reader.onnx", kind.base / "tokenizer.json", sha256=figures["sha256"])
    asked = list(iter_span_examples())
    spans = reader.read([(example.question, example.context) for example in asked])
    wanted = [example.answers[0].text if example.answers else "" for example in asked]
    right = [span.text == text for span, text in zip(spans, wanted, strict=True)]
    assert sum(right) / len(right) > 0.9
