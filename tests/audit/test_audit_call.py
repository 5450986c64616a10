"""`expound.audit.audit`: all that the command does, from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import worlds
from expound.audit import PAGE, AuditRequest, audit
from expound.errors import UserError
from expound.records import question_record
from expound.testing import write_jsonl


def test_a_plan_is_run_and_run_again_with_random_passages(tmp_path: Path) -> None:
    made = worlds.world(tmp_path, n=12)
    rows = [
        {
            **question_record(question),
            "evidence": [{"id": item.passage.id, "text": item.passage.text} for item in made.evidence[question.id]],
        }
        for question in made.questions
    ]
    dataset, plan, out = write_jsonl(tmp_path / "dev.jsonl", rows), tmp_path / "plan.toml", tmp_path / "audit"
    plan.write_text(f'dataset = "qa:{dataset}"\nretrieve = "Given"\nclarify = "AsAsked"\nanswer = "TopPassages(k=2)"\n')
    told: list[str] = []
    request = AuditRequest(plan=plan, seed=3)
    result = audit(request, out, skip=["gaming"], report=lambda title, done, total: told.append(title))
    outcomes = {verdict.check: verdict.outcome for verdict in result.verdicts}
    assert outcomes["random-retrieval"] == "pass"
    assert "swapped-answers" not in outcomes
    manifest = json.loads((out / "random" / "predictions.jsonl.manifest.json").read_text())
    assert manifest["spec"]["retrieve"] == "RandomPassages(seed=3)"
    assert (out / PAGE).exists()
    assert told


def test_a_request_that_names_nothing_to_audit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="which predictions"):
        audit(AuditRequest(dataset="qa:dev.jsonl"), tmp_path)
    with pytest.raises(UserError, match="which questions"):
        audit(AuditRequest(predictions=tmp_path / "answers.jsonl"), tmp_path)
