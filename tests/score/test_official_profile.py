"""Scoring by the asqa profile, end to end, prints what ASQA's own script prints."""

from __future__ import annotations

import pytest

from expound.datasets.predictions import predictions_from, with_meta
from expound.score.official import with_official_aggregate
from expound.score.results import Scorer
from golden import TOLERANCE, golden, golden_names
from score.asqa_cases import answer_of, question_of

NAMES = {
    "rouge1": "rouge_1", "rouge2": "rouge_2", "rougeL": "rouge_l", "rougeLsum": "rouge_lsum", "length": "length",
    "str_em": "str_em", "QA-EM": "qa_em", "QA-F1": "qa_f1", "QA-Hit": "qa_hit", "ovscore": "dr",
}  # fmt: skip


@pytest.mark.parametrize("name", golden_names("asqa"))
def test_the_official_numbers_come_out_with_their_seed(name: str, punkt_file: object) -> None:
    case = golden(name)
    expected = case["expected"]
    questions = [question_of(case, id) for id in expected["per_item"]]
    predictions = predictions_from({item.id: answer_of(case, item.id) for item in questions}, "golden")
    short: dict[str, dict[int, object]] = {}
    for key, said in case.get("qa_predictions", {}).items():
        id, _, index = key.rpartition("_")
        short.setdefault(id, {})[int(index)] = said
    scores = Scorer("asqa", samples=1).score(with_meta(predictions, "short_answers", short), questions)
    for result in scores.results:
        for official, ours in NAMES.items():
            if ours == result.metric and official.startswith("QA"):
                values = {id: 100 * item[official] for id, item in expected["per_item"].items()}
                assert result.per_question == pytest.approx(values, abs=TOLERANCE)
    official_scores = with_official_aggregate(scores, 0, alone=case["options"]["rouge_metrics"] == ["rougeLsum"])
    values = {result.metric: result.value for result in official_scores.results}
    for official, value in expected["aggregate_official_numpy_seed_0"].items():
        assert values[NAMES[official]] == pytest.approx(value, abs=TOLERANCE), official
