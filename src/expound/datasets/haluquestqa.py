"""HaluQuestQA (Sachdeva et al. 2024): experts choose between a person's and a model's answer and mark its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import text
from expound.datasets.preferences import choice_of, read_judged
from expound.records import question_id
from expound.types import Preference, Question

_SYSTEMS = {"human_answer": "human", "model_answer": "model"}
# In the order of the paper's table; the names are those of the file's columns.
_ASPECTS = ("factuality", "relevance", "completeness", "reference", "ques_misconception", "overall")


@dataclass(frozen=True)
class HaluQuestQa:
    """Lines of `{"question_text", "ans1_text", "ans2_text", "ans1_label", "ans_preference", "category", …}`.

    The choice is the expert's own (no ties). `meta["scores"]` has the released score of every aspect for the answers
    a and b: those were computed from the marked spans, so they are no choices of their own.
    """

    path: Path

    def __iter__(self) -> Iterator[Preference]:
        return read_judged(self.path, "haluquestqa", _preferences)


def _preferences(row: Mapping[str, Any]) -> Iterator[Preference]:
    asked = text(row["question_text"])
    a_system, b_system = (choice_of(row[name], _SYSTEMS) for name in ("ans1_label", "ans2_label"))
    yield Preference(
        id=text(row["source_file"]).removesuffix(".txt"),
        question=Question(question_id(asked), asked),
        a=text(row["ans1_text"]),
        b=text(row["ans2_text"]),
        choice=choice_of(row["ans_preference"], {"Answer 1": "a", "Answer 2": "b"}),
        a_system=a_system,
        b_system=b_system,
        rater=text(row["annotator"]),
        domain=text(row["category"]),
        comment=text(row.get("ans_preference_reason") or ""),
        meta={"scores": {"a": _scores(row, a_system), "b": _scores(row, b_system)}},
    )


def _scores(row: Mapping[str, Any], system: str) -> dict[str, float]:
    names = {aspect: f"{aspect}_{system}_score" for aspect in _ASPECTS}
    # An aspect that nobody marked has no score, which is not 0; the release writes numbers as texts.
    return {aspect: float(row[name]) for aspect, name in names.items() if row.get(name) not in (None, "")}
