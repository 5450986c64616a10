"""Table 7 of Krishna et al. 2021: how high trivial answers score on ELI5, and how low good ones."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

_TRAINED = "a trained model: score its predictions with expound score"


def _name_published(f1: float, rouge: float) -> dict[str, float]:
    return {"f1": f1, "rouge_l": rouge}


def _near(answerer: str, k: int) -> Parts:
    """Answers of the nearest training questions."""
    return Parts(f"{answerer}(train='{{train}}', k={k}, by='tfidf')")


RECIPE = system_recipe(
    name="hurdles-table7",
    title="Hurdles, Table 7: bounds on ELI5 (validation columns)",
    layout="eli5-category",
    metrics=("KiltAnswer(kind='f1')", "KiltAnswer(kind='rouge_l')"),
    rows=(
        Row("random train answer (lower)", _name_published(17.8, 16.2), Parts("RandomAnswer(train='{train}')")),
        Row("copy input, five times (lower)", _name_published(16.6, 20.0), Parts("RepeatQuestion(times=5)")),
        Row("RAG", _name_published(17.2, 16.1), why=_TRAINED),
        Row("BART + DPR", _name_published(18.8, 18.5), why=_TRAINED),
        Row("longest top-1 train answer", _name_published(25.2, 20.7), _near("LongestOfTopK", 1)),
        Row("longest top-7 train answer", _name_published(26.9, 21.1), _near("LongestOfTopK", 7)),
        Row("RT + c-REALM", _name_published(25.6, 24.4), why=_TRAINED),
        Row("best top-1 train answer (upper)", _name_published(25.9, 22.4), _near("BestOfTopK", 1)),
        Row("best top-7 train answer (upper)", _name_published(31.5, 28.5), _near("BestOfTopK", 7)),
        Row("longest gold answer (upper)", _name_published(26.7, 21.2), Parts("LongestGold()", protocol="others")),
        Row("best gold answer (upper)", _name_published(29.5, 26.2), Parts("BestGold()", protocol="others")),
    ),
    why="Published numbers are over KILT's ELI5 with 272,000 training questions; neighbours are found by c-REALM "
    "there. Questions with one reference cannot be scored in the gold rows.",
)
