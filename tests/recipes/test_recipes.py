"""Recipes run on data of the right layout and tell the halves apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.recipes import asqa_extractive, clapnq_abstention
from expound.testing import TOY_ARTICLES, evidence_of, write_jsonl
from expound.types import Interpretation, Question

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


def test_the_asqa_table_has_all_rows(asqa_file: Path, passages_file: Path, tmp_path: Path, punkt_file: Path) -> None:
    rows = asqa_extractive.run(passages_file, asqa_file, tmp_path / "out")
    found = {(row["condition"], row["half"], row["system"]): row for row in rows}
    assert len(found) == 2 * 2 * 7
    without, with_gold = (
        found[c, "report", "extractive 80"]["str_em"][0] for c in ("without gold contexts", "with gold contexts")
    )
    assert (without, with_gold) == (50.0, 100.0)  # Charles X stands in a gold context alone
    assert "published" in (tmp_path / "out" / "table.md").read_text()


def test_the_oracle_is_no_worse_than_tfidf(punkt_file: Path) -> None:
    from expound.score.str_em import StrEm
    from expound.types import Prediction

    scores = [
        StrEm().count(QUESTION, Prediction("q1", QUESTION.text, "x", answer))
        for answer in (
            asqa_extractive.tfidf_answer(QUESTION, EVIDENCE, words=25),
            asqa_extractive.oracle_answer(QUESTION, EVIDENCE, words=25),
        )
    ]
    assert scores[1] == 100.0 >= scores[0]


def test_halves_are_stable_and_about_equal() -> None:
    halves = [asqa_extractive.half_of(str(number)) for number in range(1000)]
    assert 400 < halves.count("choose") < 600
    assert halves == [asqa_extractive.half_of(str(number)) for number in range(1000)]


def test_clapnq_rates_are_measured(tmp_path: Path) -> None:
    def row(question: str, title: str) -> dict[str, object]:
        return {"id": question, "input": question, "passages": [{"title": title, "text": TOY_ARTICLES[title]}]}

    answerable = write_jsonl(tmp_path / "a.jsonl", [row("Which countries does the Danube flow through?", "Danube")])
    unanswerable = write_jsonl(tmp_path / "u.jsonl", [row("Who won the cup of nations in Peru?", "Jellyfish")])
    clapnq_abstention.run(answerable, unanswerable, tmp_path / "earlier")
    result = clapnq_abstention.run(answerable, unanswerable, tmp_path / "out")
    assert result["answered, of the answerable (%)"] == 100
    assert result["left open, of the unanswerable (%)"] == 100
