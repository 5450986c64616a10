"""The answers that visitors got, each in a file of its own: on the disk before it is shown."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from expound.errors import UnknownName
from expound.files import private_folder, write_whole
from expound.records import parse_json, prediction_from, prediction_record
from expound.types import Prediction

_OWNER_ONLY = 0o600  # questions and answers may be private
MOST_KEPT = 1000
"""Answers of one visitor: more than a month of questions."""
_ID = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class KeptAnswer:
    """An answer of a visitor: the prediction, the corpora that were asked, what was typed, and when."""

    id: str
    prediction: Prediction
    corpora: tuple[str, ...]
    typed: str
    at: str

    def record(self) -> dict[str, Any]:
        """As JSON values: the prediction's own, and what is known besides."""
        known = {"answer_id": self.id, "corpora": list(self.corpora), "typed": self.typed, "at": self.at}
        return {**prediction_record(self.prediction), **known}


class KeptAnswers:
    """A folder for each visitor; nobody reads another's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, visitor: str, prediction: Prediction, corpora: Sequence[str], *, typed: str) -> KeptAnswer:
        """Write an answer down."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        kept = KeptAnswer(
            id=secrets.token_hex(8), prediction=prediction, corpora=tuple(corpora), typed=typed or "", at=now
        )
        folder = private_folder(self._of(visitor))
        with write_whole(folder / f"{kept.id}.json", mode=_OWNER_ONLY) as file:
            json.dump(kept.record(), file, ensure_ascii=False)
        # After the new one is on the disk: a full disk then loses an old answer and not the new one.
        self._forget_old(folder)
        return kept

    def find(self, visitor: str, id: str) -> KeptAnswer:
        """An answer of this visitor by its id."""
        file = self._of(visitor) / f"{id}.json"
        # The form first: an id with a slash in it must not even be looked for.
        if not _ID.fullmatch(id) or not file.exists():
            raise UnknownName("there is no such answer; it may be another visitor's, or older than what is kept")
        return _read_kept(parse_json(file.read_bytes()))

    def latest(self, visitor: str, most: int) -> list[KeptAnswer]:
        """The latest answers of a visitor, the newest first."""
        # By time: ids are random, so that nobody can guess another's.
        files = sorted(self._of(visitor).glob("*.json"), key=lambda file: -file.stat().st_mtime_ns)
        return [_read_kept(parse_json(file.read_bytes())) for file in files[:most]]

    def _forget_old(self, folder: Path) -> None:
        """A program may ask for years; what was judged is kept elsewhere."""
        files = list(folder.glob("*.json"))
        if len(files) > MOST_KEPT:
            oldest = sorted(files, key=lambda file: file.stat().st_mtime_ns)
            for file in oldest[: len(files) - MOST_KEPT]:
                file.unlink(missing_ok=True)

    def _of(self, visitor: str) -> Path:
        return self._folder / visitor / "answers"


def _read_kept(record: Mapping[str, Any]) -> KeptAnswer:
    return KeptAnswer(
        id=record["answer_id"],
        prediction=prediction_from(record),
        corpora=tuple(record["corpora"]),
        typed=record["typed"],
        at=record["at"],
    )
