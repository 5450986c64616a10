"""Asking a judge: every trial as often as it wants, and what its replies come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from expound.judge.judge_items import JudgeItem, examples_for
from expound.judge.judge_shape import FIRST, SECOND, TIE, AnyJudge, DrawnModel, Said
from expound.models.engine import Sampling
from expound.models.ledger import Forecast
from expound.protocols import TextModel
from expound.score.counts import Report
from expound.types import Prompt

TOO_LONG = "not asked: the prompt has no room in the model's context"
# Trials of which all first samples are asked, then all second ones: a local model reads a prompt anew that it was asked
# just before, and keeps the beginning that different prompts share. A round figure, between that and a smooth bar.
_TOGETHER = 16

Value: TypeAlias = str | tuple[bool, ...] | None
"""What a trial comes to: `a`, `b`, `tie`, or ticks; None where no reply can be read, or ticks differ."""


@dataclass(frozen=True)
class Hearing:
    """Something a judge is asked: an item as it is, by one criterion, its sides shown in one order.

    `probe` says what was done to the answers before; nothing, where they are judged for their own sake.
    """

    item: JudgeItem
    criterion: str
    shown: str = "ab"
    probe: str = ""


@dataclass(frozen=True)
class Heard:
    """A trial with all replies to it, and what each of them says."""

    trial: Hearing
    replies: tuple[str, ...]
    said: tuple[Said, ...]

    @cached_property
    def values(self) -> list[Value]:
        """What the replies say of the item's own sides, whichever was shown first."""
        sides = {FIRST: self.trial.shown[0], SECOND: self.trial.shown[1], TIE: "tie"}
        return [sides[said] if isinstance(said, str) else said for said in self.said]

    @cached_property
    def value(self) -> Value:
        """What most of the readable replies say; a tie where as many choose the one as the other."""
        # The two most frequent are enough to see a draw: the third of `a`, `b` and `tie` cannot change it.
        ranked = Counter(value for value in self.values if value is not None).most_common(2)
        if not ranked:
            return None
        if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
            # Ticks have no middle: of readings that one sample saw and another did not, nothing can be said.
            return "tie" if isinstance(ranked[0][0], str) else None
        return ranked[0][0]

    @property
    def unread(self) -> int:
        """Replies that cannot be read."""
        return sum(said is None for said in self.said)


@dataclass(frozen=True)
class Courtroom:
    """A judge with the model it asks, and the pairs whose choices it may be shown as examples."""

    judge: AnyJudge
    model: TextModel
    pool: tuple[JudgeItem, ...] = ()

    def hear(self, trials: Sequence[Hearing], *, doing: str, report: Report | None = None) -> list[Heard]:
        """The trials with their replies, in their order."""
        heard: list[Heard] = []
        for start in range(0, len(trials), _TOGETHER):
            heard += self._hear(trials[start : start + _TOGETHER])
            if report:
                report(doing, len(heard), len(trials))
        return heard

    def forecast(self, trials: Sequence[Hearing]) -> Forecast:
        """What the trials would take at most; the model has to be one that keeps accounts."""
        prompts = [self.prompt_of(trial) for trial in trials]
        forecasts = [model.forecast(prompts) for model in self._draw_models() if isinstance(model, DrawnModel)]
        seconds, costs = [one.seconds for one in forecasts], [one.cost for one in forecasts]
        return Forecast(
            calls=sum(one.calls for one in forecasts),
            from_cache=sum(one.from_cache for one in forecasts),
            prompt_tokens=sum(one.prompt_tokens for one in forecasts),
            completion_tokens=sum(one.completion_tokens for one in forecasts),
            # Unknown for one is unknown for all: a sum without it would promise too little.
            seconds=None if None in seconds else sum(one or 0.0 for one in seconds),
            cost=None if None in costs else sum(one or 0.0 for one in costs),
        )

    def prompt_of(self, trial: Hearing) -> Prompt:
        """What is asked, with the examples that the judge wants."""
        examples = examples_for(trial.item, self.pool, self.judge.examples)
        return self.judge.prompt(trial.item.in_order(trial.shown), trial.criterion, examples)

    def _hear(self, trials: Sequence[Hearing]) -> Iterator[Heard]:
        prompts = [self.prompt_of(trial) for trial in trials]
        fits = [self.model.fits(prompt) for prompt in prompts]
        asked = [prompt for prompt, has_room in zip(prompts, fits, strict=True) if has_room]
        drawn = [iter(model.complete(asked)) for model in self._draw_models()]
        for trial, has_room in zip(trials, fits, strict=True):
            replies = tuple(next(one) for one in drawn) if has_room else ()
            shown = trial.item.in_order(trial.shown)
            said = tuple(self.judge.read(reply, shown, trial.criterion) for reply in replies)
            # What was not asked counts as what cannot be read: neither may pass for an opinion.
            yield Heard(trial, replies or (TOO_LONG,), said or (None,))

    def _draw_models(self) -> list[TextModel]:
        """The model once for each sample, each time with other dice."""
        samplings = [
            # A seed of its own for each sample, so that the cache keeps them apart; without dice all samples are one
            # and the same.
            Sampling(self.judge.temperature, self.judge.top_p, seed if self.judge.temperature else 0)
            for seed in range(self.judge.samples)
        ]
        if not isinstance(self.model, DrawnModel):
            # Asked as often all the same: a model that always says one thing agrees with itself.
            return [self.model for _ in samplings]
        return [self.model.drawn_by(sampling) for sampling in samplings]
