"""A whole run on one screen: dataset, retrieve, clarify, answer, score; resumable question by question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

from expound import plugins, resources
from expound.answer.copied import STAND_IN_FOR
from expound.datasets.predictions import PREDICTIONS
from expound.datasets.spec import open_dataset
from expound.errors import ContextTooLong, EndpointFailed, ForeignSystemFailed, ModelFailed, RunBusy, UserError
from expound.files import hold_lock
from expound.models.account import Account
from expound.models.engine import Sampling
from expound.models.ledger import open_account, summary_of
from expound.models.readers import open_reader, resources_of
from expound.records import manifest_path
from expound.runs.answers import answer_all, lock_of
from expound.runs.folder import SCORES, SPENT, Run, write_scores
from expound.runs.plan import Plan
from expound.score.failures import failed_prediction
from expound.score.profile import profile_of
from expound.score.results import Scorer
from expound.system import System, open_system
from expound.types import Prediction, Question

Report: TypeAlias = Callable[[str, float, float], None]

FAILURES = (ForeignSystemFailed, EndpointFailed, ModelFailed, ContextTooLong)
"""What may befall one question and not the next; anything else would befall them all."""

# One: a text model fills the memory, and a run has one system.
_open_systems: dict[tuple[Plan, Account | None], System] = {}


def run(
    plan: Plan,
    out: Path,
    *,
    jobs: int = 1,
    retry_errors: bool = False,
    most_cost: float | None = None,
    report: Report | None = None,
) -> Run:
    """Answer every question of the plan's dataset and score the answers; what an earlier run finished is kept.

    With `retry_errors` the questions are asked again that the earlier run failed on. Text models are not asked when
    that could take the cost of the whole run, earlier parts included, over `most_cost`.
    """
    check(plan, out)
    account = open_account(out / SPENT, most_cost)
    resources.require([*scoring_files(plan), *answering_files(plan, out)])  # said before the long work
    dataset = open_dataset(plan.dataset)
    # All of them: a question's place must not depend on what was answered before.
    questions = list(dataset)[: plan.limit or None]
    spec = plan.spec(dataset)
    predictions = out / PREDICTIONS
    # Before the workers start: each would otherwise begin by reading the documents.
    bring_in_documents(plan)
    busy = RunBusy(f"another process is writing {out}; wait for it, or choose another --out")
    # Until the scores are there: who looks at answers without scores can tell whether somebody is at work on them.
    with hold_lock(lock_of(out / SCORES), busy=busy):
        with close_afterwards():
            answer_all(
                questions, partial(predict, plan, account=account), predictions,
                spec=spec, jobs=jobs, retry_errors=retry_errors, report=report,
            )  # fmt: skip
        # After answering: a reader is not loaded while a text model is.
        reader = open_reader(plan.reader)
        scorers = [Scorer(profile, seed=plan.seed, report=report, reader=reader) for profile in plan.profiles]
        scores = [scorer.score(predictions, questions) for scorer in scorers]
        return write_scores(out, plan, spec, scores, spent=summary_of(account.counts()))


def check(plan: Plan, out: Path) -> None:
    """Say what is wrong with a plan before anything is fetched or answered: no such profile, part or question."""
    if out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file; --out names the folder of a run")
    if above := next((parent for parent in out.parents if parent.is_file()), None):
        raise UserError(f"{above} is a file, not a folder")
    for name in plan.profiles:
        profile_of(name)
    for kind, spec in (("retrieve", plan.retrieve), ("clarify", plan.clarify), ("answer", plan.answer)):
        plugins.load(kind, plugins.parse(spec).name)
    if plan.embedder:
        from expound.corpus import library  # not needed to import this module

        library.open_embedder(plan.embedder)
    asks = any(
        plugins.takes(kind, spec, "model") for kind, spec in (("clarify", plan.clarify), ("answer", plan.answer))
    )
    if plan.model not in ("auto", "none") and not asks:
        raise UserError(
            f"no part of this plan asks the model {plan.model}: name one that does, such as answer = 'Written'"
        )
    # The first question is read: a dataset that cannot be read is told now.
    next(iter(open_dataset(plan.dataset)), None)


def scoring_files(plan: Plan) -> list[str]:
    """The fetched files that scoring a plan's answers cannot do without."""
    metrics = [metric for name in plan.profiles for metric in profile_of(name).metrics]
    return [*resources.list_needed(metrics), *resources_of(plan.reader)]


def answering_files(plan: Plan, out: Path) -> list[str]:
    """The fetched files that the plan's system cannot do without; none where all is answered already."""
    return [] if manifest_path(out / PREDICTIONS).exists() else open_plan(plan).resources


def bring_in_documents(plan: Plan) -> None:
    """Open the plan's corpora once, before several processes take the same documents in at the same time."""
    if plugins.takes("retrieve", plan.retrieve, "corpora"):
        from expound.corpus import library  # not needed to import this module

        library.open_corpora(plan.corpus)


def predict(plan: Plan, question: Question, *, account: Account | None = None) -> Prediction:
    """The answer of the plan's system, which is opened once per process."""
    return predict_or_excuse(open_plan(plan, account), plan, question)


def predict_or_excuse(system: System, plan: Plan, question: Question) -> Prediction:
    """The system's answer; where it fails, what the plan wants: the error, a record of it, or another answer."""
    try:
        return system.predict(question)
    except FAILURES as error:
        if plan.on_error == "stop":
            raise
        if plan.on_error == "skip":
            return failed_prediction(question, repr(system.answerer), error)
        # Over the same passages: only the answer is another system's.
        extractive = replace(open_stand_in(plan), retriever=system.retriever, corpora=system.corpora)
        answered = extractive.predict(question)
        return replace(answered, meta={**answered.meta, STAND_IN_FOR: f"{system.answerer!r}, which failed: {error}"})


def open_plan(plan: Plan, account: Account | None = None) -> System:
    """The system that a plan describes; it stays open until another one is wanted, or none.

    The account hears what its text model takes.
    """
    if (plan, account) not in _open_systems:
        # The one before is closed first: two models may not fit into memory.
        _close_systems()
        _open_systems[plan, account] = _open_system(plan, account)
    return _open_systems[plan, account]


@contextmanager
def close_afterwards() -> Iterator[None]:
    """Close what was opened within: a foreign program must not outlive its run."""
    try:
        yield
    finally:
        _close_systems()


def _close_systems() -> None:
    for system in _open_systems.values():
        if close := getattr(system.answerer, "close", None):
            close()
    _open_systems.clear()


@lru_cache(maxsize=1)
def open_stand_in(plan: Plan) -> System:
    """The system that answers with sentences of the sources where the plan's own fails; it is given the passages."""
    return _open_system(replace(plan, answer="Composed", clarify="EvidenceOnly", model="none", retrieve="Nothing"))


def _open_system(plan: Plan, account: Account | None = None) -> System:
    return open_system(
        plan.corpus,
        model=plan.model,
        sampling=Sampling(plan.temperature, plan.top_p, plan.seed),
        words=plan.words,
        style=plan.style,
        system=plan.answer,
        retrieve=plan.retrieve,
        clarify=plan.clarify,
        reader=plan.reader,
        embedder=plan.embedder,
        without=plan.dataset,
        account=account,
    )
