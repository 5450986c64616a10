"""Bounds: what trivial answers and references score, and where the system sits (Krishna et al. 2021, Table 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from expound import plugins
from expound.audit.inputs import Inputs
from expound.audit.numbers import difference_of
from expound.audit.section import Section, ShownTable
from expound.audit.verdict import Verdict, judge, not_run
from expound.errors import UserError
from expound.models.model_inputs import longest
from expound.protocols import InformedAnswerer
from expound.types import MetricResult, Prediction, Question

TITLE = "Bounds: what do trivial answers score, and what do references?"


@dataclass(frozen=True, slots=True)
class Bound:
    """An answerer by its spec: `lower` is trivial, `upper` looks at the references, `between` is neither."""

    name: str
    spec: str
    kind: str
    protocol: str = "standard"


# Against the other references: a reference held against itself would be perfect.
_LONGEST = Bound("longest reference", "LongestGold()", "upper", "others")
# Rows of Table 7 of the paper; `between` is neither trivial nor informed, and no verdict is about it.
BOUNDS = (
    Bound("the question, five times", "RepeatQuestion(times=5)", "lower"),
    Bound("a random training answer", "RandomAnswer(train={train!r})", "lower"),
    Bound("answer to the nearest training question", "NearestAnswer(train={train!r}, by='tfidf')", "between"),
    Bound("longest of the 7 nearest training questions", "LongestOfTopK(train={train!r}, k=7, by='tfidf')", "between"),
    Bound("best of the 7 nearest training questions", "BestOfTopK(train={train!r}, k=7, by='tfidf')", "upper"),
    _LONGEST,
    Bound("best reference", "BestGold()", "upper", "others"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A bound and its numbers by metric."""

    bound: Bound
    results: Mapping[str, MetricResult]


def bounds(inputs: Inputs) -> Section:
    """Every bound that the given data allows, by every metric."""
    if not inputs.has_references:
        return Section("bounds", TITLE, (not_run("trivial-baseline"), not_run("usable-range")))
    chosen = [bound for bound in BOUNDS if inputs.train or "{train" not in bound.spec]
    measured, notes = [], [] if inputs.train else ["Without --train there are no bounds made of training answers."]
    for number, bound in enumerate(chosen):
        inputs.say("bounds", number, len(chosen))
        try:
            measured.append(Measured(bound, inputs.score(count_answered(bound, inputs), protocol=bound.protocol)))
        except UserError as error:  # training questions without answers, say: the other bounds need none
            notes.append(f"Left out, {bound.name}: {error}")
    verdicts = (_against_trivial(inputs, measured), _usable_range(inputs, measured))
    return Section(
        name="bounds",
        title=TITLE,
        verdicts=verdicts,
        tables=(_table(inputs, measured), _ranges(inputs, measured)),
        notes=tuple(notes),
    )


def count_answered(bound: Bound, inputs: Inputs) -> dict[str, Prediction]:
    """The bound's answer to every question, with the same passages as the system's."""
    spec = bound.spec.format(train=inputs.train)
    # The evaluation questions are left out of the training questions,
    # else the nearest one would be the question itself.
    answerer = plugins.build("answer", spec, embedder=inputs.embedder, without=inputs.dataset)

    def answer(question: Question) -> Prediction:
        # The same passages, so that metrics of evidence see no difference.
        evidence = inputs.predictions[question.id].evidence
        if isinstance(answerer, InformedAnswerer):
            said = answerer.answer_to(question, evidence, ())
        else:
            said = answerer.answer(question.text, evidence, ())
        return Prediction(id=question.id, question=question.text, system=spec, answer=said, evidence=evidence)

    return {question.id: answer(question) for question in inputs.questions}


def _against_trivial(inputs: Inputs, measured: list[Measured]) -> Verdict:
    """The system against the trivial baseline with the highest score."""
    best = _best_lower(inputs.primary, measured)
    if best is None:
        return not_run("trivial-baseline")
    ours = inputs.of_each(inputs.quality[inputs.primary])
    above = difference_of(ours, inputs.of_each(best.results[inputs.primary]), seed=inputs.seed)
    return judge("trivial-baseline", above, on=f"{inputs.primary}, against {best.bound.name}")


def _usable_range(inputs: Inputs, measured: list[Measured]) -> Verdict:
    """The longest reference above the best trivial baseline, both against the other references of a question."""
    best = _best_lower(inputs.primary, measured)
    # Both sides are scored against the references that are left: what is compared must be held against the same.
    several = [_without_longest(question) for question in inputs.questions if len(question.references) > 1]
    if best is None or not several:
        return not_run("usable-range")
    sides = (count_answered(bound, inputs) for bound in (_LONGEST, best.bound))
    high, low = (inputs.score(side, metrics=[inputs.primary], questions=several) for side in sides)
    values = (inputs.of_each(side[inputs.primary]) for side in (high, low))
    return judge(
        "usable-range", difference_of(*values, seed=inputs.seed), on=f"{inputs.primary}, over {best.bound.name}"
    )


def _without_longest(question: Question) -> Question:
    place = longest(question.references)
    return replace(question, references=question.references[:place] + question.references[place + 1 :])


def _best_lower(metric: str, measured: list[Measured]) -> Measured | None:
    lower = [item for item in measured if item.bound.kind == "lower" and metric in item.results]
    # The strongest of the weak: to be above the other ones proves nothing.
    return max(lower, key=lambda item: item.results[metric].value, default=None)


def _table(inputs: Inputs, measured: list[Measured]) -> ShownTable:
    metrics = tuple(inputs.quality)
    rows = [("system", "", *(_cell(inputs.quality.get(metric)) for metric in metrics))]
    rows += [
        (item.bound.name, item.bound.kind, *(_cell(item.results.get(metric)) for metric in metrics))
        for item in measured
    ]
    note = "Upper bounds made of references are scored against the other references, and only where there are some."
    return ShownTable("Bounds", ("answers", "kind", *metrics), tuple(rows), note)


def _ranges(inputs: Inputs, measured: list[Measured]) -> ShownTable:
    """Each metric's usable range and where the system sits in it."""
    columns = ("metric", "best trivial", "best upper", "system", "place in the range", "trivial is as good")
    rows = [_range(metric, ours.value, measured) for metric, ours in inputs.quality.items()]
    note = "From the best trivial answers (0 %) to the best upper bound (100 %); a system may be above an upper bound."
    return ShownTable("Usable range of each metric", columns, tuple(rows), note)


def _range(metric: str, ours: float, measured: list[Measured]) -> tuple[object, ...]:
    low, high = (_highest(kind, metric, measured) for kind in ("lower", "upper"))
    if low is None:
        # Without training data there may be no trivial answer that this metric can score.
        return (metric, "–", "–", ours, "–", "–")
    is_as_good = "yes" if ours <= low else "no"
    # Where trivial answers are as good as references, a place between them means nothing.
    if high is None or high <= low:
        return (metric, low, "–" if high is None else high, ours, "–", is_as_good)
    return (metric, low, high, ours, f"{100 * (ours - low) / (high - low):.0f} %", is_as_good)


def _highest(kind: str, metric: str, measured: list[Measured]) -> float | None:
    values = [item.results[metric].value for item in measured if item.bound.kind == kind and metric in item.results]
    return max(values, default=None)


def _cell(result: MetricResult | None) -> str:
    return f"{result.value:.1f} ({result.low:.1f}–{result.high:.1f})" if result else "–"
