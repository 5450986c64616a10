"""AmbigQA's Table 8 (Min et al. 2020): how much the other references of NQ-open are worth."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

_TRAINED = "a trained model: score its predictions with expound score, dev set"


def _name_published(any_reference: float, first: float) -> dict[str, float]:
    return {"em_any": any_reference, "em_first": first}


RECIPE = system_recipe(
    name="ambigqa-table8",
    title="AmbigQA, Table 8: exact match on NQ-open with any or the first reference (dev columns)",
    layout="nq-open",
    metrics=("ExactMatch()", "ExactMatch(first=True)"),
    rows=(
        Row("Min et al. 2019b", _name_published(34.7, 32.4), why=_TRAINED),
        Row("Asai et al. 2020", _name_published(31.7, 28.9), why=_TRAINED),
        Row("Karpukhin et al. 2020", _name_published(39.8, 37.0), why=_TRAINED),
        Row("SpanSeqGen", _name_published(42.0, 38.8), why=_TRAINED),
        Row(
            "readings from evidence, the first",
            how=Parts("ListAnswers(most=1)", "Hybrid", "EvidenceOnly()"),
            why="ours",
        ),
    ),
)
