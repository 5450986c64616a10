"""What an audit looks at: questions, the predictions for them with their passages, and how they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from expound.audit.checks import CHECKS
from expound.audit.content import Content, rule_content
from expound.audit.numbers import Estimate, share_of
from expound.audit.raw_output import JSON, TAGS, form_of
from expound.audit.topic import off_topic
from expound.datasets.predictions import read_predictions
from expound.errors import BadRecord, UserError
from expound.protocols import AnyMetric, Embedder
from expound.records import evidence_from, read_lines
from expound.score.looks_at import looks_at
from expound.score.pairs import Matcher
from expound.score.profile import Profile, find_profile
from expound.score.results import Scorer
from expound.types import Answer, Evidence, MetricResult, Prediction, Question

Report: TypeAlias = Callable[[str, float, float], None]
Answers: TypeAlias = Mapping[str, Prediction]

# Metrics of the answer's whole text, from the one that papers quote to those that any dataset has.
FIRST_CHOICE = ("rouge_lsum", "rouge_l", "f1", "str_em")
_PROFILES = ("asqa", "kilt", "eli5")


@dataclass(frozen=True)
class Inputs:
    """Everything the controls may look at; what is not given makes some of them not run."""

    questions: tuple[Question, ...]
    predictions: Answers
    scorer: Scorer
    dataset: str = ""
    train: str = ""
    random: Answers = field(default_factory=dict)
    """The system's answers with random passages."""
    other: Answers = field(default_factory=dict)
    """The answers of another system, to compare with at equal length."""
    embedder: Embedder | None = None
    content: Content = rule_content
    seed: int = 0
    report: Report | None = None

    def answers(self, of: Answers | None = None) -> list[str]:
        """The answers' texts in the order of the questions."""
        if of is None:
            return self._texts
        return [of[question.id].answer.text if question.id in of else "" for question in self.questions]

    @cached_property
    def _texts(self) -> list[str]:
        return [self.predictions[question.id].answer.text for question in self.questions]

    @cached_property
    def passages(self) -> list[list[str]]:
        """The texts of every question's retrieved passages; empty lists where there are none."""
        return [passage_texts(self.predictions[question.id].evidence) for question in self.questions]

    @property
    def has_passages(self) -> bool:
        return any(self.passages)

    @property
    def has_references(self) -> bool:
        return bool(self.quality)

    @cached_property
    def quality(self) -> dict[str, MetricResult]:
        """Every metric of the answers' texts that could score something, by name; none without references."""
        # A profile without references would score nothing but the length.
        has_any = any(question.references or question.interpretations for question in self.questions)
        return self.score(self.predictions) if has_any else {}

    @cached_property
    def off_topic(self) -> list[bool | None]:
        """Whether each answer fits another question as well as its own; None where that cannot be told."""
        return off_topic(self.questions, self.answers(), seed=self.seed)

    @property
    def topic_estimate(self) -> Estimate:
        """The share of answers that are off topic."""
        return share_of([is_off for is_off in self.off_topic if is_off is not None])

    @cached_property
    def forms(self) -> list[str]:
        """What each answer is written in, if not in prose."""
        return [form_of(text) for text in self.answers()]

    @property
    def unfit(self) -> str:
        """What answers would have to be so that something about a metric or about length could be learned from them.

        Off topic they have no score to lose, and what JSON and tags have in common all of them have.
        """
        # The margin itself, not the verdict: answers that are off topic
        # spoil the other controls even where nobody can tell.
        if self.topic_estimate.value > CHECKS["off-topic"].margin:
            return "answers that are about their questions, and these are off topic"
        is_raw = 2 * sum(form in (JSON, TAGS) for form in self.forms) > len(self.forms)
        return "answers that are texts to read, and these are raw JSON or markup" if is_raw else ""

    @property
    def primary(self) -> str:
        """The metric that verdicts are about."""
        return next((name for name in FIRST_CHOICE if name in self.quality), next(iter(self.quality), ""))

    def score(
        self,
        answers: Answers,
        *,
        protocol: str = "standard",
        metrics: Sequence[str] = (),
        questions: Sequence[Question] = (),
    ) -> dict[str, MetricResult]:
        """The numbers of some answers by metric: of all metrics or those named, to these questions or changed ones."""
        profile = self.scorer.profile
        chosen = tuple(metric for metric in profile.metrics if not metrics or metric.name in metrics)
        # Some of the changed answers may have been left out on purpose.
        scorer = replace(self.scorer, metrics=replace(profile, metrics=chosen), protocol=protocol, allow_missing=True)
        asked = questions or self.questions
        given = [answers[question.id] for question in asked if question.id in answers]
        return {result.metric: result for result in scorer.score(given, asked).results if result.n}

    def of_each(self, result: MetricResult) -> list[float]:
        """A metric's value of every question in order; not a number where it has none."""
        return [result.per_question.get(question.id, float("nan")) for question in self.questions]

    def say(self, title: str, done: float, total: float) -> None:
        """Report progress."""
        if self.report:
            self.report(title, done, total)


