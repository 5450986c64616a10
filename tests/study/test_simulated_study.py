"""A study whose outcome is known: forty raters with preferences, lazy ones and a biased one among them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp

import numpy as np
import pytest

from expound.agreement.preference import pairs
from expound.study import ForeignAnswer, ItemSources, analyze_study, judgments_of, make_study, open_study, take_in
from expound.study.engine.opened import Study
from expound.types import Judgment

SYSTEMS = {"strong": 0.8, "middle": 0.2, "weak": -1.0}
"""What is put in: strengths, with mean 0."""

RATERS, LAZY, BIASED = 40, range(36, 39), 39
"""Of forty raters three press whatever lies under the finger, and one is for the left side in nine of ten items."""


@dataclass(frozen=True)
class Simulated:
    """A rater who chooses by the strengths of two systems and by how much better one answer happens to be."""

    number: int
    draw: random.Random

    def side(self, left: str, right: str, luck: float) -> str:
        """The side that is chosen; `luck` is how much better the left answer of this item is than its system."""
        if self.number in LAZY:
            return self.draw.choice(("left", "right"))
        if self.number == BIASED and self.draw.random() < 0.9:
            return "left"
        ahead = SYSTEMS[left] - SYSTEMS[right] + luck
        return "left" if self.draw.random() < 1 / (1 + exp(-ahead)) else "right"


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """300 pairs of three systems; every rater judges a fifth of them, so each item has eight raters."""
    folder = tmp_path_factory.mktemp("simulated")
    names, draw = list(SYSTEMS), random.Random(11)
    lines = []
    for number in range(300):
        a, b = ((0, 1), (0, 2), (1, 2))[number % 3]
        texts = [{"system": names[place], "text": f"Answer {place} to {number}."} for place in (a, b)]
        lines.append(json.dumps({"id": f"i{number}", "question": f"What is {number}?", "candidates": texts}))
    (folder / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    make_study(folder / "study.toml", "eli5-preference", ItemSources(items=folder / "items.jsonl"), overlap=8, seed=3)
    study = open_study(folder / "study.toml")
    take_in(study, answers_of(study, draw))
    return study


def answers_of(study: Study, draw: random.Random) -> Iterator[ForeignAnswer]:
    luck = {placed.number: draw.gauss(0, 0.5) for placed in study.items.values()}
    people = [Simulated(number, random.Random(100 + number)) for number in range(RATERS)]
    for one in people:
        for placed in study.items.values():
            if placed.number % 5 == one.number % 5:
                first, second = (candidate.system for candidate in placed.item.candidates)
                left, right = (first, second) if placed.shown == "ab" else (second, first)
                of_left = luck[placed.number] * (1 if placed.shown == "ab" else -1)
                sent = {"overall": [one.side(left, right, of_left)]}
                yield ForeignAnswer(
                    rater=f"rater {one.number}", item=placed.item.id, sent=sent, seconds=9, where="here"
                )


def test_the_analysis_finds_the_order_and_the_differences_that_were_put_in(simulated: Study) -> None:
    (found,) = analyze_study(simulated, systems=list(SYSTEMS), samples=300).overall.choices
    assert found.judgments == 300 * 8
    shares = {(pair.a, pair.b): pair for pair in found.pairs}
    for pair in shares.values():
        assert pair.p_holm < 0.05
        assert pair.share.low > 0.5
    # The largest difference that was put in is the largest that is found.
    assert max(shares, key=lambda names: shares[names].share.value) == ("strong", "weak")
    assert found.strengths is not None
    values = [found.strengths.figures[name] for name in SYSTEMS]
    assert [one.value for one in values] == sorted((one.value for one in values), reverse=True)
    # Lazy raters pull everything towards half and half, so strengths come out a little small, not large.
    for name, one in zip(SYSTEMS, values, strict=True):
        assert abs(one.value) < abs(SYSTEMS[name]) + 0.15
        assert one.value == pytest.approx(SYSTEMS[name], abs=0.35)


def test_lazy_raters_and_the_biased_one_stand_out(simulated: Study) -> None:
    (found,) = analyze_study(simulated, samples=20).overall.choices
    number = {f"r{place + 1:02d}": place for place in range(RATERS)}
    worst = sorted(found.raters, key=lambda one: one.agreement.value)[:6]
    poor = {number[one.rater] for one in worst}
    assert len(poor & {*LAZY, BIASED}) >= 3
    left = left_share(simulated, f"r{BIASED + 1:02d}")
    assert left > 0.85
    assert max(left_share(simulated, f"r{place + 1:02d}") for place in range(RATERS - 1)) < 0.75
    assert found.sides.left.value == pytest.approx(0.5, abs=0.05)  # one of forty does not tip the study


def left_share(study: Study, rater: str) -> float:
    said = [one for one in judgments_of(study) if one.rater == rater]
    return sum(one.choice == one.shown[0] for one in said) / len(said)


def simulate(draw: np.random.Generator, *, items: int, overlap: int) -> list[Judgment]:
    """One pair of systems, judged by the same forty: items differ in how good their answers are."""
    chance = 1 / (1 + np.exp(-(0.4 + draw.normal(0, 0.8, items))))
    found = []
    for item in range(items):
        for rater in draw.choice(RATERS, overlap, replace=False):
            shown = "ab" if draw.random() < 0.5 else "ba"
            wins = draw.random() < (0.5 if rater in LAZY else chance[item])
            if rater == BIASED and draw.random() < 0.9:
                wins = shown == "ab"
            found.append(
                Judgment("s", "f", f"i{item}", f"i{item}", f"r{rater}", "overall", a="x", b="y",
                         choice="a" if wins else "b", shown=shown)
            )  # fmt: skip
    return found


def true_share() -> float:
    """What that puts in, over all items there could be: a fine sum over the normal distribution, and who is drawn."""
    grid = np.linspace(-8, 8, 20_001)
    weights = np.exp(-(grid**2) / 2)
    chance = float((weights / (1 + np.exp(-(0.4 + 0.8 * grid)))).sum() / weights.sum())
    lazy, biased = 0.5, 0.9 * 0.5 + 0.1 * chance
    return ((RATERS - len(LAZY) - 1) * chance + len(LAZY) * lazy + biased) / RATERS


def test_intervals_hold_what_was_put_in_as_often_as_they_say() -> None:
    """Coverage of the 95 % interval of a share over 1,000 simulated studies of 60 items with 4 raters each."""
    draw, wanted = np.random.default_rng(2026), true_share()
    held = 0
    for number in range(1000):
        (pair,) = pairs(simulate(draw, items=60, overlap=4), seed=number, samples=400)
        held += pair.share.low <= wanted <= pair.share.high
    assert 930 <= held <= 970
