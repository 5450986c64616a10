"""A whole run on one screen: every question of a dataset through one system, resumable question by question."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from expound.errors import BadInput
from expound.files import locked
from expound.records import manifest_path, prediction_record, write_manifest
from expound.types import Prediction, Question


class Asks(Protocol):
    """A system that answers one question at a time."""

    def ask(self, question: str, *, id: str = "") -> Prediction: ...


def run(
    questions: Iterable[Question],
    system: Asks,
    out: Path,
    *,
    spec: Mapping[str, Any],
    report: Callable[[str, int, int], None] | None = None,
) -> Path:
    """Write a prediction line a question; answers of an earlier, interrupted run of the same spec are kept."""
    todo = list(questions)
    if manifest_path(out).exists():
        if json.loads(manifest_path(out).read_text(encoding="utf-8"))["spec"] != json.loads(json.dumps(spec)):
            raise BadInput(f"{out} is a finished run of another spec; choose another place or remove it")
        return out
    started = time.time()
    out.parent.mkdir(parents=True, exist_ok=True)
    with locked(out.with_name(f".{out.name}.lock")):
        done = _answered(out, spec)
        with out.open("a", encoding="utf-8") as file:
            for number, question in enumerate(todo):
                if question.id not in done:
                    record = prediction_record(system.ask(question.text, id=question.id))
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
                    file.flush()
                if report:
                    report("answering", number + 1, len(todo))
        write_manifest(out, spec=spec, seed=0, inputs=(), count=len(todo), started=started)
    return out


def _answered(out: Path, spec: Mapping[str, Any]) -> set[str]:
    """The ids that are answered already; a line that was cut off by a crash is removed."""
    marker = out.with_name(out.name + ".spec.json")
    if not out.exists():
        marker.write_text(json.dumps(spec, sort_keys=True), encoding="utf-8")
        return set()
    if not marker.exists() or json.loads(marker.read_text(encoding="utf-8")) != json.loads(json.dumps(spec)):
        raise BadInput(f"{out} holds answers of another run; choose another place or remove it")
    lines = out.read_bytes().splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
        out.write_bytes(b"".join(lines))
    return {json.loads(line)["id"] for line in lines}
