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
from expound.study.forms.masking import MASK, PAIRINGS, MaskedComment, masked_comments, pair_answers
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
_LEAST = 2  # comments: an interval over one says nothing
_SYSTEM = (
    "A comment compares two answers to a question. Some mentions of the answers are hidden. Say which answer, A or B, "
    "stands at the mark [?]. Reply with one letter."
)


@dataclass(frozen=True)
class MaskedScores:
    """Token exact match by pairing, with an interval over comments; `of` comments were asked for.

    `too_long` are those that have no room in the model's context and count in no pairing.
    """

    model: str
    comments: int
    of: int
    too_long: int
    masks: int
    exact_match: dict[str, Figure]

    @property
    def is_cut(self) -> bool:
        """Whether the time was up before the last comment."""
        return self.comments + self.too_long < self.of

    @property
    def columns(self) -> list[str]:
        return ["model", "comments", *PAIRINGS]

    @property
    def rows(self) -> list[list[str]]:
        own = [f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" for one in self.exact_match.values()]
        paper = ([f"{name} (paper)", "259", *(f"{one:.2f}" for one in row)] for name, row in PUBLISHED.items())
        return [[self.model, str(self.comments), *own], *paper]


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
    return MaskedScores(
        model=model.name,
        comments=len(done),
        of=len(drawn),
        too_long=len(found) - len(done),
        masks=sum(one[0].masks for one in done),
        exact_match={
            pairing: _figure([one[place] for one in done], seed=seed) for place, pairing in enumerate(PAIRINGS)
        },
    )


@dataclass(frozen=True)
class _Filled:
    """The masks of a comment in one pairing, and how many were filled as they were written."""

    right: int
    masks: int


def _fill_comments(
    model: TextModel, paired: Sequence[Sequence[MaskedComment]], until: float, report: Report
) -> Iterator[list[_Filled] | None]:
    """Every comment in its pairings, until the time is up; None for one that is too long."""
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
            filled.append(_count(model, one, row))
        done += 1
        yield filled


def _count(model: TextModel, one: MaskedComment, prompts: Sequence[Prompt]) -> _Filled:
    letters = [_letter(weights) for weights in model.weigh(prompts, _OPTIONS)]
    return _Filled(sum(a == b for a, b in zip(letters, one.targets, strict=True)), len(letters))


def _figure(filled: Sequence[_Filled], *, seed: int) -> Figure:
    import numpy as np

    return pooled_figure(np.array([[one.right, one.masks] for one in filled], dtype=float), ratio, seed=seed)


def _letter(weights: Sequence[float]) -> str:
    """The likelier letter; a model that has no opinion has not filled the mask."""
    a, b = weights
    return "" if a == b else _OPTIONS[b > a]


def _prompt(one: MaskedComment, place: int) -> Prompt:
    """The whole comment with the mask in question marked; the others stay hidden."""
    text = one.masked
    for number in range(len(one.targets)):
        text = text.replace(MASK.format(number), "[?]" if number == place else "…")
    parts = (f"Question: {quote(one.question)}", f"Answer A: {quote(one.a)}", f"Answer B: {quote(one.b)}",
             f"Comment: {quote(text)}", "Which answer stands at [?]: A or B?")  # fmt: skip
    return Prompt("\n".join(parts), _SYSTEM, max_tokens=1)
