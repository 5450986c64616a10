"""Table 7 of Krishna et al. 2021: how high trivial answers score on ELI5, and how low good ones."""

from __future__ import annotations

from expound.recipes.table import Recipe, Row

_TRAINED = "a trained model: score its predictions with expound score"


def _published(f1: float, rouge: float) -> dict[str, float]:
    return {"f1": f1, "rouge_l": rouge}


RECIPE = Recipe(
    "hurdles-table7",
    "Hurdles, Table 7: bounds on ELI5 (validation columns)",
    "eli5-category",
    ("KiltAnswer(kind='f1')", "KiltAnswer(kind='rouge_l')"),
    (
        Row("random train answer (lower)", _published(17.8, 16.2), "RandomAnswer(train='{train}')"),
        Row("copy input, five times (lower)", _published(16.6, 20.0), "RepeatQuestion(times=5)"),
        Row("RAG", _published(17.2, 16.1), why=_TRAINED),
        Row("BART + DPR", _published(18.8, 18.5), why=_TRAINED),
        Row("longest top-1 train answer", _published(25.2, 20.7), "LongestOfTopK(train='{train}', k=1, by='tfidf')"),
        Row("longest top-7 train answer", _published(26.9, 21.1), "LongestOfTopK(train='{train}', k=7, by='tfidf')"),
        Row("RT + c-REALM", _published(25.6, 24.4), why=_TRAINED),
        Row("best top-1 train answer (upper)", _published(25.9, 22.4), "BestOfTopK(train='{train}', k=1, by='tfidf')"),
        Row("best top-7 train answer (upper)", _published(31.5, 28.5), "BestOfTopK(train='{train}', k=7, by='tfidf')"),
        Row("longest gold answer (upper)", _published(26.7, 21.2), "LongestGold()", protocol="others"),
        Row("best gold answer (upper)", _published(29.5, 26.2), "BestGold()", protocol="others"),
    ),
    "Published numbers are over KILT's ELI5 with 272,000 training questions; neighbours are found by c-REALM there. "
    "Questions with one reference cannot be scored in the gold rows.",
)
