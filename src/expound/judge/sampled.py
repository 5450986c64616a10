"""How often a judge is asked, and how its words are drawn: what makes no sense is refused with the spec."""

from __future__ import annotations

from expound.errors import UserError
from expound.judge.judge_shape import AnyJudge

# A hundred replies a pair tell its share to ten points; nobody pays for more.
_MOST_SAMPLES = 100


def check_sampling(judge: AnyJudge) -> None:
    """Refuse numbers that no text model could be asked with."""
    if not 1 <= judge.samples <= _MOST_SAMPLES:
        raise UserError(f"samples={judge.samples}: a judge is asked 1 to {_MOST_SAMPLES} times")
    if not 0 <= judge.temperature <= 2:
        raise UserError(f"temperature={judge.temperature}: it lies between 0 and 2")
    if not 0 < judge.top_p <= 1:
        raise UserError(f"top_p={judge.top_p}: it lies above 0, and 1 at most")
    if judge.samples > 1 and not judge.temperature:
        raise UserError(f"samples={judge.samples} at temperature 0 are the same reply; give a temperature")
