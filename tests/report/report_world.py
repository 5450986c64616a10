"""A small world to report on: a dataset, a system that names both rulers, one that names one, and hostile texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from expound.report.gathering import report
from expound.report.report_request import ReportRequest
from expound.report.reported import Reported
from expound.testing import write_jsonl

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\u202e"
METRICS = ("StrEm()", "Length()")


def write_world(folder: Path, *, n: int = 12, hostile: str = "") -> tuple[str, list[Path]]:
    """The spec of a dataset of n questions, and the files of two systems; a hostile text goes wherever one can."""
    questions = [_question(number, hostile) for number in range(n)]
    write_jsonl(folder / "questions.jsonl", questions)
    both, one = (folder / f"{name}.jsonl" for name in ("both", "one"))
    write_jsonl(both, [_answer(question, hostile, both=True) for question in questions])
    write_jsonl(one, [_answer(question, hostile, both=False) for question in questions])
    return f"qa:{folder / 'questions.jsonl'}", [both, one]


def reported(folder: Path, *, n: int = 12, hostile: str = "", **changes: Any) -> Reported:
    """The report on the world."""
    dataset, files = write_world(folder, n=n, hostile=hostile)
    return report(ReportRequest(**{"sources": files, "dataset": dataset, "metrics": METRICS, **changes}))


def write_judgments(folder: Path, *, n: int = 12, odd: int = 0) -> Path:
    """Ann prefers the system that names both; of one question she prefers the other, and says why."""
    rows = [
        {
            "study": "s", "form": "f", "item": f"i{number}", "question_id": f"q{number}", "rater": "Ann",
            "criterion": "overall", "a": "both", "b": "one", "choice": "a" if number != odd else "b", "value": None,
            "shown": "ab", "seconds": 3.0, "domain": "", "comment": "" if number != odd else "shorter is <b>better</b>",
            "at": "",
        }
        for number in range(n)
    ]  # fmt: skip
    path = folder / "judgments.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _question(number: int, hostile: str) -> dict[str, Any]:
    return {
        "id": f"q{number}{hostile}",
        "question": f"Who ruled land {number}?{hostile}",
        "meta": {"domain": f"{'east' if number % 2 else 'west'}{hostile}"},
        "references": [f"Charles and Louis ruled land {number}.{hostile}", f"Louis ruled land {number}, then Charles."],
        "interpretations": [
            {"question": f"Who ruled land {number} first?{hostile}", "answers": ["Charles", hostile or "Carl"]},
            {"question": f"Who ruled land {number} last?", "answers": ["Louis"]},
        ],
    }


def _answer(question: dict[str, Any], hostile: str, *, both: bool) -> dict[str, Any]:
    source = "Louis ruled it last."
    sentences: list[dict[str, Any]] = [{"text": source + hostile, "source_text": source, "citations": [1]}]
    if both:
        first = "Charles the Bald of Burgundy ruled it before 1830."
        sentences.append({"text": first, "source_text": first, "citations": [2]})
    passages = [
        {"number": 1, "id": f"p1{hostile}", "title": f"Rulers{hostile}", "text": f"Many ruled. {source} Then none."},
        {"number": 2, "id": "p2", "title": "Charles", "text": "Charles ruled it first. 𝔊reat was he."},
    ]
    return {
        "id": question["id"], "question": question["question"], "system": "demo",
        "answer": {"text": " ".join(one["text"] for one in sentences), "sentences": sentences},
        "interpretations": [], "evidence": [{**one, "score": 1.0} for one in passages], "abstained": False,
        "seconds": 0.5,
    }  # fmt: skip


def write_judged(folder: Path, *, n: int = 12) -> Path:
    """A model that always prefers the first, and the audit that it fails."""
    people = write_judgments(folder, n=n).read_text(encoding="utf-8").splitlines()
    rows = [{**json.loads(line), "form": "judge", "rater": "Pairwise() by small", "choice": "a"} for line in people]
    path = write_jsonl(folder / "judged.jsonl", rows)
    flips = {"check": "order flips", "value": 0.4, "low": 0.3, "high": 0.5, "n": 12, "outcome": "fail",
             "right": "at most 0.2", "note": ""}  # fmt: skip
    audit = {"verdict": "fails: order flips", "audit": [flips, {**flips, "check": "undecided", "outcome": "pass"}]}
    (folder / "judged.audit.json").write_text(json.dumps(audit), encoding="utf-8")
    return path
