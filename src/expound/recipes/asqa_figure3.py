"""ASQA's Figure 3 (Stelmakh et al. 2022): what more retrieved passages do to the scores."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

RECIPE = system_recipe(
    name="asqa-figure3",
    title="ASQA, Figure 3: scores by the number of passages",
    layout="asqa",
    metrics=("Rouge(profile='asqa')", "StrEm()"),
    rows=tuple(Row(f"{k}", how=Parts(f"TopPassages(k={k})", "Hybrid")) for k in (1, 2, 3, 5, 10)),
    why="The paper plots passages of DPR and JPR without printing numbers; here they come from your corpus.",
)
