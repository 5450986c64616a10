"""How good the paraphrase score is: fitted on MRPC, measured there and on question pairs labelled by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from expound.audit.paraphrase import FEATURES, area_under_curve, features, fit
from expound.datasets.eli5_category import Eli5Category
from expound.errors import UserError
from expound.experiment import Report
from expound.library import default_embedder
from expound.protocols import Embedder
from expound.recipes.control_table import ControlTable, Rows
from expound.records import read_lines

if TYPE_CHECKING:
    from expound.protocols import Numbers

PAIRS = Path(__file__).with_name("hurdles_pairs.json")
_SETS = (("cosine",), ("jaccard",), ("jaccard", "cosine"), tuple(FEATURES[:-1]), FEATURES)


def rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a set of features: accuracy, F1 and area under the curve on MRPC, and on the questions."""
    embedder = default_embedder()
    if embedder is None:
        raise UserError("this recipe needs the embedder: run `expound models get`")
    train, test = (_mrpc(path, embedder) for path in files[:2])
    questions = _labelled(files[2], files[3], embedder)
    columns = [
        "features",
        "MRPC accuracy",
        "MRPC F1",
        "MRPC area",
        "questions accuracy",
        "questions area",
        "area, topic",
        "weights",
        "n",
    ]
    return columns, [_row(names, train, test, questions) for names in _SETS]


def _row(names: Sequence[str], train: _Pairs, test: _Pairs, questions: _Pairs) -> list[object]:
    places = [FEATURES.index(name) for name in names]
    weights, intercept = fit(train.rows[:, places], train.labels)
    on_test = _chances(test.rows[:, places], weights, intercept)
    on_questions = _chances(questions.rows[:, places], weights, intercept)
    same = [label == 2 for label in questions.labels]
    is_one = [label == 1 for label in test.labels]
    shown = ", ".join(f"{name} {weight:.4f}" for name, weight in zip(names, weights, strict=True))
    return [
        ", ".join(names), _accuracy(on_test, is_one), _f1(on_test, is_one), area_under_curve(on_test, is_one),
        _accuracy(on_questions, same), area_under_curve(on_questions, same),
        area_under_curve(on_questions, [label > 0 for label in questions.labels]),
        f"{shown}, intercept {intercept:.4f}", len(same),
    ]  # fmt: skip


class _Pairs:
    """Features and labels of pairs of texts."""

    def __init__(self, pairs: Sequence[tuple[str, str]], labels: Sequence[int], embedder: Embedder) -> None:
        import numpy as np

        first, second = (embedder.embed([pair[side] for pair in pairs]) for side in (0, 1))
        cosines = (first * second).sum(axis=1)
        measured = [features(a, b, float(cosine)) for (a, b), cosine in zip(pairs, cosines, strict=True)]
        self.rows: Numbers = np.array(measured)
        self.labels: Numbers = np.array(labels, dtype=np.float64)


def _mrpc(path: Path, embedder: Embedder) -> _Pairs:
    records = [record for _, record in read_lines(path)]
    pairs = [(str(record["sentence1"]), str(record["sentence2"])) for record in records]
    return _Pairs(pairs, [int(record["label"]) for record in records], embedder)


def _labelled(validation: Path, test: Path, embedder: Embedder) -> _Pairs:
    asked = {question.id: question.text for path in (validation, test) for question in Eli5Category(path)}
    records = json.loads(PAIRS.read_text(encoding="utf-8"))["pairs"]
    pairs = [(asked[first], asked[second]) for first, second, _, _ in records]
    return _Pairs(pairs, [label for _, _, _, label in records], embedder)


def _chances(rows: Numbers, weights: Numbers, intercept: float) -> list[float]:
    import numpy as np

    chances: list[float] = (1 / (1 + np.exp(-(rows @ weights + intercept)))).tolist()
    return chances


def _accuracy(chances: Sequence[float], labels: Sequence[bool]) -> float:
    right = [(chance >= 0.5) == label for chance, label in zip(chances, labels, strict=True)]
    return 100 * sum(right) / len(right)


def _f1(chances: Sequence[float], labels: Sequence[bool]) -> float:
    said = [chance >= 0.5 for chance in chances]
    both = sum(a and b for a, b in zip(said, labels, strict=True))
    return 200 * both / (sum(said) + sum(labels))


RECIPE = ControlTable(
    "hurdles-paraphrase",
    "The paraphrase score: fitted on MRPC, measured there and on questions",
    ("MRPC training pairs", "MRPC test pairs", "ELI5-Category validation_2", "ELI5-Category test"),
    rows,
    "Pairs were labelled with the cosine in view, which flatters it. The label 2 counts as a paraphrase.",
)
