"""Whether a text model understands justifications (Xu et al. 2023, 3.3.1): it fills every mask with A or B."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from expound.errors import UserError
from expound.prompts import quote
from expound.protocols import TextModel
from expound.stats.proportions import Figure, pooled_figure, ratio
from expound.study.engine.opened import Study
from expound.study.engine.sent_answers import latest_answers
from expound.study.forms.masking import MASK, PAIRINGS, MaskedComment, masked_comments, pair_answers
from expound.types import Prompt

# Table 3, expert justifications, 259 comments; the models fill masks by their training, without being told how.
PUBLISHED = {
    "T5-base": (0.36, 0.37, 0.33),
    "T5-large": (0.51, 0.44, 0.41),
    "T5-3B": (0.66, 0.36, 0.48),
    "T5-11B": (0.76, 0.28, 0.47),
}
_OPTIONS = ("A", "B")
_SYSTEM = (
    "A comment compares two answers to a question. Some mentions of the answers are hidden. Say which answer, A or B, "
    "stands at the mark [?]. Reply with one letter."
)


@dataclass(frozen=True)
class MaskedScores:
    """Token exact match by pairing, with an interval over comments."""

    model: str
    comments: int
    masks: int
    exact_match: dict[str, Figure]

    @property
    def columns(self) -> list[str]:
        return ["model", *PAIRINGS]

    @property
    def rows(self) -> list[list[str]]:
        own = [f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" for one in self.exact_match.values()]
        return [[self.model, *own], *([f"{name} (paper)", *(f"{one:.2f}" for one in published)]
                                      for name, published in PUBLISHED.items())]  # fmt: skip


def masked_test(study: Study, model: TextModel, *, limit: int = 0, seed: int = 0) -> MaskedScores:
    """Fill the masks of a study's justifications in all three pairings."""
    if study.form.name != "expert-preference":
        raise UserError(f"masks are in the justifications of expert-preference; this is a study of {study.form.name}")
    comments = masked_comments(list(latest_answers(study)))
    if len(comments) < 2:
        raise UserError("the test needs two justifications or more that mention an answer")
    if limit and limit < len(comments):
        comments = random.Random(seed).sample(comments, max(limit, 2))
    found = {pairing: _scored(model, pair_answers(comments, pairing, seed=seed), seed=seed) for pairing in PAIRINGS}
    return MaskedScores(model.name, len(comments), sum(len(one.targets) for one in comments), found)


def _scored(model: TextModel, comments: Sequence[MaskedComment], *, seed: int) -> Figure:
    import numpy as np

    prompts = [_prompt(one, place) for one in comments for place in range(len(one.targets))]
    weights = iter(model.weigh(prompts, _OPTIONS))
    rows = []
    for one in comments:
        filled = [_letter(next(weights)) for _ in one.targets]
        rows.append([sum(a == b for a, b in zip(filled, one.targets, strict=True)), len(filled)])
    return pooled_figure(np.array(rows, dtype=float), ratio, seed=seed)


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
