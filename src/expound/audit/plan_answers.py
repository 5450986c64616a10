"""The answers of a plan's system: as it retrieves, and with passages of other questions."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from expound.audit.inputs import Report
from expound.audit.swap import RandomPassages
from expound.datasets.predictions import PREDICTIONS, read_predictions
from expound.datasets.spec import open_dataset
from expound.experiment import open_plan, predict, predict_or_excuse
from expound.runs.answers import answer_all
from expound.runs.plan import Plan
from expound.system import System
from expound.types import Prediction, Question


def answer_plan(plan: Plan, out: Path, *, jobs: int = 1, report: Report | None = None) -> Path:
    """The file of the system's own answers, made or gone on with below a folder."""
    path = out / "retrieved" / PREDICTIONS
    spec = plan.spec(open_dataset(plan.dataset))
    answer_all(_questions(plan), partial(predict, plan), path, spec=spec, jobs=jobs, report=report)
    return path


def answer_at_random(
    plan: Plan, answers: Path, out: Path, *, seed: int = 0, jobs: int = 1, report: Report | None = None
) -> Path:
    """The file of its answers when it is given the passages that the answers to other questions had."""
    path = out / "random" / PREDICTIONS
    # Told as another retriever: answers of one seed must not be gone on with by another.
    spec = {**plan.spec(open_dataset(plan.dataset)), "retrieve": f"RandomPassages(seed={seed})"}
    open_random(plan, answers, seed)  # a plan without passages is said before the long work
    answer = partial(predict_at_random, plan, answers, seed)
    answer_all(_questions(plan), answer, path, spec=spec, jobs=jobs, report=report)
    return path


def predict_at_random(plan: Plan, answers: Path, seed: int, question: Question) -> Prediction:
    """The answer of the plan's system to passages of other questions."""
    return predict_or_excuse(open_random(plan, answers, seed), plan, question)


@lru_cache(maxsize=1)
def open_random(plan: Plan, answers: Path, seed: int) -> System:
    """The plan's system with a retriever of random passages, opened once per process."""
    asked = {question.id: question.text for question in _questions(plan)}
    # Files of other makes have answers without questions, and passages are looked up by the question.
    named = [replace(item, question=asked.get(item.id, item.question)) for item in read_predictions(answers)]
    return replace(open_plan(plan), retriever=RandomPassages.of(named, seed=seed))


def _questions(plan: Plan) -> list[Question]:
    return list(islice(open_dataset(plan.dataset), plan.limit or None))
