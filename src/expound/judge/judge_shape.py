"""What a judge is: how often and by what it is asked, in which words, and what its replies say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from expound.judge.judge_items import JudgeItem
from expound.models.engine import Sampling
from expound.models.ledger import Forecast
from expound.protocols import TextModel
from expound.types import Prompt

FIRST, SECOND, TIE = "first", "second", "tie"

Said: TypeAlias = str | tuple[bool, ...] | None
"""Which of two answers as they were shown, or a tick for each reading of a single one; None: it cannot be read."""


@runtime_checkable
class DrawnModel(Protocol):
    """A text model that can be asked with other dice, and that says beforehand what asking takes."""

    def drawn_by(self, sampling: Sampling) -> TextModel: ...

    def forecast(self, prompts: Sequence[Prompt]) -> Forecast: ...


class AnyJudge(Protocol):
    """A plug-in of the group `expound.judge`; its `repr` is its spec.

    It is asked `samples` times, drawn at `temperature` and `top_p`; with `swap` in both orders of the answers. It is
    shown so many `examples` of what people chose. An item comes with its sides as they are to be shown.
    """

    @property
    def samples(self) -> int: ...
    @property
    def temperature(self) -> float: ...
    @property
    def top_p(self) -> float: ...
    @property
    def swap(self) -> bool: ...
    @property
    def examples(self) -> int: ...
    @property
    def criteria(self) -> tuple[str, ...]: ...

    def rates_alone(self, criterion: str) -> bool:
        """Whether single answers are rated by a criterion, and not two compared."""
        ...

    def prompt(self, item: JudgeItem, criterion: str, examples: Sequence[JudgeItem]) -> Prompt:
        """What the text model is asked."""
        ...

    def read(self, reply: str, item: JudgeItem, criterion: str) -> Said:
        """What a reply says; nothing is guessed."""
        ...
