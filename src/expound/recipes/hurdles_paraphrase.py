"""How good the paraphrase score is: fitted on MRPC, measured there and on question pairs labelled by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from expound.corpus.library import default_embedder
from expound.datasets.eli5_category import Eli5Category
from expound.datasets.fields import WRONG, reason, text
from expound.errors import BadInput, UserError
from expound.protocols import Embedder
from expound.recipes.areas import area_figure
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import SEED, mean_figure
from expound.recipes.printing import all_measured
from expound.recipes.shape import Ingredients, Recipe
from expound.records import read_lines
from expound.resource_table import EMBEDDER
from expound.stats.proportions import Figure, pooled_figure, ratio
from expound.text.paraphrase import FEATURES, features, fit

if TYPE_CHECKING:
    from expound.protocols import Numbers

PAIRS = Path(__file__).with_name("hurdles_pairs.json")
_SETS = (("cosine",), ("jaccard",), ("jaccard", "cosine"), tuple(FEATURES[:-1]), FEATURES)
_EVEN = 0.5  # a logistic score from here on says "paraphrase"


@dataclass(frozen=True)
class LabelledPairs:
    """Features of pairs of texts, and their labels: a paraphrase is 1 for MRPC, and 2 for questions."""

    rows: Numbers
    labels: Numbers


@dataclass(frozen=True)
class Samples:
    """What is fitted on, and what is measured on."""

    train: LabelledPairs
    test: LabelledPairs
    questions: LabelledPairs


def read_samples(given: Ingredients) -> Samples:
    """The features of all pairs, which takes the embedder."""
    embedder = default_embedder()
    if embedder is None:
        raise UserError("this recipe needs the embedder: run `expound models get minilm minilm-tokenizer`")
    train, test, validation, questions = given.files
    return Samples(_mrpc(train, embedder), _mrpc(test, embedder), _label_pairs(validation, questions, embedder))


def run_features(samples: Samples, row: Row) -> Values:
    """A set of features: accuracy, F1 and area under the curve on MRPC, and on the questions."""
    places = [FEATURES.index(name) for name in row.how]
    weights, intercept = fit(samples.train.rows[:, places], samples.train.labels)
    on_test = _chances(samples.test.rows[:, places], weights, intercept)
    on_questions = _chances(samples.questions.rows[:, places], weights, intercept)
    is_one = [label == 1 for label in samples.test.labels]
    same = [label == 2 for label in samples.questions.labels]
    fitted = ", ".join(f"{name} {weight:.4f}" for name, weight in zip(row.how, weights, strict=True))
    return {
        "MRPC accuracy": _accuracy(on_test, is_one),
        "MRPC F1": _f1(on_test, is_one),
        "MRPC area": _area(on_test, is_one),
        "questions accuracy": _accuracy(on_questions, same),
        "questions area": _area(on_questions, same),
        "area, topic": _area(on_questions, [label > 0 for label in samples.questions.labels]),
        "weights": f"{fitted}, intercept {intercept:.4f}",
        "n": len(same),
    }


def _pairs_with_features(pairs: Sequence[tuple[str, str]], labels: Sequence[int], embedder: Embedder) -> LabelledPairs:
    import numpy as np

    first, second = (embedder.embed([pair[side] for pair in pairs]) for side in (0, 1))
    # Vectors of the embedder have the length 1: the sum of products is the cosine.
    cosines = (first * second).sum(axis=1)
    rows = [features(a, b, float(cosine)) for (a, b), cosine in zip(pairs, cosines, strict=True)]
    return LabelledPairs(np.array(rows), np.array(labels, dtype=np.float64))


def _mrpc(path: Path, embedder: Embedder) -> LabelledPairs:
    pairs, labels = [], []
    for number, record in read_lines(path):
        try:
            pairs.append((text(record["sentence1"]), text(record["sentence2"])))
            labels.append(int(record["label"]))
        except WRONG as error:
            raise BadInput(f"{path}, line {number}: no pair of sentences with a label ({reason(error)})") from error
    # Of one class alone a fit says it always, and its accuracy is a hundred.
    if len(set(labels)) < 2:
        raise BadInput(f"{path} needs pairs with both labels, 0 and 1")
    return _pairs_with_features(pairs, labels, embedder)


def _label_pairs(validation: Path, test: Path, embedder: Embedder) -> LabelledPairs:
    asked = {question.id: question.text for path in (validation, test) for question in Eli5Category(path)}
    records = json.loads(PAIRS.read_text(encoding="utf-8"))["pairs"]
    unknown = [id for first, second, _, _ in records for id in (first, second) if id not in asked]
    if unknown:
        raise BadInput(
            f"{validation} and {test} lack {len(unknown)} of the labelled questions, such as {unknown[0]}: "
            "they are those of ELI5-Category's whole validation_2 and test files"
        )
    pairs = [(asked[first], asked[second]) for first, second, _, _ in records]
    return _pairs_with_features(pairs, [label for _, _, _, label in records], embedder)


def _chances(rows: Numbers, weights: Numbers, intercept: float) -> list[float]:
    import numpy as np

    chances: list[float] = (1 / (1 + np.exp(-(rows @ weights + intercept)))).tolist()
    return chances


def _accuracy(chances: Sequence[float], labels: Sequence[bool]) -> Figure:
    return mean_figure(100.0 * ((chance >= _EVEN) == label) for chance, label in zip(chances, labels, strict=True))


def _f1(chances: Sequence[float], labels: Sequence[bool]) -> Figure:
    import numpy as np

    said = [chance >= _EVEN for chance in chances]
    # Twice the hits over all that is said and all that is so, pair by pair.
    counts = [(200 * (one and other), int(one) + int(other)) for one, other in zip(said, labels, strict=True)]
    return pooled_figure(np.array(counts, dtype=np.float64), ratio, seed=SEED)


def _area(chances: Sequence[float], labels: Sequence[bool]) -> Figure:
    return area_figure(chances, labels, range(len(chances)))


RECIPE = Recipe(
    resources=EMBEDDER,
    name="hurdles-paraphrase",
    title="The paraphrase score: fitted on MRPC, measured there and on questions",
    files=("MRPC training pairs", "MRPC test pairs", "ELI5-Category validation_2", "ELI5-Category test"),
    rows=tuple(Row(", ".join(names), how=names) for names in _SETS),
    prepare=read_samples,
    run_row=run_features,
    tables=all_measured("features", digits=2),
    why="Pairs were labelled with the cosine in view, which flatters it. The label 2 counts as a paraphrase.",
)
