"""A whole run on one screen: dataset, retrieve, clarify, answer, score; resumable question by question."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from expound.datasets.spec import open_dataset
from expound.errors import BadInput, RunBusy
from expound.files import locked
from expound.models.engine import Sampling
from expound.models.readers import open_reader
from expound.parallel import in_order
from expound.records import manifest_path, prediction_record, write_manifest
from expound.runs.folder import PREDICTIONS, Run, write_scores
from expound.runs.plan import Plan
from expound.score.profile import profile_of
from expound.score.results import Scorer
from expound.system import System, open_system
from expound.types import Prediction, Question

Report: TypeAlias = Callable[[str, float, float], None]


def run(plan: Plan, out: Path, *, jobs: int = 1, report: Report | None = None) -> Run:
    """Answer every question of the plan's dataset and score the answers; what an earlier run finished is kept."""
    profiles = [profile_of(name) for name in plan.profiles]  # a wrong name is said before the long work
    dataset = open_dataset(plan.dataset)
    questions = list(dataset)[: plan.limit or None]
    spec = plan.spec(dataset)
    predictions = out / PREDICTIONS
    answer_all(questions, partial(predict, plan), predictions, spec=spec, jobs=jobs, report=report)
    scorers = [Scorer(profile, seed=plan.seed, report=report, reader=open_reader(plan.reader)) for profile in profiles]
    scores = [scorer.score(predictions, questions) for scorer in scorers]
    return write_scores(out, plan, spec, scores)


def predict(plan: Plan, question: Question) -> Prediction:
    """The answer of the plan's system, which is opened once per process."""
    return open_plan(plan).predict(question)


@lru_cache(maxsize=1)
def open_plan(plan: Plan) -> System:
    """The system that a plan describes."""
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
        without=plan.dataset,
    )


def answer_all(
    questions: Sequence[Question],
    answer: Callable[[Question], Prediction],
    out: Path,
    *,
    spec: Mapping[str, Any],
    jobs: int = 1,
    report: Report | None = None,
) -> None:
    """Write a prediction line a question; answers of an earlier, interrupted run of the same spec are kept."""
    started = time.time()
    busy = RunBusy(f"another process is writing {out}; wait for it, or choose another --out")
    with locked(out.with_name(f".{out.name}.lock"), busy=busy):
        if manifest_path(out).exists():
            _check_spec(json.loads(manifest_path(out).read_text(encoding="utf-8"))["spec"], spec, out)
            return
        done = _answered(out, spec)
        todo = [question for question in questions if question.id not in done]
        with out.open("a", encoding="utf-8") as file:
            for number, prediction in enumerate(in_order(answer, todo, jobs=jobs), start=len(done) + 1):
                file.write(json.dumps(prediction_record(prediction), ensure_ascii=False) + "\n")
                file.flush()
                if report:
                    report("answering", number, len(questions))
        write_manifest(out, spec=spec, seed=spec.get("seed", 0), inputs=(), count=len(questions), started=started)


def _answered(out: Path, spec: Mapping[str, Any]) -> set[str]:
    """The ids that are answered already; a line that was cut off by a crash is removed."""
    marker = out.with_name(f".{out.name}.spec.json")
    if not out.exists() or not marker.exists():
        if out.exists() and out.stat().st_size:
            raise BadInput(f"{out} was not written by a run; choose another place or remove it")
        marker.write_text(json.dumps(spec, sort_keys=True), encoding="utf-8")
        return set()
    _check_spec(json.loads(marker.read_text(encoding="utf-8")), spec, out)
    lines = out.read_bytes().splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
        out.write_bytes(b"".join(lines))
    return {json.loads(line)["id"] for line in lines}


def _check_spec(before: Mapping[str, Any], now: Mapping[str, Any], out: Path) -> None:
    changed = [name for name in {**before, **now} if before.get(name) != json.loads(json.dumps(now)).get(name)]
    if changed:
        raise BadInput(f"{out} holds answers of another run ({', '.join(changed)} differ); choose another --out")
