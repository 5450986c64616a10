"""Recipes run on data of the right layout and tell the halves apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.bounds.oracle import Oracle
from expound.recipes import asqa_extractive, clapnq_abstention
from expound.recipes.asqa_extractive import Setting
from expound.recipes.halves import half_of
from expound.recipes.shape import Ingredients, measure
from expound.testing import TOY_ARTICLES, evidence_of, write_jsonl
from expound.types import Interpretation, MetricResult, Question

QUESTION = Question(
    "q1",
    "Who was the King of France in 1830?",
    references=("Charles X was King of France until August 1830. Then Louis Philippe I was king.",),
    interpretations=(
        Interpretation("Who was king until August?", ("Charles X",)),
        Interpretation("Who was king from August?", ("Louis Philippe I",)),
    ),
)
EVIDENCE = evidence_of(*TOY_ARTICLES.values(), titles=list(TOY_ARTICLES))


@pytest.fixture
def asqa_file(tmp_path: Path) -> Path:
    def entry(number: int) -> dict[str, object]:
        return {
            "ambiguous_question": QUESTION.text,
            "qa_pairs": [{"question": r.question, "short_answers": list(r.answers)} for r in QUESTION.interpretations],
            "wikipages": [],
            "annotations": [{"long_answer": text, "knowledge": []} for text in QUESTION.references * 2],
        }

    file = tmp_path / "asqa.json"
    file.write_text(json.dumps({"dev": {f"id{number}": entry(number) for number in range(6)}}))
    return file


@pytest.fixture
def passages_file(tmp_path: Path) -> Path:
    rows = [
        {"id": title, "title": title, "text": text, "source": "wiki" if number else asqa_extractive.GOLD_SOURCES[0]}
        for number, (title, text) in enumerate(TOY_ARTICLES.items())
    ]
    return write_jsonl(tmp_path / "passages.jsonl", rows)


@pytest.fixture(autouse=True)
def an_installed_text_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recipes without a language model must not ask the one that `auto` would take."""
    monkeypatch.setenv("EXPOUND_ENDPOINT", "http://127.0.0.1:9/v1#nobody")


def test_the_asqa_table_has_all_rows(asqa_file: Path, passages_file: Path, tmp_path: Path, punkt_file: Path) -> None:
    done = measure(asqa_extractive.RECIPE, Ingredients(files=(passages_file, asqa_file), out=tmp_path / "out"))
    found = {finding.row.how: finding.values for finding in done.findings if finding.values}
    assert len(found) == 2 * 2 * 7
    without, with_gold = (
        found[Setting(condition, "extractive 80", "report")]["str_em"] for condition in asqa_extractive.CONDITIONS
    )
    assert isinstance(without, MetricResult)
    assert isinstance(with_gold, MetricResult)
    assert (without.value, with_gold.value) == (50.0, 100.0)  # Charles X stands in a gold context alone
    assert "| all of Wikipedia | published | DPR@1 | 99.9" in (tmp_path / "out" / "table.md").read_text()
    assert len(list((tmp_path / "out").glob("asqa-*-gold/*.jsonl"))) == 2 * 7


def test_the_oracle_is_no_worse_than_tfidf(punkt_file: Path) -> None:
    from expound.score.str_em import StrEm
    from expound.types import Prediction

    scores = [
        StrEm().count(QUESTION, Prediction("q1", QUESTION.text, "x", answer))
        for answer in (
            asqa_extractive.tfidf_answer(QUESTION, EVIDENCE, words=25),
            Oracle(words=25).answer_to(QUESTION, EVIDENCE),
        )
    ]
    assert scores[1] == 100.0 >= scores[0]


def test_halves_are_stable_and_about_equal() -> None:
    halves = [half_of(str(number)) for number in range(1000)]
    assert 400 < halves.count("choose") < 600
    assert halves[:5] == ["report", "report", "report", "choose", "choose"]


def test_clapnq_rates_are_measured(tmp_path: Path) -> None:
    def row(question: str, title: str) -> dict[str, object]:
        passages = [{"title": title, "text": TOY_ARTICLES[title]}]
        return {"id": question, "input": question, "passages": passages, "output": []}

    answerable = write_jsonl(tmp_path / "a.jsonl", [row("Which countries does the Danube flow through?", "Danube")])
    unanswerable = write_jsonl(tmp_path / "u.jsonl", [row("Who won the cup of nations in Peru?", "Jellyfish")])
    for out in ("earlier", "out"):
        given = Ingredients(files=(answerable, unanswerable), out=tmp_path / out)
        result = measure(clapnq_abstention.RECIPE, given).record()
        assert result["answerable"] == result["unanswerable"] == 1
        assert result["answered, of the answerable (%)"] == 100
        assert result["left open, of the unanswerable (%)"] == 100
        assert json.loads((tmp_path / out / "table.json").read_text()) == result
