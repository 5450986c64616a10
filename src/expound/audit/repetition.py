"""Repetition and degeneration: answers that go round in circles, copy the question, are empty or break off."""

from __future__ import annotations

import math
import re

from expound.audit.inputs import Inputs
from expound.audit.ngrams import grams, overlap
from expound.audit.numbers import Estimate, mean_of, share_of
from expound.audit.section import Section, ShownExample, ShownTable, cell
from expound.audit.verdict import judge
from expound.protocols import Metric
from expound.score.diversity import DistinctN, Repetition
from expound.score.self_bleu import SelfBleu
from expound.text.words import lower_words
from expound.types import Answer, Question

TITLE = "Repetition: do answers degenerate?"
_ENDS = re.compile(r"""[.!?…:;)\]"'”’»*]\s*$""")
_MOSTLY = 50.0  # percent: more than half, as the check says it
# Of each kind: enough to see what is meant.
_EXAMPLES = 3


def repetition(inputs: Inputs) -> Section:
    """Verdicts on four ways to degenerate, with the numbers behind them and some examples."""
    answers = inputs.answers()
    copied = [copies_question(question, text) for question, text in zip(inputs.questions, answers, strict=True)]
    # JSON and markup end as they must, and a check of their own tells them; so do code, lists and tables.
    quoted = [_ends_in_lines(inputs.predictions[question.id].answer) for question in inputs.questions]
    prose = [
        text
        for text, form, ends in zip(answers, inputs.forms, quoted, strict=True)
        if text.strip() and not form and not ends
    ]
    verdicts = (
        judge("repeated-phrases", _mean(Repetition(), inputs)),
        judge(
            "copied-questions",
            share_of([is_copy for is_copy, text in zip(copied, answers, strict=True) if text.strip()]),
        ),
        judge("empty-answers", share_of([not text.strip() for text in answers])),
        judge("unfinished-answers", share_of([is_unfinished(text) for text in prose])),
    )
    return Section(
        name="repetition", title=TITLE, verdicts=verdicts, tables=(_table(inputs),), examples=_examples(inputs, copied)
    )


def copies_question(question: Question, text: str) -> bool:
    """Whether more than half of the answer's 3-grams stand in the question."""
    share = overlap(text, [question.text], 3)
    if math.isnan(share):  # shorter than three words
        # Too short for 3-grams: a copy if it has no word of its own.
        return bool(lower_words(text)) and set(lower_words(text)) <= set(lower_words(question.text))
    return share > _MOSTLY


def _ends_in_lines(answer: Answer) -> bool:
    """Whether an answer says of itself that it ends with code, steps or rows, which no stop ends."""
    return bool(answer.sentences) and answer.sentences[-1].kind != "sentence"


def is_unfinished(text: str) -> bool:
    """Whether the last line of a text stops within a sentence: no stop, bracket or quotation mark ends it.

    >>> is_unfinished("Because the sky")
    True
    """
    return not _ENDS.search(text.rstrip())


def _mean(metric: Metric, inputs: Inputs) -> Estimate:
    values = [metric.count(question, inputs.predictions[question.id]) for question in inputs.questions]
    return mean_of(values, seed=inputs.seed)


def _table(inputs: Inputs) -> ShownTable:
    # Named here: the metric is called `repetition` whatever its length, as the profile has it only once.
    named: list[tuple[str, Metric]] = [(f"repeated {n}-grams", Repetition(n=n)) for n in (2, 3, 4)]
    # Sentences by rules: an audit has to run without the fetched file that punkt needs.
    others = (DistinctN(n=1), DistinctN(n=2), SelfBleu(2, splitter="rules"), SelfBleu(4, splitter="rules"))
    named += [(metric.name, metric) for metric in others]
    rows = tuple((name, cell(_mean(metric, inputs))) for name, metric in named)
    return ShownTable("Repetition and diversity", ("measure", "mean, %"), rows)


def _examples(inputs: Inputs, copied: list[bool]) -> tuple[ShownExample, ...]:
    """The answers that repeat themselves most, and some that copy the question."""
    ranked = sorted(range(len(inputs.questions)), key=lambda place: -_share(inputs, place))
    worst = [place for place in ranked[:_EXAMPLES] if _share(inputs, place) > 0]
    copies = [place for place, is_copy in enumerate(copied) if is_copy and place not in worst][:_EXAMPLES]
    return tuple(_example(inputs, place) for place in [*worst, *copies])


def _share(inputs: Inputs, place: int) -> float:
    own = grams(lower_words(inputs.answers()[place]), 4)
    return 1 - len(set(own)) / len(own) if own else 0.0


def _example(inputs: Inputs, place: int) -> ShownExample:
    text = inputs.answers()[place]
    label = f"answer, {100 * _share(inputs, place):.0f} % of its 4-grams repeat an earlier one"
    return ShownExample(inputs.questions[place].text, ((label, ((text, False),)),))
