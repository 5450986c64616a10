"""The ranker: groups to batches, a tiny BERT that learns which sentence answers, and other architectures."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadRecord, UserError
from expound.train.batches import iter_batches
from expound.train.data.group_files import Group, read_groups, write_groups
from expound.train.description import TrainingFiles
from expound.train.kinds.ranker_kind import RankerKind, describe_ranker, draw_texts
from expound.train.loop import fit, train
from expound.train.training_settings import RANKER, RankerSettings
from train.tinybert import GROUPS, write_base
from train.toymodel import weights_of

SETTINGS = replace(RANKER, steps=6, batch=2, threads=1, checkpoint_every=3, measure_every=4)


def test_a_pass_takes_every_group_once_with_one_right_text_and_a_few_wrong_ones(tmp_path: Path) -> None:
    kind = RankerKind(GROUPS, (), tmp_path, RankerSettings(negatives=2))
    groups = [group for batch in iter_batches(kind, replace(SETTINGS, steps=3)) for group in batch]
    assert sorted(group.question for group in groups) == sorted(group.question for group in GROUPS)
    assert all(len(group.positives) <= 1 and len(group.negatives) <= 2 for group in groups)


def test_a_group_without_wrong_texts_has_a_length_too(tmp_path: Path) -> None:
    alone = Group("who", ("mira",), ())
    assert draw_texts(alone, 5, random.Random(1)) == alone
    assert RankerKind([alone], (), tmp_path).length(alone) == 4


def test_groups_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_groups(tmp_path / "groups.jsonl", GROUPS)
    assert read_groups([tmp_path / "groups.jsonl"]) == GROUPS


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"question": "who"}', "line 1: a group has `question`, and `positives` and `negatives` as lists"),
        ('{"question": "who", "positives": "mira"}', "line 1: a group has"),
        ('{"question": "who", "positives": [1], "negatives": []}', "line 1: a group has"),
        ('{"question": "who", "positives": [], "negatives": []}', "at least one text"),
        ("{", "line 1"),
    ],
)
def test_a_line_that_is_no_group_is_named(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "groups.jsonl").write_text(line + "\n")
    with pytest.raises(BadRecord, match=said):
        read_groups([tmp_path / "groups.jsonl"])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", r"groups\.jsonl has no groups"),
        ('{"question": "who", "positives": [], "negatives": ["mira"]}\n', "a ranker needs groups with a right text"),
    ],
)
def test_files_without_a_right_text_are_refused(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "groups.jsonl").write_text(content)
    with pytest.raises(UserError, match=says):
        describe_ranker(TrainingFiles((tmp_path / "groups.jsonl",), ()), tmp_path, RankerSettings())


class Interrupted(Exception):
    """What stops a run half-way in these tests."""


def test_a_resumed_run_ends_with_the_same_weights(base: Path, tmp_path: Path) -> None:
    class Stopped(RankerKind):
        def measure(self, model: Any) -> dict[str, float]:
            raise Interrupted

    kind = RankerKind(GROUPS, (), base, RankerSettings(negatives=2))
    whole = fit(kind, SETTINGS, tmp_path / "whole").model
    # Stops after step 4, one step past the checkpoint: that step is taken again.
    with pytest.raises(Interrupted):
        fit(Stopped(GROUPS, (), base, RankerSettings(negatives=2)), SETTINGS, tmp_path / "halves")
    assert weights_of(fit(kind, SETTINGS, tmp_path / "halves").model) == weights_of(whole)


def test_word_vectors_stay_and_the_rest_moves(base: Path, tmp_path: Path) -> None:
    kind = RankerKind(GROUPS, (), base)
    before, after = weights_of(kind.new_model()), weights_of(fit(kind, SETTINGS, tmp_path / "run").model)
    moved = {name for name in before if before[name] != after[name]}
    assert "bert.embeddings.word_embeddings.weight" not in moved
    assert "bert.encoder.layer.0.attention.self.query.weight" in moved


def test_it_learns_which_sentence_answers(base: Path, tmp_path: Path) -> None:
    kind = RankerKind(GROUPS, GROUPS, base)
    settings = replace(SETTINGS, steps=60, batch=6, learning_rate=3e-3, checkpoint_every=60, measure_every=30)
    figures = train(kind, settings, tmp_path / "run")
    assert figures["r1"] == figures["map"] == 1.0
    assert figures["by_chance"] == pytest.approx(0.4)
    assert (tmp_path / "run" / "model" / "model.safetensors").exists()


@pytest.mark.parametrize("architecture", ["distilbert", "mpnet", "roberta"])
def test_any_architecture_can_be_the_base(tmp_path: Path, base: Path, architecture: str) -> None:
    other = write_base(tmp_path / "other", architecture)
    kind = RankerKind(GROUPS, GROUPS, other)
    settings = replace(SETTINGS, steps=60, batch=6, learning_rate=3e-3, checkpoint_every=60, measure_every=30)
    figures = train(kind, settings, tmp_path / "run")
    assert figures["map"] > figures["by_chance"] + 0.3

    from expound.models.ranker import CrossEncoder

    exported = CrossEncoder(tmp_path / "run" / "ranker.onnx", tmp_path / "run" / "tokenizer.json", threads=1)
    assert len(exported.rank(GROUPS[0].question, GROUPS[0].texts)) == len(GROUPS[0].texts)
