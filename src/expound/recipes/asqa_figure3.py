"""ASQA's Figure 3 (Stelmakh et al. 2022): what more retrieved passages do to the scores."""

from __future__ import annotations

from expound.recipes.table import Recipe, Row

RECIPE = Recipe(
    "asqa-figure3",
    "ASQA, Figure 3: scores by the number of passages",
    "asqa",
    ("Rouge(profile='asqa')", "StrEm()"),
    tuple(Row(f"{k}", {}, f"TopPassages(k={k})", "Hybrid") for k in (1, 2, 3, 5, 10)),
    "The paper plots passages of DPR and JPR without printing numbers; here they come from your corpus.",
)
