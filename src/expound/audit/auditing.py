"""Audit answers: the one call that does all that `expound audit` does, from files or a plan to the page."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from pathlib import Path

from expound.audit.audit_request import AuditRequest
from expound.audit.content import content_by
from expound.audit.controls import Audit, run_controls, write_audit
from expound.audit.inputs import Inputs, Report, match_answers, read_more, read_retrievals, with_retrievals
from expound.audit.plan_answers import answer_at_random, answer_plan
from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset
from expound.experiment import close_afterwards
from expound.score.results import Scorer


def audit(request: AuditRequest, out: Path, *, skip: Collection[str] = (), report: Report | None = None) -> Audit:
    """Run every control but those to skip, and write what was found into a folder: page, record, pairs to label.

    A plan is run first, and run again with random passages; what an earlier audit in the folder answered is kept.
    """
    inputs = gather(request, out, report=report)
    result = run_controls(inputs, skip=skip)
    write_audit(result, inputs, out)
    return result


def gather(request: AuditRequest, out: Path, *, report: Report | None = None) -> Inputs:
    """Everything that the controls look at."""
    from expound.corpus.library import default_embedder  # here: most audits compare no vectors

    plan, dataset = request.opened_plan, request.dataset_spec
    content = content_by(request.content)  # a wrong name is said before the long work
    answers, random = _files(request, out, report)
    limit = request.limit or (plan.limit if plan else 0)
    asked = islice(open_dataset(dataset), limit or None)
    # With a limit the other predictions are not missing questions: they are left out.
    loose = request.allow_missing or bool(limit)
    questions, predictions = match_answers(asked, read_predictions(answers), source=str(answers), allow_missing=loose)
    if request.retrievals:
        found, where = read_retrievals(request.retrievals), str(request.retrievals)
        predictions = with_retrievals(predictions, found, where, allow_missing=request.allow_missing)
    others = [read_more(path, questions, allow_missing=loose) if path else {} for path in (random, request.against)]
    return Inputs(
        questions=questions,
        predictions=predictions,
        scorer=Scorer(request.profile_for(questions), request.seed, jobs=request.jobs),
        dataset=dataset,
        train=request.train,
        random=others[0],
        other=others[1],
        embedder=default_embedder() if request.train and request.by_meaning else None,
        content=content,
        seed=request.seed,
        report=report,
    )


def _files(request: AuditRequest, out: Path, report: Report | None) -> tuple[Path, Path | None]:
    """The files of answers, and of answers with random passages; a plan's are made, or gone on with."""
    plan = request.opened_plan
    if plan is None:
        assert request.predictions is not None
        return request.predictions, request.random
    # Systems stay open from question to question; after the last answer their corpora and models are of no use.
    with close_afterwards():
        # Answers that are there already are taken: a plan then only makes those with random passages.
        answers = request.predictions or answer_plan(plan, out, jobs=request.jobs, report=report)
        random = answer_at_random(plan, answers, out, seed=request.seed, jobs=request.jobs, report=report)
        return answers, random
