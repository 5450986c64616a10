"""What people who ask say of the answers they got: kept as judgments, so that use becomes a study.

Every line is on the disk before the next thing happens. The answers lie beside them, under the same ids.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import UserError
from expound.files import hold_lock, private_file, private_folder, storage_error
from expound.records import judgment_record, prediction_record
from expound.types import Judgment, Prediction

STUDY = "asked"
"""The study that all opinions belong to."""
RIGHT = "right"
SUPPORTED = "supported"
_YES_NO = {True: "yes", False: "no"}


def opinions_file() -> Path:
    """The judgments, a line each, oldest first; what somebody said last of an item counts."""
    return resources.home_folder(STUDY) / "judgments.jsonl"


def answers_file() -> Path:
    """The answers that somebody said something of: prediction lines, each once, under the ids of the judgments."""
    return resources.home_folder(STUDY) / "judged.jsonl"


def keep_opinion(
    prediction: Prediction, *, is_right: bool, rater: str = "user", form: str = "ask", comment: str = ""
) -> Judgment:
    """Keep that an answer is right, or wrong."""
    item = answer_id(prediction)
    judgment = _judgment(prediction, item, rater=rater, form=form, comment=comment)
    return _keep(prediction, replace(judgment, criterion=RIGHT, value=_YES_NO[is_right]))


def keep_support(
    prediction: Prediction,
    number: int,
    *,
    is_supported: bool = False,
    rater: str = "user",
    form: str = "ask",
    comment: str = "",
) -> Judgment:
    """Keep that a sentence of an answer, counted from 1, says what its sources say, or not."""
    count = len(prediction.answer.sentences)
    if not 1 <= number <= count:
        raise UserError(f"the answer has no sentence {number}: it has {count}" if count else "there is no answer")
    # As the page of `serve` has it, so that both are read as one.
    item = f"{answer_id(prediction)}.{number}"
    said = comment or prediction.answer.sentences[number - 1].text
    judgment = _judgment(prediction, item, rater=rater, form=form, comment=said)
    return _keep(prediction, replace(judgment, criterion=SUPPORTED, value=_YES_NO[is_supported]))


def answer_id(prediction: Prediction) -> str:
    """The same answer to the same question has the same id: 12 hex digits, as a question has."""
    return sha256(f"{prediction.question}\n{prediction.answer.text}".encode()).hexdigest()[:12]


def _judgment(prediction: Prediction, item: str, *, rater: str, form: str, comment: str) -> Judgment:
    return Judgment(
        study=STUDY,
        form=form,
        item=item,
        question_id=answer_id(prediction),
        rater=rater,
        criterion="",
        a=prediction.system,
        comment=comment,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _keep(prediction: Prediction, judgment: Judgment) -> Judgment:
    folder = private_folder(opinions_file().parent)
    # Two who say something at once write one behind the other, and an answer is there once.
    with hold_lock(folder / ".lock"):
        if not _is_kept(judgment.question_id):
            _append(answers_file(), {**prediction_record(prediction), "id": judgment.question_id})
        _append(opinions_file(), judgment_record(judgment))
    return judgment


def _is_kept(id: str) -> bool:
    file = answers_file()
    # Ids are hexadecimal: what stands in a text cannot be taken for the field.
    start = f'{{"id": "{id}",'.encode()
    if not file.exists():
        return False
    with file.open("rb") as lines:
        return any(line.startswith(start) for line in lines)


def _append(path: Path, record: Mapping[str, Any]) -> None:
    """One line at the end of a file, in one write: a kill leaves it whole or absent."""
    line = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    try:
        with private_file(path).open("ab") as file:
            # What a power cut left half written gets its line end, and spoils no other line.
            if file.tell() and not _ends_whole(path):
                line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise storage_error(error, path) from error


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
