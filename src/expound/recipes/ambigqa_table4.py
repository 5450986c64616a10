"""The always-prompt rows of AmbigQA's Table 4 (Min et al. 2020): what the question as it was asked scores by itself."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

_TRAINED = "a trained model: score its predictions with expound score"


def _name_published(bleu: float, edit: float) -> dict[str, float]:
    return {"f1_bleu4": bleu, "f1_edit_f1": edit}


RECIPE = system_recipe(
    name="ambigqa-table4",
    title="AmbigQA, Table 4: gold answers given",
    layout="ambignq",
    metrics=("F1Bleu(order=4)", "F1EditF1()", "F1Answer(multi=True)"),
    rows=(
        Row("QD model", _name_published(40.1, 19.2), why=_TRAINED),
        Row("QD model without the prompt question", _name_published(15.1, 19.2), why=_TRAINED),
        Row("QD model without untargeted answers", _name_published(41.2, 17.2), why=_TRAINED),
        Row(
            "always the prompt question",
            _name_published(47.4, 0.0),
            Parts("ListAnswers()", clarify="GoldAnswersPromptQuestion()"),
            why="gold answers: those of the annotation that has most",
        ),
    ),
)
