"""The passages of the latest answer or search: `expound show 2` means the second of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from expound import resources
from expound.errors import ExpoundError
from expound.files import write_whole
from expound.records import evidence_from, evidence_record
from expound.types import Evidence, Prediction

# Passages may come from private documents: nobody else reads what was asked of them.
_OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True)
class Remembered:
    """A question, the corpora that were searched for it, and what was found."""

    question: str
    corpora: tuple[str, ...]
    evidence: tuple[Evidence, ...]


def last_file() -> Path:
    return resources.home_folder("cache") / "last.json"


def remember_prediction(prediction: Prediction) -> None:
    """Keep the evidence of an answer for `expound show`."""
    # Evidence last: where both have a number, the one that the answer cites is meant.
    found = {item.number: item for item in (*prediction.nearest, *prediction.evidence)}
    remember(prediction.question, prediction.meta.get("corpora", ()), found.values())


def remember(question: str, corpora: Sequence[str], evidence: Iterable[Evidence]) -> None:
    """Keep what was found; where nothing can be written, there is nothing to show later, and that is all."""
    record = {"question": question, "corpora": list(corpora), "evidence": [evidence_record(item) for item in evidence]}
    with suppress(ExpoundError, OSError), write_whole(last_file(), mode=_OWNER_ONLY) as file:
        json.dump(record, file, ensure_ascii=False)


def recall() -> Remembered | None:
    """What was kept last; None if there is nothing, or nothing that can be read."""
    try:
        record = json.loads(last_file().read_text(encoding="utf-8"))
        evidence = tuple(evidence_from(item) for item in record["evidence"])
        return Remembered(str(record["question"]), tuple(map(str, record["corpora"])), evidence)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
