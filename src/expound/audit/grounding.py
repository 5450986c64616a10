"""Grounding: do answers say what their passages say? (Krishna et al. 2021, section 3.1 and appendix A.7)"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import compress

from expound.audit.content import content_name, content_share
from expound.audit.grounded import support_rates, unknown_names
from expound.audit.inputs import Inputs
from expound.audit.marked_answers import reading_view
from expound.audit.ngrams import overlap
from expound.audit.numbers import Estimate, correlation_of, difference_of, mean_of
from expound.audit.random_retrieval import random_retrieval
from expound.audit.section import Plot, Section, ShownTable, cell
from expound.audit.swap import of_others
from expound.audit.verdict import Verdict, judge, not_run
from expound.score.provenance import Success

_OF_PASSAGES = ("passages-over-chance", "supported-sentences", "invented-names")


def grounding(inputs: Inputs) -> Section:
    """All there is to say about answers and passages; without passages only what they would be needed for."""
    title = "Grounding: do answers use what was retrieved?"
    # First: it is the control that tells, see the notes below.
    verdicts, tables = random_retrieval(inputs)
    if not inputs.has_passages:
        return Section(
            name="grounding",
            title=title,
            verdicts=(*verdicts, *(not_run(name) for name in _OF_PASSAGES)),
            tables=tables,
        )
    measured = Overlaps(inputs)
    return Section(
        name="grounding",
        title=title,
        verdicts=(*verdicts, *_verdicts(inputs, measured)),
        tables=(*tables, measured.ngram_table(), measured.content_table()),
        plots=_scatter_plots(inputs, measured),
        examples=reading_view(inputs, measured.own_1),
        notes=(
            "Overlap proves little by itself: on-topic answers share words with on-topic passages. The control with "
            "random passages is the one that tells.",
            "A low correlation of overlap and score is what an ungrounded system shows; a system that always quotes "
            "its passages has no correlation either, so it is shown and not judged.",
            f"Content words (nouns, names, numbers as lemmas) were found by {content_name(inputs.content)}.",
        ),
    )


class Overlaps:
    """Overlap of answers and references with passages, random passages and questions, by question."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        # One question has no other whose passages could be drawn.
        # Passages of other questions, so that chance has the same style and length.
        self.random = of_others(inputs.passages, seed=inputs.seed) if len(inputs.passages) > 1 else [[]]
        # The first reference, as the paper compares one gold answer.
        self.references = [question.references[0] if question.references else "" for question in inputs.questions]
        self.answers = inputs.answers()
        inputs.say("comparing answers with passages", 0, 2)
        self.own_1 = _each(overlap_of(1), self.answers, inputs.passages)
        inputs.say("comparing answers with passages", 1, 2)
        self.own = self.content_shares(self.answers, inputs.passages)
        self.by_chance = self.content_shares(self.answers, self.random)

    def content_shares(self, texts: Sequence[str], passages: Sequence[Sequence[str]]) -> list[float]:
        """Share of every text's content words that stand in its passages but not in its question, in percent."""
        asked = [question.text for question in self.inputs.questions]
        found = zip(texts, passages, asked, strict=True)
        return [content_share(self.inputs.content, text, inside, without) for text, inside, without in found]

    def ngram_table(self) -> ShownTable:
        """The columns of Tables 2, 12 and 13; of questions with a right passage too, where that is known."""
        places = ("passages", "random passages", "question")
        columns = ("", *(f"{n}-grams in {place}" for place in places for n in (1, 2)))
        right = right_passages(self.inputs)
        rows = [("answers", self.answers), ("references", self.references)]
        table = [self._ngram_row(name, texts, [True] * len(right)) for name, texts in rows]
        if any(right):
            table += [self._ngram_row(f"{name}, right passage", texts, right) for name, texts in rows]
        note = "Share of n-grams in percent, by question; the first reference of every question."
        return ShownTable("n-gram overlap", columns, tuple(table), note)

    def content_table(self) -> ShownTable:
        """The columns of Tables 4 and 14."""
        columns = ("", "in the question", "in passages, not in question", "in random passages, not in question")
        rows = [self._content_row("answers", self.answers), self._content_row("references", self.references)]
        return ShownTable(
            "content words: nouns, names, numbers", columns, tuple(rows), "Share of content words in percent."
        )

    def _ngram_row(self, name: str, texts: Sequence[str], kept: Sequence[bool]) -> tuple[object, ...]:
        asked = [[question.text] for question in self.inputs.questions]
        places = (self.inputs.passages, self.random, asked)
        shares = (list(compress(_each(overlap_of(n), texts, place), kept)) for place in places for n in (1, 2))
        return (name, *(cell(mean_of(share, seed=self.inputs.seed)) for share in shares))

    def _content_row(self, name: str, texts: Sequence[str]) -> tuple[object, ...]:
        asked = [
            content_share(self.inputs.content, text, [question.text])
            for text, question in zip(texts, self.inputs.questions, strict=True)
        ]
        shares = (asked, self.content_shares(texts, self.inputs.passages), self.content_shares(texts, self.random))
        return (name, *(cell(mean_of(share, seed=self.inputs.seed)) for share in shares))


