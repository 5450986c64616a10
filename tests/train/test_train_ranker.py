"""Training: batches without torch; a tiny BERT learns, and goes on after an interruption as if there had been none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tinybert import GROUPS, write_base

from expound.train.ranker import Encoder, Settings, iter_batches, score_pool, train
from expound.train.runs import Log

SETTINGS = Settings(steps=6, groups_per_step=2, negatives=2, threads=1, checkpoint_every=3, measure_every=4)


class Interrupted(Exception):
    """What stops a run half-way in these tests."""


def test_a_pass_takes_every_group_once_with_one_right_sentence() -> None:
    batches = list(iter_batches(GROUPS, Settings(steps=3, groups_per_step=2, negatives=2)))
    groups = [group for batch in batches for group in batch]
    assert sorted(group.question for group in groups) == sorted(group.question for group in GROUPS)
    assert all(len(group.positives) <= 1 and len(group.negatives) <= 2 for group in groups)


def test_batches_depend_on_the_seed_alone() -> None:
    assert list(iter_batches(GROUPS, SETTINGS)) == list(iter_batches(GROUPS, SETTINGS))
    assert len(list(iter_batches(GROUPS, SETTINGS))) == SETTINGS.steps


def test_the_log_opens_with_the_settings_and_gives_the_mean_loss(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.jsonl", {"steps": 2}, every=2)
    log.count((1.0, 5), step=0)
    log.count((2.0, 5), step=1)
    first, second = map(json.loads, (tmp_path / "log.jsonl").read_text().splitlines())
    assert first == {"settings": {"steps": 2}}
    assert (second["step"], second["loss"], second["pairs"]) == (2, 1.5, 10)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return write_base(tmp_path / "base")


def test_a_resumed_run_ends_with_the_same_weights(base: Path, tmp_path: Path) -> None:
    whole = train(GROUPS, SETTINGS, base=base, out=tmp_path / "whole")

    def interrupt(model: Any, encoder: Encoder) -> dict[str, float]:
        raise Interrupted

    # Stops after step 4, one step past the checkpoint: that step is taken again.
    with pytest.raises(Interrupted):
        train(GROUPS, SETTINGS, base=base, out=tmp_path / "halves", measure=interrupt)
    resumed = train(GROUPS, SETTINGS, base=base, out=tmp_path / "halves")
    assert weights_of(resumed).keys() == weights_of(whole).keys()
    assert all(weights_of(resumed)[name].equal(tensor) for name, tensor in weights_of(whole).items())


def test_a_finished_run_is_not_trained_further(base: Path, tmp_path: Path) -> None:
    first = train(GROUPS, SETTINGS, base=base, out=tmp_path / "run")
    again = train(GROUPS, SETTINGS, base=base, out=tmp_path / "run")
    assert all(weights_of(again)[name].equal(tensor) for name, tensor in weights_of(first).items())
    assert not list((tmp_path / "run").glob("*.part"))


def test_word_vectors_stay_and_the_rest_moves(base: Path, tmp_path: Path) -> None:
    from expound.train.ranker import new_model

    before = weights_of(new_model(base))
    after = weights_of(train(GROUPS, SETTINGS, base=base, out=tmp_path / "run"))
    moved = {name for name in before if not before[name].equal(after[name])}
    assert "bert.embeddings.word_embeddings.weight" not in moved
    assert "bert.encoder.layer.0.attention.self.query.weight" in moved


def test_it_learns_which_sentence_answers(base: Path, tmp_path: Path) -> None:
    settings = Settings(steps=60, groups_per_step=6, learning_rate=3e-3, threads=1, checkpoint_every=60)
    model, encoder = train(GROUPS, settings, base=base, out=tmp_path / "run"), Encoder(base)
    for group in (group for group in GROUPS if group.positives):
        scores = score_pool(model, encoder, group.question, [*group.positives, *group.negatives])
        assert scores[: len(group.positives)].min() > scores[len(group.positives) :].max()


def test_a_long_pair_is_cut_on_its_second_side(base: Path) -> None:
    pair = Encoder(base).pair("who " * 60, "tower " * 200)
    assert len(pair.ids) == 96
    assert pair.second_side == 46 + 2


def weights_of(model: Any) -> dict[str, Any]:
    weights: dict[str, Any] = model.state_dict()
    return weights