def passage_texts(evidence: Iterable[Evidence]) -> list[str]:
    """The texts of passages that have one."""
    return [item.passage.text for item in evidence if item.passage.text.strip()]


def with_text(prediction: Prediction, text: str) -> Prediction:
    """The prediction with another answer."""
    return replace(prediction, answer=Answer(text), abstained=not text.strip())


def quality_profile(profile: Profile) -> Profile:
    """The profile without metrics that do not look at the answer's text: their controls would say nothing."""
    kept = tuple(metric for metric in profile.metrics if not _is_elsewhere(metric))
    if not kept:
        names = ", ".join(metric.name for metric in profile.metrics)
        raise UserError(f"an audit needs a metric of the answer's text; these are none: {names}")
    return replace(profile, metrics=kept)


def fitting_profile(questions: Sequence[Question]) -> Profile:
    """The first profile that these questions have what it needs for."""
    # In the order of how much a profile looks at.
    profiles = (find_profile(name) for name in _PROFILES)
    fitting = (profile for profile in profiles if any(map(profile.fits, questions[:100])))
    return next(fitting, find_profile("answer-only"))


def match_answers(
    questions: Iterable[Question], predictions: Iterable[Prediction], *, source: str, allow_missing: bool = False
) -> tuple[tuple[Question, ...], dict[str, Prediction]]:
    """The questions that have a prediction, in the dataset's order, and these predictions."""
    matcher = Matcher(questions, predictions, source)
    # In the dataset's order, whatever the order of the predictions was.
    pairs = sorted(matcher)
    # Where nothing matches, say why, also to those who allow gaps.
    if not pairs or not allow_missing:
        matcher.check()
    if not pairs:
        raise UserError(f"{source or 'the predictions'}: nothing to audit, no question is answered")
    return tuple(pair.question for pair in pairs), {pair.question.id: pair.prediction for pair in pairs}


def read_more(path: Path, questions: Sequence[Question], *, allow_missing: bool) -> dict[str, Prediction]:
    """The predictions of another file for the same questions."""
    return match_answers(questions, read_predictions(path), source=str(path), allow_missing=allow_missing)[1]


def read_retrievals(path: Path) -> dict[str, tuple[Evidence, ...]]:
    """The passages of `{"id", "evidence": […]}` lines by question."""
    found = {}
    for number, record in read_lines(path):
        try:
            found[str(record["id"])] = tuple(
                # Retrieval files mostly have no numbers: the order is the rank.
                evidence_from({"number": place, **item})
                for place, item in enumerate(record["evidence"], start=1)
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadRecord(f"{path}, line {number}: not a retrieval, expected id and evidence ({error})") from error
    return found


def with_retrievals(
    predictions: Answers, retrievals: Mapping[str, tuple[Evidence, ...]], where: str, *, allow_missing: bool = False
) -> dict[str, Prediction]:
    """The predictions with the passages of a retrieval file in place of their own."""
    missing = [id for id in predictions if id not in retrievals]
    if len(missing) == len(predictions):
        known = ", ".join(list(retrievals)[:3]) or "none"
        raise UserError(f"{where}: retrievals for other questions: it has {known}; the predictions {missing[0]}, …")
    if missing and not allow_missing:
        raise UserError(
            f"{where}: {len(missing)} of {len(predictions)} questions have no retrieval, such as {missing[0]}; "
            "add them, or audit without with --allow-missing"
        )
    return {id: replace(item, evidence=retrievals.get(id, ())) for id, item in predictions.items()}


def _is_elsewhere(metric: AnyMetric) -> bool:
    looked_at = looks_at(metric)
    return "text" not in looked_at or "evidence" in looked_at