def overlap_of(n: int) -> Callable[[str, Sequence[str]], float]:
    """The n-gram overlap for one n; not a number without a text to compare with."""
    return lambda text, others: overlap(text, others, n) if any(others) else math.nan


def _each(
    measure: Callable[[str, Sequence[str]], float], texts: Sequence[str], others: Sequence[Sequence[str]]
) -> list[float]:
    return [measure(text, other) for text, other in zip(texts, others, strict=True)]


def _verdicts(inputs: Inputs, measured: Overlaps) -> tuple[Verdict, ...]:
    seed = inputs.seed
    over_chance = difference_of(measured.own, measured.by_chance, seed=seed)
    return (
        judge("passages-over-chance", over_chance),
        judge("supported-sentences", mean_of(support_rates(inputs), seed=seed)),
        judge("invented-names", mean_of(unknown_names(inputs), seed=seed)),
    )


def _scatter_plots(inputs: Inputs, measured: Overlaps) -> tuple[Plot, ...]:
    """Figures 4 and 5: overlap with passages against quality, for all questions and those with a right passage."""
    if not inputs.has_references:
        return ()
    right = right_passages(inputs)
    plots = [_scatter(inputs, measured, [True] * len(right), "all questions")]
    if any(right):
        plots.append(_scatter(inputs, measured, right, "questions with a right passage"))
    return tuple(plots)


def right_passages(inputs: Inputs) -> list[bool]:
    """Whether a question has a passage of a gold page among its own; nowhere, where gold pages are not known."""
    # As many places as any system retrieves: whether it was read at all.
    found = (Success(k=1_000).count(question, inputs.predictions[question.id]) for question in inputs.questions)
    return [value == 100 for value in found]


def _scatter(inputs: Inputs, measured: Overlaps, kept: Sequence[bool], which: str) -> Plot:
    quality = inputs.of_each(inputs.quality[inputs.primary])
    pairs = [
        (x, y) for x, y, is_kept in zip(quality, measured.own_1, kept, strict=True) if is_kept and not math.isnan(x + y)
    ]
    rho = correlation_of([x for x, _ in pairs], [y for _, y in pairs], seed=inputs.seed)
    return Plot(
        title=f"Quality and grounding, {which}", x=inputs.primary, y="1-grams in passages, %",
        series=(("questions", tuple(pairs)),), note=f"Spearman's rho {_correlation(rho)}, n {len(pairs)}.",
    )  # fmt: skip


def _correlation(rho: Estimate) -> str:
    return cell(rho, 2) if not math.isnan(rho.value) else "cannot be computed: one side never changes"
