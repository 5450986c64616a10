"""What visitors say of answers, as judgments in a file: on the disk before it is confirmed, so use becomes a study."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from expound.errors import UserError
from expound.files import private_file, private_folder, write_whole
from expound.records import judgment_record, prediction_record, read_judgments
from expound.serve.kept_answers import KeptAnswer
from expound.types import Judgment

YES, NO = "yes", "no"
RIGHT, SUPPORTED = "right", "supported"
_STUDY = "serve"
_OWNER_ONLY = 0o600  # comments and sentences may be private
# Enough to tell visitors apart; the key itself stays in the visitor's cookie.
_RATER_LETTERS = 12

_Key = tuple[str, str, str]


class Votes:
    """One judgment for each visitor, item and criterion; what is said again takes the place of what was said."""

    def __init__(self, folder: Path) -> None:
        self._file, self._answers = folder / "judgments.jsonl", folder / "judged.jsonl"
        private_folder(folder)
        self._guard = threading.Lock()
        for file in (self._file, self._answers):
            _mend(private_file(file))
        self._kept = (
            {_key(judgment): judgment for judgment in read_judgments(self._file)} if self._file.exists() else {}
        )

    def judge(self, visitor: str, kept: KeptAnswer, value: str) -> None:
        """Whether an answer is right: yes, no, or nothing to take it back."""
        self._put(_judgment(visitor, kept, criterion=RIGHT, value=value), kept)

    def judge_sentence(self, visitor: str, kept: KeptAnswer, place: int, value: str) -> None:
        """Whether what a sentence cites supports it; the comment is the sentence."""
        sentence = kept.prediction.answer.sentences[place].text
        judgment = _judgment(visitor, kept, criterion=SUPPORTED, value=value)
        self._put(replace(judgment, item=f"{kept.id}.{place + 1}", comment=sentence), kept)

    def said(self, visitor: str, kept: KeptAnswer) -> str:
        """What a visitor has said of an answer."""
        return self._value((_rater(visitor), kept.id, RIGHT))

    def said_of_sentence(self, visitor: str, kept: KeptAnswer, place: int) -> str:
        return self._value((_rater(visitor), f"{kept.id}.{place + 1}", SUPPORTED))

    def _value(self, key: _Key) -> str:
        judgment = self._kept.get(key)
        return str(judgment.value or "") if judgment else ""

    def _put(self, judgment: Judgment, kept: KeptAnswer) -> None:
        with self._guard:
            is_first = not any(item.partition(".")[0] == kept.id for _, item, _ in self._kept)
            is_new = _key(judgment) not in self._kept
            self._kept[_key(judgment)] = judgment
            if is_first:
                # The answer under the id that its judgments have: together the two files are a study.
                _append(self._answers, prediction_record(replace(kept.prediction, id=kept.id)))
            if is_new:
                _append(self._file, judgment_record(judgment))
            else:
                self._write_all()

    def _write_all(self) -> None:
        with write_whole(self._file, mode=_OWNER_ONLY) as file:
            for judgment in self._kept.values():
                file.write(json.dumps(judgment_record(judgment), ensure_ascii=False) + "\n")


def _judgment(visitor: str, kept: KeptAnswer, *, criterion: str, value: str) -> Judgment:
    if value not in (YES, NO, ""):
        raise UserError(f"a vote is {YES}, {NO} or nothing, not {value[:40]!r}")
    return Judgment(
        study=_STUDY,
        form=_STUDY,
        item=kept.id,
        question_id=kept.id,
        rater=_rater(visitor),
        criterion=criterion,
        a=kept.prediction.system,
        value=value or None,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _rater(visitor: str) -> str:
    return sha256(visitor.encode()).hexdigest()[:_RATER_LETTERS]


def _key(judgment: Judgment) -> _Key:
    return judgment.rater, judgment.item, judgment.criterion


def _append(file: Path, record: object) -> None:
    """A line that is on the disk when this returns."""
    with file.open("a", encoding="utf-8", newline="\n") as writing:
        writing.write(json.dumps(record, ensure_ascii=False) + "\n")
        writing.flush()
        os.fsync(writing.fileno())


def _mend(file: Path) -> None:
    """Take away the half of a line that a power cut left at the end: nobody was told that it is kept."""
    data = file.read_bytes()
    if data and not data.endswith(b"\n"):
        os.truncate(file, data.rfind(b"\n") + 1)
