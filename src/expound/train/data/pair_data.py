"""Questions with their long answers as groups: what a contrastive retriever learns from (Krishna et al. 2021, 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from expound.datasets.leaks import without_leaks
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.train.data.group_files import Group
from expound.train.data.leak_guard import LeakGuard

# One question in so many is held out, to stop by.
_EACH_HELD_OUT = 20


def build_pair_data(train: Sequence[str], keep_out: Sequence[str] = (), *, most: int = 0) -> dict[str, list[Group]]:
    """Groups to learn from and to measure on: every reference of a question is a right text, none are wrong.

    No question of a dataset in `keep_out` is among them. Of each dataset the first `most` questions are taken, or all.
    """
    evaluation = [list(open_dataset(spec)) for spec in keep_out]
    guard = LeakGuard(question.text for part in evaluation for question in part)
    groups = []
    for spec in train:
        asked = (item for item in without_leaks(open_dataset(spec), evaluation) if item.references)
        fresh = (item for item in asked if not guard.blocks(item.text))
        for question in islice(fresh, most or None):
            # Twice in a batch, a question would have its own answer as a wrong one.
            guard.add(question.text)
            groups.append(Group(question.text, question.references, (), spec.partition(":")[0]))
    if len(groups) <= _EACH_HELD_OUT:
        raise UserError(f"only {len(groups)} questions with an answer in {', '.join(train)}: more than 20 are needed")
    learned = [group for place, group in enumerate(groups) if place % _EACH_HELD_OUT]
    return {"train": learned, "dev": groups[::_EACH_HELD_OUT]}
