"""ASQA's Figure 3 (Stelmakh et al. 2022): what more retrieved passages do to the scores."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, SystemTable, system_recipe

RECIPE = system_recipe(
    SystemTable(
        name="asqa-figure3",
        metrics=("Rouge(profile='asqa')", "StrEm()"),
        rows=tuple(Row(f"{k}", how=Parts(f"TopPassages(k={k})", "Hybrid")) for k in (1, 2, 3, 5, 10)),
    ),
    title="ASQA, Figure 3: scores by the number of passages",
    layout="asqa",
    why="The paper plots passages of DPR and JPR without printing numbers; here they come from your corpus.",
)
