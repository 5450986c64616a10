"""`build split`: a dataset without what training already asks, or shared out into training, validation and test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from expound.build.building import Report
from expound.build.splits import Sides, SplitRules, draw_sides, keep_apart
from expound.datasets.spec import open_dataset
from expound.errors import BuildBusy
from expound.files import check_folder, hold_lock, user_path
from expound.protocols import Embedder
from expound.records import question_record, write_records
from expound.types import Question


@dataclass(frozen=True)
class SplitRequest:
    """The questions to split, those that train already, if any, and the rules.

    A training file that is named without a layout has that of the dataset.
    """

    dataset: str
    train: Sequence[str] = ()
    rules: SplitRules = field(default_factory=SplitRules)

    def training(self) -> list[str]:
        layout = self.dataset.partition(":")[0]
        return [f"{layout}:{spec}" if ":" in self.dataset and _is_file(spec) else spec for spec in self.train]


@dataclass(frozen=True)
class QuestionStream:
    """The questions of several files one after the other, from the disk each time they are gone through."""

    specs: Sequence[str]

    def __iter__(self) -> Iterator[Question]:
        return chain.from_iterable(map(open_dataset, self.specs))


def build_split(
    request: SplitRequest, out: Path, *, embedder: Embedder | None = None, report: Report | None = None
) -> dict[str, int]:
    """Write `valid.jsonl`, and without training questions `train.jsonl` and `test.jsonl`, too; returns their sizes.

    What is left out stands in `aside.jsonl` with the reason. Only texts and ids are held; the files are read again.
    """
    check_folder(out)
    # Read before anything is made: a file that is refused leaves no folder behind.
    asked = [Question(question.id, question.text) for question in open_dataset(request.dataset)]
    for _ in QuestionStream(request.training()):
        pass
    with hold_lock(out / ".lock", busy=BuildBusy(f"another process is splitting into {out}; wait until it ends")):
        if request.train:
            sides = keep_apart(
                asked, QuestionStream(request.training()), request.rules, embedder=embedder, report=report
            )
        else:
            sides = draw_sides(asked, request.rules, embedder=embedder, report=report)
        for side in sides.names():
            records = map(question_record, open_dataset(request.dataset))
            write_records(out / f"{side}.jsonl", of_side(records, sides, side), spec=_spec(request, embedder))
    return sides.summary()


def of_side(records: Iterable[Mapping[str, Any]], sides: Sides, side: str) -> Iterator[Mapping[str, Any]]:
    """The records of one side, in their order; those that were set aside say why."""
    for place, (record, its) in enumerate(zip(records, sides.sides, strict=True)):
        if its == side:
            reason = {"aside": sides.reasons[place]} if place in sides.reasons else {}
            yield {**record, "meta": {**record["meta"], **reason}}


def _is_file(spec: str) -> bool:
    return user_path(spec).is_file()


def _spec(request: SplitRequest, embedder: Embedder | None) -> dict[str, Any]:
    return {
        "dataset": request.dataset,
        "train": request.training(),
        "rules": repr(request.rules),
        "by_meaning": embedder is not None,
    }
