"""Gold answers given: what of Table 4's ablations code can do, and what only a model can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.clarify.gold_answers import GoldAnswers
from expound.errors import UserError
from expound.models.question_rewriter import QuestionRewriter
from expound.recipes import Ingredients, find_recipe, measure
from expound.types import Evidence, Interpretation, Passage, Question

YEARS = {"1920": "Ann Lee", "1990": "Tom Hay"}
ASKED = "Who built the red kite?"
QUESTION = Question(
    "1",
    ASKED,
    interpretations=tuple(Interpretation(f"Who built it in {year}?", (name,)) for year, name in YEARS.items()),
)
EVIDENCE = [
    Evidence(Passage(year, f"The red kite of {year} was built by {name}.", f"Red kite ({year})"), number, 1.0)
    for number, (year, name) in enumerate(YEARS.items(), start=1)
]


def test_code_tells_given_answers_apart_by_their_passages() -> None:
    found = GoldAnswers().clarify_to(QUESTION, EVIDENCE)
    assert ["1920" in found[0].question, "1990" in found[1].question] == [True, True]


def test_without_passages_the_question_stays_as_it_was_asked() -> None:
    assert [reading.question for reading in GoldAnswers().clarify_to(QUESTION, [])] == [ASKED, ASKED]


def test_every_answer_can_be_looked_at_alone() -> None:
    found = GoldAnswers(with_others=False).clarify_to(QUESTION, EVIDENCE)
    assert [reading.answers for reading in found] == [("Ann Lee",), ("Tom Hay",)]


def test_only_a_model_can_write_a_question_that_it_does_not_see() -> None:
    with pytest.raises(UserError, match="needs a text model"):
        GoldAnswers(with_question=False)


def test_gold_answers_are_readings_also_where_nothing_was_searched(tmp_path: Path) -> None:
    pairs = [{"question": f"Who built the red kite in {year}?", "answer": [name]} for year, name in YEARS.items()]
    row = {"id": "1", "question": ASKED, "annotations": [{"type": "multipleQAs", "qaPairs": pairs}]}
    (tmp_path / "dev.json").write_text(json.dumps([row]))
    rows = ("always the prompt question", "QD model without passages")
    given = Ingredients(dataset=f"ambignq:{tmp_path / 'dev.json'}", rows=rows, out=tmp_path / "out")
    for finding in measure(find_recipe("ambigqa-table4"), given).findings:
        assert getattr(finding.values["f1_answer_multi"], "value", 0) == 100


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Who built the red kite that was flown in 1920?", True),
        ("Who built the red kite of 1777?", False),  # stands nowhere
        ("Who but Ann Lee built the red kite?", False),  # gives the answer away
        (ASKED, False),
        ("Who built the red kite of the red kite?", False),  # says nothing new
    ],
)
def test_what_a_taught_writer_says_is_kept_where_it_stands_somewhere(
    written: str, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QuestionRewriter, "rewrite", lambda *_: [written, "Who built the red kite flown in 1990?"])
    [first, second] = GoldAnswers(writer="folder", checked=True).clarify_to(QUESTION, EVIDENCE)
    assert GoldAnswers(writer="folder").clarify_to(QUESTION, EVIDENCE)[0].question == written
    # Code tells the answers apart where the writer may not.
    assert (first.question == written, "1920" in first.question) == (kept, True)
    assert second.question == "Who built the red kite flown in 1990?"
