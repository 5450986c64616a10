"""Recipes that hold metrics against people: ASQA's printed correlations, and the experts of Xu et al. 2023."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Capture, as_json, succeed
from datasets.test_preferences import QA, RAG, XU, write
from datasets.test_ratings import ALCE
from expound.errors import UserError
from expound.recipes import critical_table4, critical_table11
from expound.recipes.catalogue import find_recipe
from expound.recipes.findings import WithInterval
from expound.recipes.shape import Ingredients, Measurement, measure
from expound.stats.correlation import pearson
from expound.stats.proportions import wilson
from expound.testing.scripted import ScriptedModel
from expound.types import Prompt
from golden import SHARED

DATA = SHARED / "data" / "human_judgments"


def value(found: Measurement, row: str, name: str) -> WithInterval:
    [number] = [finding.values[name] for finding in found.findings if finding.row.name == row]
    assert isinstance(number, WithInterval)
    return number


def note(found: Measurement, row: str) -> str:
    [finding] = [finding for finding in found.findings if finding.row.name == row]
    return finding.row.why


def test_the_printed_correlations_of_asqa_follow_from_its_printed_tables() -> None:
    found = measure(find_recipe("asqa-table5"), Ingredients())
    for finding in found.findings:
        for name, published in finding.row.published.items():
            number = value(found, finding.row.name, name)
            assert number.value == pytest.approx(published, abs=0.3)
            assert number.n == 6
    # Whoever has no file of ALCE's learns what its rows need, and still has the paper's.
    [utility, on_asqa] = [finding for finding in found.findings if finding.row.name.startswith("utility")]
    assert not utility.values
    assert "needs ALCE's judgments" in utility.row.why
    assert "needs ALCE's judgments" in on_asqa.row.why


def test_systems_that_people_judged_elsewhere_stand_in_the_table_of_correlations(tmp_path: Path) -> None:
    answers = ((1, False), (2, True), (3, False), (5, True))
    rows = [
        {**ALCE, "dataset": name, "system": f"{name}-{system}.json", "output": "word " * words, "utility_score": mark,
         "automatic_correctness_scores": [passed, True]}
        for name, marks in (("asqa", (1, 2, 3, 5)), ("eli5", (3, 3, 2, 1)))
        for system, ((words, passed), mark) in enumerate(zip(answers, marks, strict=True))
    ]  # fmt: skip
    found = measure(find_recipe("asqa-table5"), Ingredients(files=(write(tmp_path, rows),)))
    on_asqa, both = "utility, ALCE's systems on ASQA", "utility, ALCE's systems"
    assert value(found, on_asqa, "Length").value == pytest.approx(100)
    assert (value(found, on_asqa, "Length").n, value(found, both, "Length").n) == (4, 8)
    expected = pearson([1, 2, 3, 5, 3, 3, 2, 1], [0.5, 1, 0.5, 1] * 2)
    assert value(found, both, "checks of correctness").value == pytest.approx(100 * expected)


def test_a_recipe_whose_files_may_be_left_out_runs_without_any(capsys: Capture) -> None:
    assert "| ACC | 72.4 | 72.4 (" in succeed(capsys, "recipe", "asqa-table5")


def test_a_file_too_many_is_told_with_what_may_follow(tmp_path: Path) -> None:
    file = write(tmp_path, [ALCE])
    with pytest.raises(UserError, match=r"needs 0 files; may follow: ALCE's judgments"):
        measure(find_recipe("asqa-table5"), Ingredients(files=(file, file)))


@pytest.mark.parametrize("name", ["critical-table4", "critical-figure3"])
def test_every_row_is_measured_or_has_a_reason(name: str, use_resources: Callable[..., object], tmp_path: Path) -> None:
    use_resources("punkt")
    files = (write(tmp_path, [XU], "xu.jsonl"), write(tmp_path, [QA], "qa.jsonl"))
    found = measure(find_recipe(name), Ingredients(files=files))
    assert all(finding.values or finding.row.why for finding in found.findings)
    assert any(finding.values for finding in found.findings)


def test_the_experts_column_is_that_of_the_golden_file(use_resources: Callable[..., object]) -> None:
    files = (
        DATA / "xu2023_expert_pairwise_130.jsonl.gz",
        DATA / "qa_feedback_preferences_and_errors_250.jsonl.gz",
    )
    if not files[0].exists():
        pytest.skip("needs ../shared/data")
    use_resources("punkt")
    found = measure(find_recipe("critical-table4"), Ingredients(files=files))
    assert value(found, "Length", "accuracy").value == pytest.approx(100 * 45 / 64)
    assert value(found, "Self-BLEU, lower is better", "accuracy").value == pytest.approx(100 * 20 / 64)
    assert value(found, "Human", "accuracy").value == pytest.approx(77.5)
    assert value(found, "best baseline", "accuracy").value == value(found, "Length", "accuracy").value
    assert value(found, "ROUGE-L, QA-Feedback", "accuracy").n > 1000
    # What stands in a file that was not named says so, and the rows of the others stay.
    assert "needs judgments in the layout ragchecker" in note(found, "ROUGE-L, RAGChecker")


def test_references_of_a_third_study_stand_in_as_well(use_resources: Callable[..., object], tmp_path: Path) -> None:
    use_resources("punkt")
    reference = {"gt_answer": "it rains because warm air rises", "overall_label": -1}
    answers = {"model1": {"model_name": "one", "response": "because warm air rises"},
               "model2": {"model_name": "two", "response": "nobody knows, and many have asked so"}}  # fmt: skip
    files = (
        write(tmp_path, [XU], "xu.jsonl"),
        write(tmp_path, [QA], "qa.jsonl"),
        write(tmp_path, [{**RAG, **reference, **answers}], "rag.jsonl"),
    )
    rows = ("ROUGE-L, RAGChecker", "Length, RAGChecker", "best baseline, RAGChecker")
    found = measure(find_recipe("critical-table4"), Ingredients(files=files, rows=rows))
    assert value(found, "ROUGE-L, RAGChecker", "accuracy").value == 100
    assert value(found, "Length, RAGChecker", "accuracy").value == 0
    # A coin beats Length here: the best baseline is the best of all three, and is named.
    assert value(found, "best baseline, RAGChecker", "accuracy").value == 50
    assert "| best baseline, RAGChecker |  | 50.0 (50.0–50.0) |  | 1 |  | Random |" in found.markdown()


def test_three_experts_of_one_pair_are_not_three_pairs_of_experts(tmp_path: Path) -> None:
    texts = [("Yes.", "No."), ("No.", "Perhaps."), ("Who?", "Why?"), ("It is.", "It was.")]
    # Of every other pair all three say the same, of the rest one says otherwise: 3 and 1 of 3 agreements.
    rows = [
        {**XU, "id": f"{rater}{number}", "annotator_file": rater, "question_text": f"Why {number}?", "answer1": a,
         "answer2": b, "BetterAnswer": "Answer B" if number % 2 and rater == "z" else "Answer A"}
        for number, (a, b) in enumerate(texts)
        for rater in "xyz"
    ]  # fmt: skip
    files = (write(tmp_path, rows, "xu.jsonl"), write(tmp_path, [QA], "qa.jsonl"))
    human = value(
        measure(find_recipe("critical-table4"), Ingredients(files=files, rows=("Human",))), "Human", "accuracy"
    )
    assert human.value == pytest.approx(100 * 8 / 12)
    assert human.n == 12
    low, high = wilson(8, 12)
    assert human.high - human.low > 100 * (high - low)


def test_metrics_by_a_small_model_are_asked_of_the_experts_pairs_alone(tmp_path: Path) -> None:
    files = (write_agreed(tmp_path), write(tmp_path, [QA], "qa.jsonl"))
    found = measure(find_recipe("critical-figure3"), Ingredients(files=files))
    # Five pairs of experts and six of QA-Feedback.
    assert value(found, "distinct words and Length", "alike").n == 11
    assert "smollm2" in note(found, "perplexity by SmolLM2, lower is better and Length")
    assert "no pair has both" in note(found, "ROUGE-L and question likelihood by SmolLM2")


def test_a_text_model_that_chooses_stands_in_the_table_beside_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel(
        lambda prompt: "ANSWER1 is better." if "ANSWER1: Yes" in prompt.text else "ANSWER2 is better."
    )
    monkeypatch.setattr(critical_table4, "choose_model", lambda name: model)
    files = (write_agreed(tmp_path), write(tmp_path, [QA], "qa.jsonl"))
    row = "a text model that chooses (--model)"
    found = measure(find_recipe("critical-table4"), Ingredients(files=files, rows=(row,)))
    # Four pairs on which experts agree; the fifth is split.
    assert (value(found, row, "accuracy").value, value(found, row, "accuracy").n) == (100, 4)
    assert value(found, row, "less Length").value == 0


def test_without_a_model_the_row_of_the_chooser_says_what_it_needs(tmp_path: Path) -> None:
    files = (write_agreed(tmp_path), write(tmp_path, [QA], "qa.jsonl"))
    rows = ("Length", "a text model that chooses (--model)")
    [length, chooser] = measure(find_recipe("critical-table4"), Ingredients(files=files, rows=rows)).findings
    assert length.values
    assert not chooser.values
    assert "name it with --model" in chooser.row.why


def test_the_printed_votes_of_asqa_are_whole_halves_and_share_out_all_points() -> None:
    found = measure(find_recipe("asqa-table4"), Ingredients())
    for name in ("COMP", "FLUE", "HO"):
        numbers = [value(found, finding.row.name, name) for finding in found.findings]
        for finding, number in zip(found.findings, numbers, strict=True):
            assert number.value == pytest.approx(finding.row.published[name], abs=0.06)
            assert number.n == 45
        # Three pairs of six answers to a question: three points.
        assert sum(number.value for number in numbers) == pytest.approx(300)


def test_nothing_is_called_measured_where_nothing_was(capsys: Capture) -> None:
    printed = succeed(capsys, "recipe", "asqa-table4")
    assert "measured |" not in printed.splitlines()[0]
    # 20 of 45 comparisons are the printed 44.4 %.
    assert "| JPR@1 | 36.1 | 44.4 | 44.4 (30.9–58.8) |" in printed
    [row, *_] = as_json(capsys, "recipe", "asqa-table4")
    assert "measured" not in row


def write_agreed(folder: Path) -> Path:
    """Four pairs of a domain on which two experts agree, and one on which they do not."""
    texts = [("Yes, because it is so and so.", "No.")] * 3 + [("No.", "Yes, it is."), ("Perhaps.", "Who knows?")]
    rows = [
        {
            **XU,
            "id": f"{rater}{number}",
            "annotator_file": rater,
            "domain": "Biology",
            "question_text": f"Why {number}?",
            "answer1": a,
            "answer2": b,
            "BetterAnswer": "Answer A" if a[0] == "Y" or (number, rater) == (4, "x") else "Answer B",
        }
        for number, (a, b) in enumerate(texts)
        for rater in "xy"
    ]
    return write(folder, rows, "agreed.jsonl")


def test_a_judge_is_measured_where_all_experts_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def yes(prompt: Prompt) -> str:
        last = prompt.text.rpartition("QUESTION:")[2]
        return "ANSWER1 is better." if "ANSWER1: Yes" in last else "ANSWER2 is better."

    model = ScriptedModel(yes)
    monkeypatch.setattr(critical_table11, "choose_model", lambda name: model)
    found = measure(find_recipe("critical-table11"), Ingredients(files=(write_agreed(tmp_path),)))
    for row in ("Biology", "all four domains"):
        assert value(found, row, "accuracy").value == value(found, row, "consistency").value == 100
        assert value(found, row, "accuracy").n == 2
    assert value(found, "the longer answer", "accuracy").n == 2
    assert str(found.findings[0].values["judge"]).startswith("fails none; ")
    assert "Biology" in found.markdown()


def test_without_a_model_the_table_says_what_it_needs(tmp_path: Path) -> None:
    found = measure(find_recipe("critical-table11"), Ingredients(files=(write_agreed(tmp_path),)))
    assert [finding.row.name for finding in found.findings if finding.values] == ["the longer answer"]
    assert "not run: needs a text model" in found.findings[0].row.why
