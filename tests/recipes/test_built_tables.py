"""The recipes of what `expound build` makes: ELI5's Table 1 and support documents, ASQA's contexts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from build.forum_world import LONG, TOPICS, posts, write_dump
from expound.corpus.library import add
from expound.recipes import Ingredients, find_recipe, measure
from expound.recipes.eli5_table1 import asking_word
from expound.recipes.findings import WithInterval
from expound.testing import write_jsonl


def number(value: object) -> float:
    assert isinstance(value, WithInterval)
    return value.value


@pytest.mark.parametrize(
    ("asked", "word"),
    [("Why?", "why"), ("If ice floats, how do stones sink?", "how"), ("Magnets", "other"), ("Whyever not", "other")],
)
def test_a_question_is_of_the_first_word_that_asks(asked: str, word: str) -> None:
    assert asking_word(asked) == word


def test_table_1_counts_what_joins(tmp_path: Path) -> None:
    rows = [
        {"q_id": f"p{n}", "title": "t", "selftext": "", "answers": {"text": [LONG, f"{LONG} Yes."], "score": [3, 2]}}
        for n in range(0, len(TOPICS), 2)
    ]
    files = (
        Path(write_dump(tmp_path / "RS.jsonl", posts())),
        write_jsonl(tmp_path / "a.jsonl", rows[:2]),
        write_jsonl(tmp_path / "b.jsonl", rows[2:]),
    )
    done = measure(find_recipe("eli5-table1"), Ingredients(files=files))
    values = {finding.row.name: finding.values["mean"] for finding in done.findings}
    assert (values["submissions read"], values["questions"], values["answers"]) == (8, 4, 8)
    assert number(values["asks why, %"]) == 100
    assert number(values["words in the best answer"]) == len(LONG.split())


def test_the_curve_rises_with_the_passages(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    text = (
        "Salt comes from rivers. Fish swim. "
        + "Birds fly on. Trees grow up. " * 9
        + "Rain takes salt from rocks to the sea."
    )
    row = {
        "id": "q",
        "question": "Why does salt come from rivers into the sea?",
        "references": ["Rain takes salt from rocks to the sea."],
        "evidence": [{"id": "p", "text": text}],
    }
    dataset = f"qa:{write_jsonl(tmp_path / 'web.jsonl', [row])}"
    given = Ingredients(dataset=dataset, plot=tmp_path / "curve.svg")
    done = measure(find_recipe("eli5-support-curve"), given)
    shares = [number(finding.values["the sentence of highest ROUGE, %"]) for finding in done.findings]
    assert shares == sorted(shares)
    assert shares[-1] == 100
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").count("<svg") == 1


def test_contexts_stand_beside_the_official_ones(tmp_path: Path) -> None:
    official = "The lamp of Holm was lit in 1843."
    passages = [
        {"id": "1", "title": "Holm", "text": official, "meta": {"source": "wikipedia_asqa_qa_pair_context"}},
        {"id": "2", "title": "Holm", "text": "In 1843 the lamp of Holm was lit by masons.", "meta": {}},
    ]
    add([write_jsonl(tmp_path / "pages.jsonl", passages)], name="holm")
    pairs = [{"question": "When was the lamp of Holm lit?", "short_answers": ["1843"], "context": official}] * 2
    row = {
        "ambiguous_question": "When?",
        "qa_pairs": pairs,
        "annotations": [{"long_answer": "In 1843."}],
        "wikipages": [{"title": "Holm", "url": ""}],
    }
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"dev": {"q": row}}), encoding="utf-8")
    done = measure(find_recipe("asqa-contexts"), Ingredients(dataset=f"asqa:{path}", corpus=("holm",)))
    same = {finding.row.name: finding.values.get("the same paragraph, %") for finding in done.findings}
    assert number(same["with official contexts in the corpus, 0.1"]) == 100
    assert number(same["without official contexts in the corpus, 0.1"]) == 0
