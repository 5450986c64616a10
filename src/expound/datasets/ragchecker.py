"""RAGChecker's meta-evaluation (Ru et al. 2024): two retrieval-augmented answers compared by three criteria."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import fields, identifier, text
from expound.datasets.preferences import choice_of, read_judged
from expound.types import Preference, Question

# Each pair of the study was judged by two people: a third row of one repeats a vote.
_RATERS = 2
CRITERIA = ("correctness", "completeness", "overall")
# Clear and slight preference are one choice: a pair has no room for how sure a rater was.
_CHOICES = {-2: "a", -1: "a", 0: "tie", 1: "b", 2: "b"}


@dataclass(frozen=True)
class RagChecker:
    """Lines, or a list, of `{"instance_id", "query", "gt_answer", "model1", "model2", "<criterion>_label"}`.

    A label runs from -2 (model1 clearly better) over 0 (as good) to 2 (model2 clearly better); `meta["label"]` keeps
    it. The file does not say so itself, but the release's own script correlates it with what model2 scores more than
    model1; and model1 covers 20 points more of the reference's words where the overall label is -2, 19 fewer at 2.
    A pair stands in the file once for each of its two annotators, unnamed: `rater` only tells these two apart.
    """

    path: Path

    def __iter__(self) -> Iterator[Preference]:
        # Anew for each pass over the file: the second of two annotators is told by having come second.
        judged: Counter[str] = Counter()

        def preferences(row: Mapping[str, Any]) -> Iterator[Preference]:
            instance = identifier(row["instance_id"])
            judged[instance] += 1
            # Nobody is named: a row that stands there once more would be another vote.
            if judged[instance] > _RATERS:
                raise ValueError(f"a third judgment of the pair {instance}, which {_RATERS} people judged; keep two")
            return _preferences(row, instance, str(judged[instance]))

        return read_judged(self.path, "ragchecker", preferences)


def _preferences(row: Mapping[str, Any], instance: str, rater: str) -> Iterator[Preference]:
    dataset = text(row["dataset"])
    question = Question(f"{dataset}-{identifier(row['query_id'])}", text(row["query"]), (text(row["gt_answer"]),))
    one, other = fields(row["model1"]), fields(row["model2"])
    for criterion in CRITERIA:
        label = row[f"{criterion}_label"]
        yield Preference(
            id=f"{instance}-{rater}-{criterion}",
            question=question,
            a=text(one["response"]),
            b=text(other["response"]),
            choice=choice_of(label, _CHOICES),
            a_system=text(one["model_name"]),
            b_system=text(other["model_name"]),
            criterion=criterion,
            rater=rater,
            domain=dataset,
            meta={"label": label},
        )
