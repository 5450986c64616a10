"""Whether a text model understands justifications (Xu et al. 2023, 3.3.1): it fills every mask with A or B."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from expound.errors import UserError
from expound.prompts import quote
from expound.protocols import TextModel
from expound.stats.proportions import Figure, pooled_figure, ratio
from expound.study.engine.opened import Study
from expound.study.engine.sent_answers import latest_answers
from expound.study.forms.masking import PAIRINGS, MaskedComment, masked_comments, pair_answers
from expound.types import Prompt

Report: TypeAlias = Callable[[str, float, float], None]
"""Hears how far the work is: what is being done, how much of it, of how much."""

# Table 3, expert justifications, 259 comments; the models fill masks by their training, without being told how.
PUBLISHED = {
    "T5-base": (0.36, 0.37, 0.33),
    "T5-large": (0.51, 0.44, 0.41),
    "T5-3B": (0.66, 0.36, 0.48),
    "T5-11B": (0.76, 0.28, 0.47),
}
_OPTIONS = ("A", "B")
_EVEN = 0.5  # of the weight of two letters
_LEAST = 2  # comments: an interval over one says nothing
_SYSTEM = (
    "A comment compares two answers to a question. Every mention of an answer in it is a gap with a number. Say which "
    "answer, A or B, stands in the gap that you are asked about. Reply with one letter."
)


@dataclass(frozen=True)
class MaskedScores:
    """Token exact match by pairing, with an interval over comments; `of` comments were asked for.

    `too_long` are those that have no room in the model's context and count in no pairing. A small model may like a
    letter better than the other whatever it reads: `above_own_mean` says A only where A's share of both letters is
    above `mean_share_of_a`, the mean over all masks and pairings. No target is needed for that.
    """

    model: str
    comments: int
    of: int
    too_long: int
    masks: int
    exact_match: dict[str, Figure]
    above_own_mean: dict[str, Figure]
    mean_share_of_a: float

    @property
    def is_cut(self) -> bool:
        """Whether the time was up before the last comment."""
        return self.comments + self.too_long < self.of

    @property
    def columns(self) -> list[str]:
        return ["model", "comments", *PAIRINGS]

    @property
    def rows(self) -> list[list[str]]:
        own = [self.model, str(self.comments), *map(_show, self.exact_match.values())]
        beyond = [f"{self.model}, by its own mean", str(self.comments), *map(_show, self.above_own_mean.values())]
        paper = ([f"{name} (paper)", "259", *(f"{one:.2f}" for one in row)] for name, row in PUBLISHED.items())
        return [own, beyond, *paper]


def masked_test(
    study: Study, model: TextModel, *, limit: int = 0, seed: int = 0, seconds: float = 0, report: Report | None = None
) -> MaskedScores:
    """Fill the masks of a study's justifications in all three pairings.

    Comment by comment in a random order, so that whatever is done when the `seconds` are up is a sample of all.
    """
    if study.form.name != "expert-preference":
        raise UserError(f"masks are in the justifications of expert-preference; this is a study of {study.form.name}")
    comments = masked_comments(list(latest_answers(study)))
    if len(comments) < _LEAST:
        raise UserError("the test needs two justifications or more that mention an answer")
    # Of all comments, not of the drawn ones: a longer run then asks what a shorter one asked, and more.
    paired = list(zip(*(pair_answers(comments, pairing, seed=seed) for pairing in PAIRINGS), strict=True))
    drawn = random.Random(seed).sample(paired, len(paired))[: max(limit, _LEAST) if limit else None]
    until = time.monotonic() + seconds if seconds else math.inf
    found = list(_fill_comments(model, drawn, until, report or (lambda *_: None)))
    done = [one for one in found if one is not None]
    if len(done) < _LEAST:
        raise UserError(f"{model.name} has no room for these justifications; take a model with a longer context")
    mean = _mean_share(done)
    return MaskedScores(
        model=model.name,
        comments=len(done),
        of=len(drawn),
        too_long=len(found) - len(done),
        masks=sum(len(one[0].targets) for one in done),
        exact_match=_figures(done, _EVEN, seed=seed),
        above_own_mean=_figures(done, mean, seed=seed),
        mean_share_of_a=mean,
    )


@dataclass(frozen=True)
class _Filled:
    """The masks of a comment in one pairing: what was written, and A's share of the weight of both letters."""

    targets: tuple[str, ...]
    shares: tuple[float | None, ...]
    """None where the model gives no weight to either letter."""

    def count_right(self, threshold: float) -> int:
        """Masks that are filled as they were written; one whose share is the threshold is not filled."""
        said = (_letter(share, threshold) for share in self.shares)
        return sum(letter == target for letter, target in zip(said, self.targets, strict=True))


def _fill_comments(
    model: TextModel, paired: Sequence[Sequence[MaskedComment]], until: float, report: Report
) -> Iterator[list[_Filled] | None]:
    """Every comment in its pairings, until the time is up; None for one that is too long.

    Local models keep the beginning that a prompt shares with the last one: only the number of the gap differs within a
    pairing, and the answers that a comment gets at random are those of the comment that follows it here.
    """
    done = 0
    for number, pairings in enumerate(paired):
        report("filling masks", number, len(paired))
        prompts = [[_prompt(one, place) for place in range(len(one.targets))] for one in pairings]
        if not all(model.fits(prompt) for row in prompts for prompt in row):
            yield None
            continue
        filled = []
        for one, row in zip(pairings, prompts, strict=True):
            # Within a comment too, for it may take minutes; what was asked of it is kept for the next time.
            if done >= _LEAST and time.monotonic() > until:
                return
            filled.append(_Filled(one.targets, tuple(map(_share, model.weigh(row, _OPTIONS)))))
        done += 1
        yield filled


def _share(weights: Sequence[float]) -> float | None:
    a, b = weights
    return a / (a + b) if a + b else None


def _letter(share: float | None, threshold: float) -> str:
    # Close to it is at it: the mean of equal shares may be off by a bit.
    return "" if share is None or math.isclose(share, threshold) else _OPTIONS[share < threshold]


def _mean_share(done: Sequence[Sequence[_Filled]]) -> float:
    shares = [share for pairings in done for one in pairings for share in one.shares if share is not None]
    return sum(shares) / len(shares) if shares else _EVEN


def _figures(done: Sequence[Sequence[_Filled]], threshold: float, *, seed: int) -> dict[str, Figure]:
    import numpy as np

    found = {}
    for place, pairing in enumerate(PAIRINGS):
        counts = [[one[place].count_right(threshold), len(one[place].targets)] for one in done]
        found[pairing] = pooled_figure(np.array(counts, dtype=float), ratio, seed=seed)
    return found


def _show(figure: Figure) -> str:
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def _prompt(one: MaskedComment, place: int) -> Prompt:
    """The whole comment, as people see it in masked-justification, and one of its gaps at the very end."""
    parts = (f"Question: {quote(one.question)}", f"Answer A: {quote(one.a)}", f"Answer B: {quote(one.b)}",
             f"Comment: {quote(one.gaps)}", f"Which answer stands in [gap {place + 1}]: A or B?")  # fmt: skip
    return Prompt("\n".join(parts), _SYSTEM, max_tokens=1)
