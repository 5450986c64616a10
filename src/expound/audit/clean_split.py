"""A cleaner split: questions that ask the same stay on one side, or whole topics are held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from expound.audit.inputs import Report
from expound.audit.numbers import Estimate, share_of
from expound.audit.section import cell
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.protocols import Embedder
from expound.records import question_record, write_records
from expound.retrieve.neighbours import Neighbour, near_each_other
from expound.text.paraphrase import load_scorer
from expound.types import Question

if TYPE_CHECKING:
    from expound.protocols import Vectors

BY = ("paraphrases", "topics")
TRAIN, HELD_OUT = "train.jsonl", "held-out.jsonl"
# A round figure: topics only have to be coarse, and the same for the same seed.
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to split: by what, how much to hold out, where topics stand, how many to make, and the seed."""

    by: str = "paraphrases"
    share: float = 0.1
    field: str = "category"
    topics: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        if self.by not in BY:
            raise UserError(f"no split by {self.by!r}; there are: {', '.join(BY)}")


@dataclass(frozen=True)
class Split:
    """Both sides, and numbers about them."""

    train: list[Question]
    held_out: list[Question]
    summary: Mapping[str, object]


def split(specs: Sequence[str], wanted: Wanted, *, embedder: Embedder | None, report: Report | None = None) -> Split:
    """Read all questions and share them out, whole groups at a time."""
    questions = _unique(list(chain.from_iterable(open_dataset(spec) for spec in specs)))
    rows = near_each_other(questions, embedder, report)
    # The general threshold, not that for short answers: a pair too many
    # in one group costs little, a leak costs the split.
    threshold = load_scorer(with_cosine=embedder is not None).threshold
    if wanted.by == "paraphrases":
        groups = clusters(questions, rows, threshold)
    else:
        groups = topics_of(questions, wanted, embedder)
    held_out = chosen_groups(groups, wanted)
    return _split(questions, rows, groups, held_out=held_out, threshold=threshold, wanted=wanted)


def clusters(questions: Sequence[Question], rows: Sequence[Sequence[Neighbour]], threshold: float) -> list[int]:
    """A group's number for every question: what a chain of paraphrases joins is one group."""
    places = {question.id: place for place, question in enumerate(questions)}
    parent = list(range(len(questions)))

    def root(place: int) -> int:
        while parent[place] != place:
            # Each step halves the way to the root, so that chains stay short.
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for place, row in enumerate(rows):
        for item in row:
            if item.paraphrase >= threshold:
                parent[root(place)] = root(places[item.id])
    # Numbers of groups are those of their roots: they only have to differ.
    return [root(place) for place in range(len(questions))]


def topics_of(questions: Sequence[Question], wanted: Wanted, embedder: Embedder | None) -> list[int]:
    """A topic's number for every question: from the data, else from its vector."""
    names = [str(question.meta.get(wanted.field, "")) for question in questions]
    # One name for all is no topic.
    if len(set(names)) > 1:
        known = {name: number for number, name in enumerate(sorted(set(names)))}
        return [known[name] for name in names]
    if embedder is None:
        raise UserError(
            f"the questions have no topics in meta[{wanted.field!r}]; name another --field, or install the embedder "
            "with `expound models get` so that topics can be made"
        )
    return nearest_means(embedder.embed([question.text for question in questions]), wanted.topics, wanted.seed)


def nearest_means(vectors: Vectors, k: int, seed: int) -> list[int]:
    """Groups of near vectors, by k-means."""
    import numpy as np

    random = np.random.default_rng(seed)
    means = vectors[random.choice(len(vectors), min(k, len(vectors)), replace=False)]
    for _ in range(_ROUNDS):
        # Unit vectors: the largest product is the smallest angle.
        nearest = (vectors @ means.T).argmax(axis=1)
        sums = np.stack([vectors[nearest == group].sum(axis=0) for group in range(len(means))])
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        # A group that has lost all members keeps its mean, instead of becoming no number.
        means = np.where(norms > 0, sums / np.maximum(norms, 1e-12), means)
    groups: list[int] = nearest.tolist()
    return groups


def chosen_groups(groups: Sequence[int], wanted: Wanted) -> set[int]:
    """Whole groups in random order, as long as the share to hold out is not passed."""
    sizes = Counter(groups)
    # Sorted first: the order of a counter depends on the order of the questions.
    order = sorted(sizes)
    Random(wanted.seed).shuffle(order)
    room, taken = round(wanted.share * len(groups)), set()
    for group in order:
        # Too large a group is passed over, and smaller ones behind it may still fit.
        if sizes[group] <= room:
            taken.add(group)
            room -= sizes[group]
    return taken


def write_split(result: Split, specs: Sequence[str], wanted: Wanted, out: Path) -> None:
    """Both sides in the layout `qa`."""
    spec = {"datasets": list(specs), "by": wanted.by, "share": wanted.share, "field": wanted.field}
    for name, questions in ((TRAIN, result.train), (HELD_OUT, result.held_out)):
        write_records(out / name, map(question_record, questions), spec=spec, seed=wanted.seed)


def _split(
    questions: Sequence[Question],
    rows: Sequence[Sequence[Neighbour]],
    groups: Sequence[int],
    *,
    held_out: set[int],
    threshold: float,
    wanted: Wanted,
) -> Split:
    is_held = [group in held_out for group in groups]
    # The same number at random, to show what the grouping is worth.
    at_random = [True] * sum(is_held) + [False] * (len(is_held) - sum(is_held))
    Random(wanted.seed).shuffle(at_random)
    train = [question for question, is_out in zip(questions, is_held, strict=True) if not is_out]
    out = [question for question, is_out in zip(questions, is_held, strict=True) if is_out]
    if not out or not train:
        raise UserError(f"one side would be empty: of {len(set(groups))} groups none fits a share of {wanted.share:g}")
    summary = {
        "questions": len(questions), "groups": len(set(groups)), "largest group": Counter(groups).most_common(1)[0][1],
        "train": len(train), "held out": len(out),
        "held out with a paraphrase in train, %": cell(_leaks(questions, rows, is_held, threshold)),
        "the same for a random split, %": cell(_leaks(questions, rows, at_random, threshold)),
    }  # fmt: skip
    return Split(train, out, summary)


def _leaks(
    questions: Sequence[Question], rows: Sequence[Sequence[Neighbour]], is_held: Sequence[bool], threshold: float
) -> Estimate:
    held = {question.id for question, is_out in zip(questions, is_held, strict=True) if is_out}
    return share_of(
        [
            # Only pairs across the two sides leak.
            any(item.paraphrase >= threshold and item.id not in held for item in row)
            for question, row in zip(questions, rows, strict=True)
            if question.id in held
        ]
    )


def _unique(questions: list[Question]) -> list[Question]:
    """The questions, refused if two have one id."""
    counts = Counter(question.id for question in questions)
    twice = [id for id, count in counts.items() if count > 1]
    if twice:
        raise UserError(f"{len(twice)} ids stand in the data twice, such as {twice[0]}; split each question once")
    return questions
