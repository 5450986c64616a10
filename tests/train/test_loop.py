"""The loop: whatever stops it, it goes on to the same weights; it ends when it should; it says what is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, RunBusy, StorageFull, UserError, WrongVersion
from expound.files import hold_lock
from expound.train import checkpoint
from expound.train.batches import iter_batches
from expound.train.loop import LossFailed, fit, train
from expound.train.optimizer import rate_share
from expound.train.training_settings import NumberFormat, TrainingSettings
from train.toymodel import SETTINGS, Toy, new_items, weights_of

HERE = Path(__file__).parent


class Interrupted(Exception):
    """What stops a run half-way in these tests."""


pytestmark = pytest.mark.usefixtures("has_torch")


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, list[Any]]:
    """The weights of a run that was never stopped."""
    return weights_of(fit(Toy(), SETTINGS, tmp_path / "whole").model)


def interrupt_at(step: int) -> Any:
    def interrupt(now: int) -> None:
        if now == step:
            raise Interrupted

    return interrupt


# --- going on -------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [1, 5, 6, 8, 10, 12])
def test_a_run_that_was_interrupted_ends_with_the_same_weights(
    whole: dict[str, list[Any]], tmp_path: Path, step: int
) -> None:
    with pytest.raises(Interrupted):
        fit(Toy(on_step=interrupt_at(step)), SETTINGS, tmp_path / "run")
    assert weights_of(fit(Toy(), SETTINGS, tmp_path / "run").model) == whole


def test_a_process_that_was_killed_after_a_checkpoint_goes_on_to_the_same_weights(
    whole: dict[str, list[Any]], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    child = subprocess.run([sys.executable, "-P", str(HERE / "toymodel.py"), str(out), "8"], env=_path_to(HERE))
    assert child.returncode == -signal.SIGKILL
    assert (out / checkpoint.CHECKPOINT).exists()
    again = Toy()
    assert weights_of(fit(again, SETTINGS, out).model) == whole
    assert again.steps == SETTINGS.steps - 5  # the checkpoint was of step 5: the two steps after it are taken again


def _path_to(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}


def test_a_finished_run_is_not_trained_further(whole: dict[str, list[Any]], tmp_path: Path) -> None:
    fit(Toy(), SETTINGS, tmp_path / "run")
    again = Toy()
    assert weights_of(fit(again, SETTINGS, tmp_path / "run").model) == whole
    assert again.steps == 0
    assert not list((tmp_path / "run").glob("*.part"))


def test_a_checkpoint_holds_no_pickle(tmp_path: Path) -> None:
    from safetensors import safe_open

    fit(Toy(), SETTINGS, tmp_path)
    assert not list(tmp_path.glob("*.pt"))
    with safe_open(tmp_path / checkpoint.CHECKPOINT, "pt") as file:
        assert json.loads(file.metadata()["progress"])["step"] == SETTINGS.steps


def test_how_often_checkpoints_are_written_moves_no_weight(whole: dict[str, list[Any]], tmp_path: Path) -> None:
    often = replace(SETTINGS, checkpoint_every=1)
    with pytest.raises(Interrupted):
        fit(Toy(on_step=interrupt_at(8)), often, tmp_path / "run")
    again = Toy()
    assert weights_of(fit(again, SETTINGS, tmp_path / "run").model) == whole
    assert again.steps == 5


def test_weights_that_are_not_trained_are_not_kept(tmp_path: Path) -> None:
    class Frozen(Toy):
        def new_model(self) -> Any:
            model = super().new_model()
            model[0].requires_grad_(False)
            return model

    run = fit(Frozen(), SETTINGS, tmp_path)
    assert set(checkpoint.trained_weights(run.model)) == {"2.weight", "2.bias"}
    assert (tmp_path / checkpoint.CHECKPOINT).stat().st_size < 2000


# --- stopping -------------------------------------------------------------------------------------


def test_the_weights_that_did_best_on_dev_are_kept(tmp_path: Path) -> None:
    seen: list[dict[str, list[Any]]] = []

    class Watched(Toy):
        def measure(self, model: Any) -> dict[str, float]:
            seen.append(weights_of(model))
            return {"quality": [0.5, 0.9, 0.7][len(seen) - 1]}

    run = fit(Watched(), SETTINGS, tmp_path)
    assert (run.kept_step, run.progress.step) == (8, 12)
    assert weights_of(run.model) == seen[1] != seen[2]


def test_training_ends_when_dev_gets_no_better(tmp_path: Path) -> None:
    settings = replace(SETTINGS, steps=100, measure_every=1, patience=3)
    toy = Toy(qualities=lambda number: -abs(number - 5))
    run = fit(toy, settings, tmp_path)
    assert (toy.steps, run.kept_step, run.why_over()) == (8, 5, "no better on dev")
    again = Toy(qualities=lambda number: 1.0)
    assert fit(again, settings, tmp_path).kept_step == 5
    assert again.steps == 0


def test_an_interrupted_run_keeps_the_same_best_weights(tmp_path: Path) -> None:
    def qualities(number: int) -> float:
        return [0.3, 0.8, 0.6, 0.5, 0.4, 0.1][number - 1]

    settings = replace(SETTINGS, measure_every=2, patience=2)
    whole = fit(Toy(qualities=qualities), settings, tmp_path / "whole")
    with pytest.raises(Interrupted):
        fit(Toy(qualities=qualities, on_step=interrupt_at(6)), settings, tmp_path / "halves")
    # Steps 2 and 4 were measured, and a checkpoint was written with each.
    halves = fit(Toy(qualities=lambda number: qualities(number + 2)), settings, tmp_path / "halves")
    assert (whole.kept_step, whole.progress.step) == (halves.kept_step, halves.progress.step) == (4, 8)
    assert weights_of(whole.model) == weights_of(halves.model)


def test_hours_end_a_run_and_more_of_them_let_it_go_on(whole: dict[str, list[Any]], tmp_path: Path) -> None:
    first = Toy()
    run = fit(first, replace(SETTINGS, hours=1e-12), tmp_path / "run")
    assert (first.steps, run.why_over()) == (1, "out of hours")
    assert fit(Toy(), replace(SETTINGS, hours=1e-12), tmp_path / "run").progress.step == 1
    again = Toy()
    assert weights_of(fit(again, replace(SETTINGS, hours=9.0), tmp_path / "run").model) == whole
    assert again.steps == SETTINGS.steps - 1


def test_hours_are_counted_over_all_calls(tmp_path: Path) -> None:
    run = fit(Toy(), SETTINGS, tmp_path)
    before = run.progress.cpu_seconds
    assert before > 0
    assert fit(Toy(), SETTINGS, tmp_path).progress.cpu_seconds == before


@pytest.mark.parametrize(("quality", "kept_step"), [(0.9, 5), (0.1, 4)])
def test_out_of_hours_the_last_weights_are_kept_if_they_are_better_than_the_measured_ones(
    tmp_path: Path, quality: float, kept_step: int
) -> None:
    with pytest.raises(Interrupted):
        fit(Toy(qualities=lambda number: 0.5, on_step=interrupt_at(6)), SETTINGS, tmp_path)
    run = fit(Toy(qualities=lambda number: quality), replace(SETTINGS, hours=1e-12), tmp_path)
    assert run.kept_step == kept_step
    assert (run.progress.best, run.progress.best_step) == (0.5, 4)  # the look at the end is not remembered


def test_the_time_left_knows_the_budget(tmp_path: Path) -> None:
    run = fit(Toy(), replace(SETTINGS, hours=1e-12), tmp_path)
    run.progress.step, run.progress.cpu_seconds = 4, 36.0
    run._settings = replace(SETTINGS, steps=1000, hours=0.02)  # 72 s: half of it gone
    assert run.last_step() == 8
    run._settings = replace(SETTINGS, steps=6, hours=0.02)
    assert run.last_step() == 6


def test_progress_is_reported_step_by_step(tmp_path: Path) -> None:
    said: list[tuple[str, int, int]] = []
    fit(Toy(), SETTINGS, tmp_path, report=lambda *words: said.append(words))
    assert [words for words in said if words[0] == "training"] == [("training", step, 12) for step in range(1, 13)]
    assert [step for what, step, _ in said if what == "measuring"] == [4, 8, 12]


# --- what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"nothing of the kind" * 9, None])
def test_a_damaged_checkpoint_is_named(tmp_path: Path, content: bytes | None) -> None:
    fit(Toy(), SETTINGS, tmp_path)
    file = tmp_path / checkpoint.CHECKPOINT
    file.write_bytes(file.read_bytes()[:-9] if content is None else content)
    with pytest.raises(BadInput, match=r"checkpoint\.safetensors is damaged .* remove it to begin anew"):
        train(Toy(), SETTINGS, tmp_path)


def test_a_checkpoint_of_an_earlier_version_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"a pickle")
    with pytest.raises(WrongVersion, match="earlier version"):
        train(Toy(), SETTINGS, tmp_path)


@pytest.mark.parametrize(
    ("toy", "settings", "said"),
    [
        (Toy(), replace(SETTINGS, steps=24), r"begun with steps 12;.*--out FOLDER"),
        (Toy(), replace(SETTINGS, seed=2, batch=2), "begun with batch 4, seed 13"),
        (Toy(), replace(SETTINGS, precision=NumberFormat.BFLOAT16), "begun with precision float32"),
        (Toy(new_items(2)), SETTINGS, "begun on other files or from another base"),
    ],
)
def test_a_run_goes_on_only_with_what_it_was_begun_with(tmp_path: Path, toy: Toy, settings: Any, said: str) -> None:
    train(Toy(), SETTINGS, tmp_path)
    with pytest.raises(UserError, match=said):
        train(toy, settings, tmp_path)


def test_a_checkpoint_from_before_precision_was_a_choice_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = TrainingSettings.fixed

    def told(settings: TrainingSettings) -> dict[str, Any]:
        return {name: value for name, value in fixed(settings).items() if name != "precision"}

    with monkeypatch.context() as earlier:
        earlier.setattr(TrainingSettings, "fixed", told)
        train(Toy(), SETTINGS, tmp_path)
    assert train(Toy(), SETTINGS, tmp_path)["steps"] == SETTINGS.steps


def test_a_full_disk_is_said_and_the_checkpoint_before_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, list[Any]]
) -> None:
    import safetensors.torch
    from safetensors import SafetensorError

    write, writes = safetensors.torch.save_file, iter(range(99))

    def full(*arguments: Any) -> None:
        if next(writes) == 1:
            raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")
        write(*arguments)

    monkeypatch.setattr(safetensors.torch, "save_file", full)
    with pytest.raises(StorageFull, match="the disk is full"):
        train(Toy(), SETTINGS, tmp_path / "run")
    again = Toy()
    assert weights_of(fit(again, SETTINGS, tmp_path / "run").model) == whole
    assert again.steps < SETTINGS.steps


def test_a_second_process_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with (
        hold_lock(tmp_path / ".lock"),
        pytest.raises(RunBusy, match=r"another process is training into .*--out FOLDER"),
    ):
        train(Toy(), SETTINGS, tmp_path)


def test_a_loss_that_is_no_number_ends_the_run_before_it_harms_the_weights(tmp_path: Path) -> None:
    with pytest.raises(LossFailed, match=r"the loss of step 1 is nan; .*--rate"):
        train(Toy([(0.0, 0.0, 0.0, 0.0, float("nan"))]), SETTINGS, tmp_path)
    assert not (tmp_path / checkpoint.CHECKPOINT).exists()


# --- what it leaves -------------------------------------------------------------------------------


def test_figures_say_how_the_run_ended(tmp_path: Path) -> None:
    figures = train(Toy(), SETTINGS, tmp_path)
    assert figures == json.loads((tmp_path / "figures.json").read_text())
    assert (figures["weights"], figures["steps"], figures["ended"]) == (49, 12, "all steps taken")


def test_dev_is_gone_through_once_for_each_measurement(tmp_path: Path) -> None:
    toy = Toy(qualities=lambda number: [0.5, 0.9, 0.7][number - 1])
    assert train(toy, SETTINGS, tmp_path)["quality"] == 0.9
    assert toy.measurements == 3
    again = Toy()
    assert train(again, SETTINGS, tmp_path)["quality"] == 0.9
    assert again.measurements == 0


def logged(out: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, (out / "log.jsonl").read_text().splitlines())


def test_the_log_has_settings_losses_and_dev_figures(tmp_path: Path) -> None:
    fit(Toy(qualities=lambda number: number / 10), SETTINGS, tmp_path)
    first, *rest = logged(tmp_path)
    assert first["settings"]["steps"] == 12
    losses = [record for record in rest if "loss" in record]
    assert [record["step"] for record in losses] == [2, 4, 6, 8, 10, 12]
    assert [record["pairs"] for record in losses] == [8, 16, 24, 32, 40, 48]
    assert [(record["step"], record["quality"]) for record in rest if "quality" in record] == [
        (4, 0.1), (8, 0.2), (12, 0.3),
    ]  # fmt: skip


def test_a_line_that_a_killed_run_left_half_written_is_cut_off(tmp_path: Path) -> None:
    fit(Toy(), SETTINGS, tmp_path)
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"step": 13, "lo')
    fit(Toy(), SETTINGS, tmp_path)
    assert all("step" in record or "settings" in record for record in logged(tmp_path))


def test_the_toy_learns(tmp_path: Path) -> None:
    fit(Toy(), replace(SETTINGS, steps=200), tmp_path)
    losses = [record["loss"] for record in logged(tmp_path) if "loss" in record]
    assert losses[-1] < losses[0] / 3


# --- batches and rates ----------------------------------------------------------------------------


def test_a_pass_takes_every_item_once_and_batches_follow_from_the_seed() -> None:
    toy, settings = Toy(), replace(SETTINGS, steps=5)
    batches = list(iter_batches(toy, settings))
    assert sorted(item for batch in batches for item in batch) == sorted(toy.items)
    assert batches == list(iter_batches(toy, settings))
    assert batches != list(iter_batches(toy, replace(settings, seed=14)))


def test_a_batch_holds_items_of_like_length() -> None:
    toy = Toy()
    batches = list(iter_batches(toy, replace(SETTINGS, steps=5)))
    spans = sorted((min(map(toy.length, batch)), max(map(toy.length, batch))) for batch in batches)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_the_rate_rises_to_its_height_and_falls_to_nothing() -> None:
    settings = replace(SETTINGS, steps=100, warmup_share=0.1)
    shares = [rate_share(settings, step) for step in range(101)]
    assert shares[0] == pytest.approx(0.1)
    assert max(shares) == shares[10] == 1.0
    assert shares == [*sorted(shares[:10]), *sorted(shares[10:], reverse=True)]
    assert shares[100] == 0.0
