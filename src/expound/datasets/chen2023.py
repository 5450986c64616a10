"""Attribution labels of Chen et al. 2023: is each sentence of an answer supported by the documents?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import fields, identifier, items, text, texts
from expound.datasets.preferences import grade_of, read_judged
from expound.types import Question, Rating

# Equal steps: the paper orders the labels and says nothing of the distance between them.
_GRADES = {"not_supported": 0.0, "partially": 1.0, "supported": 2.0}


@dataclass(frozen=True)
class Chen2023:
    """Lines, or a list, of `{"question_id", "question", "system", "annotations": [{"answer", "labels": [3 labels]}]}`.

    What is rated is a sentence, by three unnamed raters: `rater` only tells them apart. An empty label is no rating.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "chen2023", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    id, system = identifier(row["question_id"]), text(row["system"])
    question = Question(id, text(row["question"]))
    for number, sentence in enumerate(map(fields, items(row["annotations"])), start=1):
        for rater, label in enumerate(texts(sentence["labels"]), start=1):
            if label:
                yield Rating(
                    id=f"{id}-{system}-{number}-{rater}",
                    question=question,
                    answer=text(sentence["answer"]),
                    value=label,
                    grade=grade_of(label, _GRADES),
                    system=system,
                    criterion="support",
                    rater=str(rater),
                    meta={"place": number},
                )
