"""What people who ask say of the answers they got: kept as judgments, so that use becomes a study.

The terminal and the page of `serve` write to the same two files. What somebody says again of the same thing takes the
place of what was said before, so that the file of judgments is at any time what people think now.
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
from expound.files import hold_lock, private_file, private_folder, remark, storage_error, write_whole
from expound.records import judgment_record, prediction_from, prediction_record, read_judgments, read_lines
from expound.types import Judgment, Prediction

STUDY = "asked"
"""The study that all opinions belong to."""
RIGHT = "right"
SUPPORTED = "supported"
_VALUES = {True: "yes", False: "no", None: None}
_OWNER_ONLY = 0o600  # comments and sentences may be private
_JUDGMENTS, _ANSWERS = "judgments.jsonl", "judged.jsonl"
# Where the page kept its own, with ids of its own, before there was one place.
_FORMER = "serve"


def opinions_file() -> Path:
    """The judgments, a line each, oldest first."""
    return resources.home_folder(STUDY) / _JUDGMENTS


def answers_file() -> Path:
    """The answers that somebody said something of: prediction lines, each once, under the ids of the judgments."""
    return resources.home_folder(STUDY) / _ANSWERS


def read_opinions() -> list[Judgment]:
    """What people think of answers, oldest first."""
    with hold_lock(private_folder(opinions_file().parent) / ".lock"):
        _take_over_former()
        return _opinions()


def keep_opinion(
    prediction: Prediction, *, is_right: bool | None, rater: str = "user", form: str = "ask", comment: str = ""
) -> Judgment:
    """Keep that an answer is right, or wrong; None takes back what was said."""
    item = answer_id(prediction)
    judgment = _judgment(prediction, item, rater=rater, form=form, comment=comment)
    return _keep(prediction, replace(judgment, criterion=RIGHT, value=_VALUES[is_right]))


def keep_support(
    prediction: Prediction,
    number: int,
    *,
    is_supported: bool | None = False,
    rater: str = "user",
    form: str = "ask",
    comment: str = "",
) -> Judgment:
    """Keep that a sentence of an answer, counted from 1, says what its sources say, or not; None takes it back."""
    count = len(prediction.answer.sentences)
    if not 1 <= number <= count:
        raise UserError(f"the answer has no sentence {number}: it has {count}" if count else "there is no answer")
    said = comment or prediction.answer.sentences[number - 1].text
    judgment = _judgment(prediction, sentence_id(prediction, number), rater=rater, form=form, comment=said)
    return _keep(prediction, replace(judgment, criterion=SUPPORTED, value=_VALUES[is_supported]))


def answer_id(prediction: Prediction) -> str:
    """The same answer to the same question has the same id: 12 hex digits, as a question has."""
    # Not of the system: whoever gets the same words from another system has judged them already.
    return sha256(f"{prediction.question}\n{prediction.answer.text}".encode()).hexdigest()[:12]


def sentence_id(prediction: Prediction, number: int) -> str:
    """The id of a sentence of an answer, counted from 1."""
    return f"{answer_id(prediction)}.{number}"


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
        _put(prediction, judgment)
    return judgment


def _put(prediction: Prediction, judgment: Judgment) -> None:
    before = _opinions()
    others = [one for one in before if _key(one) != _key(judgment)]
    # The answer before the judgment: a kill in between leaves an answer that nobody judged, which does no harm.
    if judgment.value and not _is_kept(judgment.question_id):
        _append(answers_file(), {**prediction_record(prediction), "id": judgment.question_id})
    # Rewritten only where something is replaced: most opinions are new, and one line at the end is quick and safe.
    if len(others) < len(before):
        _write_all([*others, judgment] if judgment.value else others)
    elif judgment.value:
        _append(opinions_file(), judgment_record(judgment))


def _key(judgment: Judgment) -> tuple[str, str, str]:
    return judgment.rater, judgment.item, judgment.criterion


def _opinions() -> list[Judgment]:
    file = opinions_file()
    _mend(file)
    return list(read_judgments(file)) if file.exists() else []


def _is_kept(id: str) -> bool:
    file = answers_file()
    # Ids are hexadecimal: what stands in a text cannot be taken for the field.
    start = f'{{"id": "{id}",'.encode()
    if not file.exists():
        return False
    with file.open("rb") as lines:
        return any(line.startswith(start) for line in lines)


def _write_all(judgments: list[Judgment]) -> None:
    with write_whole(opinions_file(), mode=_OWNER_ONLY) as file:
        for judgment in judgments:
            file.write(json.dumps(judgment_record(judgment), ensure_ascii=False) + "\n")


def _append(path: Path, record: Mapping[str, Any]) -> None:
    """One line at the end of a file, on the disk when this returns."""
    line = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    try:
        _mend(path)
        with private_file(path).open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise storage_error(error, path) from error


def _mend(path: Path) -> None:
    """Take away the half of a line that a power cut left at the end: nobody was told that it is kept."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)


def _take_over_former() -> None:
    """Bring votes here that an earlier version kept in a place of the page's own; said once, and then they are gone."""
    folder = resources.home_folder(_FORMER)
    judgments, answers = folder / _JUDGMENTS, folder / _ANSWERS
    if not judgments.exists():
        return
    for file in (judgments, answers):
        _mend(file)
    known = (
        {str(record["id"]): prediction_from(record) for _, record in read_lines(answers)} if answers.exists() else {}
    )
    votes = list(read_judgments(judgments))
    for vote in votes:
        if (prediction := known.get(vote.question_id)) is not None:
            id = answer_id(prediction)
            item = f"{id}{vote.item.removeprefix(vote.question_id)}"
            _put(prediction, replace(vote, study=STUDY, question_id=id, item=item))
    # Only now: a kill before this does the same again, which changes nothing.
    for file in (judgments, answers):
        file.unlink(missing_ok=True)
    remark(f"moved {len(votes)} votes from {folder} to {opinions_file()}, where those of the terminal are")
