"""The control with random passages: does anything change when a system is given passages that have no answer?"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import compress

from expound.audit.content import content_share
from expound.audit.inputs import Inputs
from expound.audit.numbers import Estimate, difference_of
from expound.audit.section import ShownTable
from expound.audit.verdict import Verdict, judge, not_run
from expound.score.comparison import compare_with
from expound.stats.holm import holm
from expound.stats.p_values import shown_p
from expound.types import Comparison

# Twice a score's usual: a verdict hangs on where the ends of this interval lie.
_SAMPLES = 2000
_PASSAGES = "retrieved passages with their texts"


def random_retrieval(inputs: Inputs) -> tuple[tuple[Verdict, ...], tuple[ShownTable, ...]]:
    """Verdicts on score and on content, and the paired test by every metric."""
    if not inputs.random:
        return (not_run("random-retrieval"), not_run("random-words")), ()
    words = judge("random-words", _content_lost(inputs)) if inputs.has_passages else not_run("random-words", _PASSAGES)
    if not inputs.has_references:
        return (not_run("random-retrieval", "references"), words), ()
    comparisons = compare_random(inputs)
    ours, theirs = inputs.quality, inputs.score(inputs.random)
    lost = difference_of(inputs.of_each(ours[inputs.primary]), inputs.of_each(theirs[inputs.primary]), seed=inputs.seed)
    return (judge("random-retrieval", lost, on=inputs.primary), words), (_table(comparisons),)


def compare_random(inputs: Inputs) -> list[Comparison]:
    """The answers with retrieved and with random passages by every metric, corrected for the number of metrics."""
    scorer = replace(inputs.scorer, samples=_SAMPLES, allow_missing=True)
    sides = {"retrieved": list(inputs.predictions.values()), "random": list(inputs.random.values())}
    found = compare_with(scorer, sides, inputs.questions)
    # Again for the metrics: `compare` corrects for pairs of systems, and here is one pair by many metrics.
    adjusted = holm([comparison.p_value for comparison in found])
    return [replace(item, p_holm=p_value) for item, p_value in zip(found, adjusted, strict=True)]


def _content_lost(inputs: Inputs) -> Estimate:
    """Content words in the retrieved passages: those of the answers minus those of the answers to random ones."""

    def shares(texts: list[str]) -> list[float]:
        rows = zip(texts, inputs.passages, inputs.questions, strict=True)
        return [content_share(inputs.content, text, passages, question.text) for text, passages, question in rows]

    ours, theirs = shares(inputs.answers()), shares(inputs.answers(inputs.random))
    # A system that says nothing to random passages takes nothing from the others; one that was not asked is left out.
    theirs = [0.0 if math.isnan(share) else share for share in theirs]
    asked = [question.id in inputs.random for question in inputs.questions]
    return difference_of(list(compress(ours, asked)), list(compress(theirs, asked)), seed=inputs.seed)


def _table(comparisons: list[Comparison]) -> ShownTable:
    columns = ("metric", "retrieved", "random", "difference", "low", "high", "p, Holm", "won", "tied", "lost", "n")
    rows = tuple(
        (item.metric, item.a_value, item.b_value, item.difference, item.low, item.high, shown_p(item.p_holm),
         item.wins, item.ties, item.losses, item.n)
        for item in comparisons
    )  # fmt: skip
    note = "Paired permutation test, corrected after Holm for the metrics; the interval is a paired bootstrap."
    return ShownTable("Retrieved against random passages", columns, rows, note)
