"""What a judge leaves behind: its judgments as a study's, every reply, the items with their texts, and its audit."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.files import check_file_place, hold_lock, write_whole
from expound.judge.court import JudgeReport
from expound.judge.judge_items import JudgeItem
from expound.judge.judge_request import JudgeRequest
from expound.judge.rulings import judgments_of_judge, votes_of_judge
from expound.prompts import version
from expound.records import interpretation_record, judgment_record, manifest_path, read_json, write_manifest

ENDING = ".jsonl"


def beside(out: Path, what: str) -> Path:
    """The file of a kind that belongs to a file of judgments: `judged.jsonl` has `judged.items.jsonl`."""
    return out.with_name(f"{out.name.removesuffix(ENDING)}.{what}")


def check_place(out: Path) -> None:
    """Refuse a place where judgments cannot be written."""
    if out.suffix != ENDING:
        raise BadInput(f"{out}: judgments are JSON Lines; call the file something{ENDING}")
    check_file_place(out)


def check_out(out: Path, spec: Mapping[str, Any]) -> None:
    """Refuse a place that other judgments have taken: nobody's votes are overwritten by a model's."""
    if not out.exists():
        return
    manifest = manifest_path(out)
    found = read_json(manifest).get("spec", {}) if manifest.exists() else {}
    # The same request again is welcome: its replies are kept, and it writes the same file.
    changed = [name for name in spec if found.get(name) != spec[name]]
    if changed:
        raise BadInput(f"{out} holds other judgments (not the same: {', '.join(changed)}); choose another --out")


def spent_file(out: Path) -> Path:
    """Where calls and their cost are counted, over all parts of a run that was stopped."""
    return out.with_name(f".{out.name}.spent.sqlite")


def write_judged(report: JudgeReport, request: JudgeRequest, out: Path, *, spent: Mapping[str, Any]) -> None:
    """Everything beside `out`, and the manifest last: its presence means that all is there."""
    started = time.time()
    with hold_lock(out.with_name(f".{out.name}.lock")):
        # First, because the judgments without their texts could not be used: whoever finds these finds those.
        items = beside(out, "items.jsonl")
        _write_lines(items, map(item_line, request.items))
        _write_lines(beside(out, "votes.jsonl"), map(judgment_record, votes_of_judge(report.heard, judge=report.judge)))
        judgments = list(judgments_of_judge(report.decisions, judge=report.judge, model=report.model))
        _write_lines(out, map(judgment_record, judgments))
        with write_whole(beside(out, "audit.json")) as file:
            json.dump({**report.record(), "spent": dict(spent)}, file, ensure_ascii=False, indent=1)
            file.write("\n")
        spec = {**judged_spec(request, report.model), "examples": list(report.examples)}
        write_manifest(out, spec=spec, seed=request.seed, inputs=[items], count=len(judgments), started=started)


def judged_spec(request: JudgeRequest, model: str) -> dict[str, Any]:
    """What the manifest says of how the judgments were made."""
    return {**request.spec(), "model": model, "prompts": version()}


def item_line(item: JudgeItem) -> dict[str, Any]:
    """An item as studies have it, so that people can judge the same ones."""
    record = {
        "id": item.id,
        "question_id": item.question.id,
        "domain": item.domain,
        "question": item.question.text,
        "candidates": [{"system": side.system, "text": side.text} for side in item.sides],
        "interpretations": [interpretation_record(reading) for reading in item.question.interpretations],
    }
    # As items of a study are written: an empty domain would be a domain.
    return {name: value for name, value in record.items() if value}


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    with write_whole(path) as file:
        file.writelines(_lines(records))


def _lines(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
