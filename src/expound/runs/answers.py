"""The answers of a run on disk: a line a question, written as they come, gone on with after a stop."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from expound.answer.copied import STAND_IN_FOR
from expound.datasets.fields import WRONG, fields
from expound.errors import BadInput, RunBusy
from expound.files import hold_lock, write_whole
from expound.parallel import in_order
from expound.records import manifest_path, parse_json, prediction_record, read_json, write_manifest
from expound.score.counts import Report
from expound.score.failures import ERROR
from expound.types import Prediction, Question


def answer_all(
    questions: Sequence[Question],
    answer: Callable[[Question], Prediction],
    out: Path,
    *,
    spec: Mapping[str, Any],
    jobs: int = 1,
    retry_errors: bool = False,
    report: Report | None = None,
) -> None:
    """Write a prediction line a question; answers of an earlier, interrupted run of the same spec are kept.

    With `retry_errors` what failed in the earlier run is asked again, also when that was finished.
    """
    started = time.time()
    busy = RunBusy(f"another process is writing {out}; wait for it, or choose another --out")
    # Two runs into one file would each write half of it.
    with hold_lock(lock_of(out), busy=busy):
        _claim(out, spec)
        _note_count(out, len(questions))
        # A finished run is looked at only to retry its errors.
        done = (
            _find_answered(out, retry_errors=retry_errors) if retry_errors or not manifest_path(out).exists() else set()
        )
        if manifest_path(out).exists():
            return
        todo = [question for question in questions if question.id not in done]
        with out.open("a", encoding="utf-8", errors="backslashreplace") as file:  # as JSON escapes half characters
            for number, prediction in enumerate(in_order(answer, todo, jobs=jobs), start=len(done) + 1):
                # Each line is whole and on its way to the disk before the
                # next question is asked: a kill loses one answer.
                file.write(json.dumps(prediction_record(prediction), ensure_ascii=False) + "\n")
                file.flush()
                if report:
                    report("answering", number, len(questions))
        # Last: its presence means that every question is answered.
        write_manifest(out, spec=spec, seed=spec.get("seed", 0), inputs=(), count=len(questions), started=started)


def lock_of(out: Path) -> Path:
    """Who writes a file of a run holds it."""
    return out.with_name(f".{out.name}.lock")


def spec_file(out: Path) -> Path:
    """What a run wrote down about itself before its first answer."""
    return out.with_name(f".{out.name}.spec.json")


def count_file(out: Path) -> Path:
    """How many questions there are, for who looks at a run that is going on."""
    return out.with_name(f".{out.name}.count")


def _note_count(out: Path, count: int) -> None:
    with write_whole(count_file(out)) as file:
        file.write(str(count))


def _claim(out: Path, spec: Mapping[str, Any]) -> None:
    """Mark the file as one of this spec; refuse one of another, or of another make."""
    # Beside the file while it is being written; the manifest has the spec in the end.
    marker = spec_file(out)
    if manifest_path(out).exists():
        _check_spec(_read_note(manifest_path(out), "spec"), spec, out)
    elif marker.exists() and out.exists():
        _check_spec(_read_note(marker), spec, out)
    # Somebody else's file, or one of ours without its marker: nothing is appended to it.
    elif out.exists() and out.stat().st_size:
        raise BadInput(f"{out} was not written by a run; choose another place or remove it")
    with write_whole(marker) as file:
        json.dump(spec, file, sort_keys=True)


def _read_note(path: Path, *names: str) -> Mapping[str, Any]:
    """What an earlier run wrote down about itself."""
    try:
        found = read_json(path)
        for name in names:
            found = found[name]
        return fields(found)
    except (BadInput, *WRONG) as error:
        raise BadInput(f"{path} is damaged; remove it with the answers beside it, or choose another --out") from error


def _check_spec(before: Mapping[str, Any], now: Mapping[str, Any], out: Path) -> None:
    # Through JSON, as the one on disk was: tuples have become lists.
    changed = [name for name in {**before, **now} if before.get(name) != json.loads(json.dumps(now)).get(name)]
    if changed:
        raise BadInput(f"{out} holds answers of another run (not the same: {', '.join(changed)}); choose another --out")


def _find_answered(out: Path, *, retry_errors: bool) -> set[str]:
    """The ids that are answered; a line that a crash cut off is removed, and what failed if it is to be retried."""
    # As bytes: a kill may have cut the last line within a character.
    lines = out.read_bytes().splitlines(keepends=True) if out.exists() else []
    records = dict(_records(out, lines))
    kept = {line: record for line, record in records.items() if not (retry_errors and _is_excuse(record))}
    if len(kept) < len(lines):
        manifest_path(out).unlink(missing_ok=True)  # first: without it the run is known to be unfinished
        with write_whole(out) as file:
            file.write(b"".join(kept).decode())
    return {record["id"] for record in kept.values()}


def _records(out: Path, lines: Sequence[bytes]) -> Iterator[tuple[bytes, dict[str, Any]]]:
    for number, line in enumerate(lines, start=1):
        try:
            # A line without its end was cut off: its question is asked again.
            if line.endswith(b"\n"):
                yield line, {"id": "", **fields(parse_json(line))}
        except WRONG as error:
            hint = "remove the line to ask its question again, or choose another --out"
            raise BadInput(f"{out}, line {number} is damaged; {hint}") from error


def _is_excuse(record: Mapping[str, Any]) -> bool:
    return any(record.get("meta", {}).get(name) for name in (ERROR, STAND_IN_FOR))
