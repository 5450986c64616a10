"""From the options of `expound audit` to what is audited; a plan is run, and run again with random passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from expound.audit.content import content_by
from expound.audit.inputs import (
    Inputs,
    Report,
    fitting_profile,
    matched,
    quality_profile,
    read_more,
    read_retrievals,
    with_retrievals,
)
from expound.audit.swap import RandomPassages
from expound.cli.scoring import chosen_profile
from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.experiment import closed_afterwards, open_plan, predict, predict_or_excuse
from expound.protocols import Embedder
from expound.resources import needed_by
from expound.runs.answers import answer_all
from expound.runs.folder import PREDICTIONS
from expound.runs.plan import Plan, read_plan
from expound.score.profile import Options, Profile
from expound.score.results import Scorer
from expound.system import System
from expound.types import Prediction, Question

_LOOKED_AT = 100
"""So many questions tell which profile fits a dataset."""


@dataclass(frozen=True)
class AuditOptions:
    """The options as the user wrote them."""

    predictions: Path | None
    dataset: str
    train: str
    retrievals: Path | None
    random: Path | None
    plan: Path | None
    against: Path | None
    profile: str
    metrics: tuple[str, ...]
    content: str
    vectors: bool
    allow_missing: bool
    limit: int
    seed: int
    jobs: int


def gathered(given: AuditOptions, out: Path, report: Report) -> Inputs:
    """Everything that the controls look at."""
    plan = _plan(given)
    dataset = _dataset(given, plan)
    content = content_by(given.content)  # a wrong name is said before the long work
    answers, random = _files(given, plan, out, report)
    limit = given.limit or (plan.limit if plan else 0)
    asked = islice(open_dataset(dataset), limit or None)
    source = str(answers)
    # With a limit the other predictions are not missing questions: they are left out.
    loose = given.allow_missing or bool(limit)
    questions, predictions = matched(asked, read_predictions(answers), source=source, allow_missing=loose)
    if given.retrievals:
        found = read_retrievals(given.retrievals)
        predictions = with_retrievals(predictions, found, str(given.retrievals), allow_missing=given.allow_missing)
    more = [read_more(path, questions, allow_missing=loose) if path else {} for path in (random, given.against)]
    profile = _profile(given, dataset, questions)
    scorer = Scorer(profile, given.seed, jobs=given.jobs)
    return Inputs(
        questions, predictions, scorer, dataset, given.train, more[0], more[1],
        embedder_or_none(given.vectors) if given.train else None, content, given.seed, report,
    )  # fmt: skip


def prepare_files(given: AuditOptions) -> None:
    """Have the files that answering, scoring and comparing questions need, before any of it begins."""
    from expound.cli.setup import prepare

    plan = _plan(given)
    dataset = _dataset(given, plan)
    first = list(islice(open_dataset(dataset), _LOOKED_AT))
    metrics = _profile(given, dataset, first).metrics
    prepare(needed_by(metrics), by_meaning=bool(plan or (given.train and given.vectors)))
    if plan:
        prepare(open_plan(plan).resources)


def embedder_or_none(wanted: bool) -> Embedder | None:
    """The embedder, if it is wanted and installed."""
    from expound.corpus.library import default_embedder

    return default_embedder() if wanted else None


def _dataset(given: AuditOptions, plan: Plan | None) -> str:
    dataset = given.dataset or (plan.dataset if plan else "")
    if not dataset:
        raise UserError("which questions? Write --dataset LAYOUT:PATH, or --plan with a plan that names one")
    return dataset


def _plan(given: AuditOptions) -> Plan | None:
    if given.plan is None:
        if given.predictions is None:
            raise UserError("which predictions? Name a file, or a plan to run with --plan")
        return None
    if given.random:
        raise UserError("--random or --plan, not both: a plan makes the answers with random passages itself")
    return read_plan(given.plan, **({"limit": given.limit} if given.limit else {}))


def _files(given: AuditOptions, plan: Plan | None, out: Path, report: Report) -> tuple[Path, Path | None]:
    """The files of answers, and of answers with random passages; a plan's are made, or gone on with."""
    if plan is None:
        assert given.predictions is not None
        return given.predictions, given.random
    with closed_afterwards():
        answers = given.predictions or _answered(plan, out, given.jobs, report)
        return answers, _answered_at_random(plan, answers, out, given, report)


def _answered(plan: Plan, out: Path, jobs: int, report: Report) -> Path:
    path = out / "retrieved" / PREDICTIONS
    questions = _questions(plan)
    answer_all(
        questions, partial(predict, plan), path, spec=plan.spec(open_dataset(plan.dataset)), jobs=jobs, report=report
    )
    return path


def _answered_at_random(plan: Plan, answers: Path, out: Path, given: AuditOptions, report: Report) -> Path:
    path = out / "random" / PREDICTIONS
    spec = {**plan.spec(open_dataset(plan.dataset)), "retrieve": f"RandomPassages(seed={given.seed})"}
    open_random(plan, answers, given.seed)  # a plan without passages is said before the long work
    answer = partial(predict_at_random, plan, answers, given.seed)
    answer_all(_questions(plan), answer, path, spec=spec, jobs=given.jobs, report=report)
    return path


def predict_at_random(plan: Plan, answers: Path, seed: int, question: Question) -> Prediction:
    """The answer of the plan's system to passages of other questions."""
    return predict_or_excuse(open_random(plan, answers, seed), plan, question)


@lru_cache(maxsize=1)
def open_random(plan: Plan, answers: Path, seed: int) -> System:
    """The plan's system with a retriever of random passages, opened once per process."""
    asked = {question.id: question.text for question in _questions(plan)}
    named = [replace(item, question=asked.get(item.id, item.question)) for item in read_predictions(answers)]
    return replace(open_plan(plan), retriever=RandomPassages.of(named, seed=seed))


def _questions(plan: Plan) -> list[Question]:
    return list(islice(open_dataset(plan.dataset), plan.limit or None))


def _profile(given: AuditOptions, dataset: str, questions: Sequence[Question]) -> Profile:
    if given.profile or given.metrics:
        name = given.profile or fitting_profile(questions).name
        return quality_profile(chosen_profile(name, dataset, given.metrics, Options()))
    return quality_profile(fitting_profile(questions))
