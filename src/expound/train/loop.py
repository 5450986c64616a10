"""The one training loop: batches by length, a schedule, checkpoints that resume to the same weights, an early end."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic

from expound.errors import ExpoundError, RunBusy
from expound.files import hold_lock, write_whole
from expound.train.bases import freeze_lowest
from expound.train.batches import iter_batches
from expound.train.checkpoint import (
    Progress,
    clear_storage_errors,
    load_best,
    load_checkpoint,
    save_best,
    save_checkpoint,
)
from expound.train.curve import draw_curve
from expound.train.description import Description, Item, Loss, Report
from expound.train.log import Log
from expound.train.optimizer import new_optimizer, set_rates
from expound.train.team import HeldTogether, Team
from expound.train.torch_extra import computing_in, quieten, require_extra
from expound.train.training_settings import TrainingSettings

LOG, FIGURES, CURVE = "log.jsonl", "figures.json", "curve.svg"
_SECONDS = 3600  # in an hour


class LossFailed(ExpoundError):
    """The loss is no number any more; training on would only spoil the weights."""


def train(
    description: Description[Item], settings: TrainingSettings, out: Path, *, report: Report | None = None
) -> dict[str, Any]:
    """Train, or go on training, then export; the figures, which also stand in `figures.json`."""
    # Before any folder is made.
    require_extra()
    quieten()
    team = Team()
    busy = RunBusy(f"another process is training into {out}; wait for it, or train into another folder: --out FOLDER")
    # One lock for a whole team.
    lock = hold_lock(out / ".lock", busy=busy) if team.is_first else nullcontext()
    with lock, clear_storage_errors(out):
        run = fit(description, settings, out, report=report, team=team)
        figures = _write_out(description, run, out) if team.is_first else run.outcome()
    # What the first one has written is there for all: co-training asks the model next.
    team.wait()
    return figures


def fit(
    description: Description[Item],
    settings: TrainingSettings,
    out: Path,
    *,
    report: Report | None = None,
    team: Team | None = None,
) -> TrainingRun[Item]:
    """The loop by itself, from the last checkpoint in `out` or from the base, with the weights to keep in the model."""
    report = report or _silent
    run = TrainingRun(description, settings, out, report=report, team=team or Team())
    for step, batch in enumerate(iter_batches(description, settings)):
        if step < run.progress.step:
            # Batches follow from the seed alone: the steps that were taken are gone through, not remembered.
            continue  # an earlier call took it
        if run.why_over():
            break
        run.take_step(batch)
        report("training", run.progress.step, run.last_step())
    run.keep_best()
    return run


def _write_out(description: Description[Item], run: TrainingRun[Item], out: Path) -> dict[str, Any]:
    """The model as the product loads it, its figures, and the curve where it can be drawn."""
    figures = {**description.export(run.model, out, run.figures), **run.outcome()}
    with write_whole(out / FIGURES) as file:
        json.dump(figures, file, indent=2)
    # A picture is a service, no reason to fail after hours of training.
    if importlib.util.find_spec("matplotlib"):
        draw_curve(out / LOG, out / CURVE, figure=description.best_by)
    return figures


class TrainingRun(Generic[Item]):
    """A model in training: the weights, the optimiser and how far they are."""

    def __init__(
        self, description: Description[Item], settings: TrainingSettings, out: Path, *, report: Report, team: Team
    ) -> None:
        import torch

        torch.set_num_threads(settings.threads)
        # Before the model is made: a new head is random.
        torch.manual_seed(settings.seed)
        out.mkdir(parents=True, exist_ok=True)
        team.check_folder(out)
        self._description, self._settings, self._out, self._report = description, settings, out, report
        self._team = team
        # What must be the same for the weights to be the same.
        self._begun_with = {"kind": description.name, "identity": description.identity(), **settings.fixed()}
        self.model = description.new_model()
        freeze_lowest(self.model, settings.frozen)
        self._optimizer = new_optimizer(self.model, settings, head=description.head)
        self.progress = load_checkpoint(out, self.model, self._optimizer, begun_with=self._begun_with)
        # Before the first of a team writes another one.
        team.wait()
        log = out / LOG if team.is_first else Path(os.devnull)
        self._log = Log(log, asdict(settings), every=settings.log_every)
        self._clock = _Clock(self.progress)
        self.kept_step, self.figures = self.progress.step, dict[str, float]()

    def take_step(self, batch: list[Item]) -> None:
        """One update of the weights, and what is due after it."""
        loss, pairs = self._update(batch)
        done = self.progress.step = self.progress.step + 1
        # After the step, so that the checkpoint below has it.
        self.progress.cpu_seconds = self._team.agree(self._clock.cpu_seconds())
        self._log.count(loss, pairs, step=done)
        is_last = done == self._settings.steps
        is_measured = done % self._settings.measure_every == 0 or is_last
        if is_measured:
            self._measure()
        # Also when the run is over: whoever goes on with more hours goes on from here.
        is_due = is_measured or done % self._settings.checkpoint_every == 0 or bool(self.why_over())
        if is_due and self._team.is_first:
            save_checkpoint(self._out, self.model, self._optimizer, self.progress, begun_with=self._begun_with)

    def why_over(self) -> str:
        """Why no further step is taken; empty if one is."""
        settings, progress = self._settings, self.progress
        if progress.step >= settings.steps:
            return "all steps taken"
        if settings.patience and progress.not_better >= settings.patience:
            return "no better on dev"
        return "out of hours" if settings.hours and progress.cpu_seconds >= settings.hours * _SECONDS else ""

    def last_step(self) -> int:
        """The step that the run will reach: the hours may not be enough for all."""
        settings, progress = self._settings, self.progress
        if not settings.hours:
            return settings.steps
        # As far as the pace so far reaches.
        within = settings.hours * _SECONDS / max(progress.cpu_seconds, 1e-9)
        return min(settings.steps, max(progress.step, math.ceil(progress.step * within)))

    def keep_best(self) -> None:
        """Take the weights that did best on dev, and their figures; without dev the last weights stay."""
        self.model.eval()
        self._team.wait()
        progress = self.progress
        now = self._figures_now()
        # The last measurement may lie before the end of the hours.
        if progress.best_step and not self._is_better(now):
            load_best(self._out, self.model)
            self.kept_step, self.figures = progress.best_step, progress.figures
        else:
            self.kept_step, self.figures = progress.step, now

    def outcome(self) -> dict[str, Any]:
        """How the run ended."""
        progress = self.progress
        return {
            "steps": progress.step,
            "kept_step": self.kept_step,
            "ended": self.why_over(),
            "cpu_seconds": round(progress.cpu_seconds, 1),
        }

    def _update(self, batch: list[Item]) -> tuple[float, int]:
        import torch

        step, settings = self.progress.step, self._settings
        # Seeded at every step: a resumed run then drops out the same cells as one that was never stopped.
        torch.manual_seed(settings.seed * 1_000_003 + step)
        set_rates(self._optimizer, settings, step)
        self.model.train()
        with computing_in(settings.precision):
            loss, part = self._loss(batch)
        value = float(loss.value.item())
        # A weight that is no number spoils all others at the next step.
        if not math.isfinite(value):
            raise LossFailed(f"the loss of step {step + 1} is {value}; try a lower rate in another folder: --rate")
        self._optimizer.zero_grad(set_to_none=True)
        loss.value.backward()
        self._team.add_gradients(self.model, part=part)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.largest_gradient)
        self._optimizer.step()
        return value, loss.pairs

    def _loss(self, batch: list[Item]) -> tuple[Loss, float]:
        """The loss of this process's share, and which part of the step it decides."""
        description, team = self._description, self._team
        if team.is_several and isinstance(description, HeldTogether):
            return description.loss_together(self.model, batch, team), 1.0
        share = team.share(batch)
        loss = description.loss(self.model, share)
        return loss, team.part_of(batch, len(share) if loss.counted is None else loss.counted)

    def _measure(self) -> None:
        self._report("measuring", self.progress.step, self.last_step())
        self.model.eval()
        figures = self._description.measure(self.model)
        if not figures:
            return
        progress = self.progress
        if self._is_better(figures):
            progress.best, progress.figures = figures[self._description.best_by], figures
            progress.best_step, progress.not_better = progress.step, 0
            # At once: a kill after this must still find the best weights.
            if self._team.is_first:
                save_best(self._out, self.model)
        else:
            progress.not_better += 1
        self._log.write({"step": progress.step, **figures})

    def _is_better(self, figures: Mapping[str, float]) -> bool:
        return figures.get(self._description.best_by, -math.inf) > self.progress.best

    def _figures_now(self) -> dict[str, float]:
        """What dev says where the hours ended, which may be past the last measurement; else nothing new.

        It is not remembered: with more hours the run goes on as if it had never been stopped.
        """
        return self._description.measure(self.model) if self.why_over() == "out of hours" else {}


@dataclass
class _Clock:
    """CPU time of all calls of a run together: a busy machine does not shorten the budget."""

    progress: Progress

    def __post_init__(self) -> None:
        self._before, self._start = self.progress.cpu_seconds, time.process_time()

    def cpu_seconds(self) -> float:
        """What the run has taken so far."""
        return self._before + time.process_time() - self._start


def _silent(_happening: str, _done: int, _total: int) -> None:
    """Progress for callers who want none."""
