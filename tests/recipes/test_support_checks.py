"""Support checks against known claims: who counts, which threshold is taken, and areas that can be checked by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import BadInput
from expound.recipes import support_checks
from expound.recipes.areas import area_figure, area_of
from expound.recipes.shape import Ingredients, measure
from expound.recipes.support_checks import best_threshold, word_overlap
from expound.recipes.support_claims import altered_answers, voted_sentences
from expound.score import support_reader
from expound.testing import write_jsonl
from expound.types import Span

CONTEXT = (
    "- (Bridge (Sydney)) The bridge opened in 1932.\n- (QA_1) When did it open? 1932, in 1932.\n- (QA_2) Where? Sydney."
)


class Blank:
    """A reader that never answers."""

    name = "blank"

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        return [Span("", 0, 0, 0.0, 1.0) for _ in pairs]


def label_files(folder: Path, questions: int = 12) -> list[Path]:
    """Questions with a sentence that all support, one that none does, and one without a majority."""
    votes = (("It opened in 1932.", "sss"), ("Cats purr.", "nnn"), ("It is grey.</s>", "snp"))
    names = {"s": "supported", "n": "not_supported", "p": "partially"}
    judged = [{"answer": said, "labels": [names[letter] for letter in letters]} for said, letters in votes]
    rows = [{"question_id": n, "system": "gpt3_wdoc", "annotations": judged} for n in range(questions)]
    documents = [{"question_id": n, "docs": [{"text": "It opened in 1932."}]} for n in range(questions)]
    labels, found = folder / "labels.jsonl", folder / "documents.json"
    write_jsonl(labels, rows)
    found.write_text(json.dumps({"webgpt": documents}))
    return [labels, found]


def answer_files(folder: Path, questions: int = 12) -> list[Path]:
    """Altered answers to questions of which the first was trained on."""
    rows = [
        {"question": f"When did bridge {n} open?", "context": CONTEXT, "answer": "It opened in 1931.", "faithful": 0}
        for n in range(questions)
    ]
    answers, trained = folder / "answers.jsonl", folder / "train.json"
    write_jsonl(answers, rows)
    pairs = [{"question": "When?", "short_answers": ["1932"], "context": "", "wikipage": ""}]
    known = {"ambiguous_question": "when did bridge 0 open?", "qa_pairs": pairs, "annotations": [], "wikipages": []}
    trained.write_text(json.dumps({"train": {"0": known}}))
    return [answers, trained]


def test_a_sentence_counts_with_the_majority_of_its_votes(tmp_path: Path) -> None:
    found = list(voted_sentences(*label_files(tmp_path, 1)))
    assert [(claim.text, claim.is_supported) for claim in found] == [
        ("It opened in 1932.", True),
        ("Cats purr.", False),
    ]


def test_an_altered_answer_comes_with_its_original_and_both_kinds_of_evidence(tmp_path: Path) -> None:
    pairs = list(altered_answers(*answer_files(tmp_path, 2)))
    assert [(whole.text, whole.is_supported) for whole, _ in pairs] == [
        ("The bridge opened in 1932.", True),
        ("It opened in 1931.", False),
    ]
    whole, short = pairs[0]
    assert whole.evidence.startswith("The bridge opened in 1932.\n")
    assert short.evidence == "When did it open? 1932, in 1932.\nWhere? Sydney."
    assert short.asked == (("When did it open?", ("1932", "in 1932")), ("Where?", ("Sydney",)))


def test_the_table_has_every_check_on_every_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support_checks, "open_reader", lambda name: Blank())
    monkeypatch.setattr(support_reader, "opened_reader", lambda name: Blank())
    files = (*label_files(tmp_path), *answer_files(tmp_path))
    [(columns, rows)] = measure(support_checks.RECIPE, Ingredients(files=files)).tables()
    table = {(row[0], row[1]): dict(zip(columns, row, strict=True)) for row in rows}
    assert len(rows) == 5 + 6 + 6
    assert str(table["people's votes", "lexical"]["area under the curve"]).startswith("1.000")
    assert str(table["people's votes", "lexical"]["accuracy, %"]).startswith("100.0")
    assert str(table["people's votes", "majority"]["accuracy, %"]).startswith("50.0")
    assert str(table["people's votes", "reader"]["area under the curve"]).startswith("0.500")
    assert ("altered answers, whole context", "reader, the data's own questions") in table


@pytest.mark.parametrize("place", [0, 2])
def test_a_file_of_another_shape_is_named_with_its_line(tmp_path: Path, place: int) -> None:
    files = [*label_files(tmp_path), *answer_files(tmp_path)]
    files[place].write_text('{"other": 1}\n')
    with pytest.raises(BadInput, match=f"{files[place].name}, line 1"):
        list(voted_sentences(*files[:2]) if place == 0 else altered_answers(*files[2:]))


def test_the_threshold_makes_most_right() -> None:
    assert best_threshold([(0.1, False), (0.4, False), (0.6, True), (0.9, True)]) == 0.6
    assert best_threshold([(0.5, True), (0.5, False)]) == 0.5
    assert best_threshold([(0.2, True), (0.8, False), (0.9, False)]) > 0.9


scored = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([0.0, 0.5, 1.0]), st.booleans()), min_size=2)


@given(scored)
def test_the_area_over_questions_is_the_area_over_claims(rows: list[tuple[str, float, bool]]) -> None:
    questions, scores, labels = (list(column) for column in zip(*rows, strict=True))
    found = area_figure(scores, labels, questions)
    assert found.n == len(set(questions))
    assert math.isclose(found.value, area_of(scores, labels), abs_tol=1e-9) or len(set(labels)) == 1


def test_the_area_is_the_chance_of_being_above_and_a_tie_is_a_half() -> None:
    assert area_of([3, 2, 1], [True, True, False]) == 1
    assert area_of([1, 1], [True, False]) == 0.5
    assert math.isnan(area_of([1, 2], [True, True]))
    assert math.isnan(area_of([], []))


def test_word_overlap_is_the_share_of_words() -> None:
    assert word_overlap("It opened in 1932.", "It closed in 1932!") == 0.75
    assert word_overlap("It opened.", "?!") == 0.0
