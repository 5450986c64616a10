"""`build contexts`: a reading gets the viewed paragraph that holds its answer and is nearest to it, or none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import as_json, fail
from expound.build.context_files import ContextRequest, build_contexts, read_viewed
from expound.build.contexts import NONE, ContextRules, plain_title, viewed_titles
from expound.corpus.library import add
from expound.errors import UserError
from expound.testing import write_jsonl
from expound.types import Interpretation, Passage, Question

PAGES = [
    Passage("1", "The first lamp of Holm was lit in 1843 by nine masons.", "Holm lighthouse"),
    Passage("2", "Holm has a harbour. In 1843 a storm broke its wall.", "Holm lighthouse"),
    Passage("3", "The electric lamp of Holm was lit in 1921.", "Holm lighthouse"),
    Passage("4", "The first lamp of Ostrand was lit in 1843.", "Ostrand"),
]
READINGS = (
    Interpretation("When was the first lamp of Holm lit?", ("1843",)),
    Interpretation("When was the electric lamp of Holm lit?", ("1921", "in 1921")),
    Interpretation("When was the lamp of Holm put out?", ("1999",)),
)
ASKED = Question(
    "q", "When was the lamp lit?", interpretations=READINGS, meta={"viewed_doc_titles": ["Holm_Lighthouse"]}
)


def contexts(rules: ContextRules) -> list[str]:
    viewed = read_viewed([ASKED], iter(PAGES))
    return [viewed.context(reading, viewed.of(ASKED), rules).id for reading in READINGS]


def test_the_nearest_paragraph_of_a_viewed_page_that_holds_the_answer_is_the_context() -> None:
    assert contexts(ContextRules(0.1)) == ["1", "3", NONE.id]


def test_a_paragraph_that_is_not_near_enough_is_none() -> None:
    assert contexts(ContextRules(1.0)) == ["", "", ""]


def test_pages_nobody_viewed_are_not_looked_at() -> None:
    viewed = read_viewed([ASKED], iter(PAGES))
    assert [passage.id for passage in viewed.of(ASKED)] == ["1", "2", "3"]


@pytest.mark.parametrize("written", ["Holm_lighthouse", "holm lighthouse", " Holm  Lighthouse "])
def test_titles_are_the_same_however_they_are_written(written: str) -> None:
    assert plain_title(written) == "holm lighthouse"


def test_both_layouts_say_which_pages_were_viewed() -> None:
    asqa = Question("a", "?", meta={"wikipages": [{"title": "Holm", "url": ""}, {"title": "Holm", "url": ""}]})
    assert viewed_titles(asqa) == ["holm"]
    with pytest.raises(UserError, match="question b"):
        viewed_titles(Question("b", "?", meta={"wikipages": ["Holm"]}))


def asqa_file(tmp_path: Path, **more: Any) -> str:
    pairs = [{"question": reading.question, "short_answers": list(reading.answers)} for reading in READINGS]
    row = {
        "ambiguous_question": ASKED.text,
        "qa_pairs": pairs,
        "annotations": [{"long_answer": "In 1843 or 1921."}],
        "wikipages": [{"title": "Holm lighthouse", "url": ""}],
    }
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"dev": {"q": {**row, **more}}}), encoding="utf-8")
    return f"asqa:{path}"


def corpus_of(tmp_path: Path) -> str:
    rows = [{"id": item.id, "title": item.title, "text": item.text} for item in PAGES]
    add([write_jsonl(tmp_path / "pages.jsonl", rows)], name="holm")
    return "holm"


def test_questions_are_written_with_their_contexts(tmp_path: Path) -> None:
    request = ContextRequest(asqa_file(tmp_path), [corpus_of(tmp_path)])
    counts = build_contexts(request, tmp_path / "out")
    assert (counts["readings"], counts["readings with a context"]) == (3, 2)
    line = json.loads((tmp_path / "out" / "contexts.jsonl").read_text(encoding="utf-8"))
    assert line["meta"]["contexts"] == [PAGES[0].text, PAGES[2].text, ""]
    assert line["meta"]["context_wikipages"] == ["Holm lighthouse", "Holm lighthouse", ""]
    assert len(line["evidence"]) == 2


def test_the_command_counts_and_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--corpus", corpus_of(tmp_path), "--out", str(tmp_path / "out")]
    capsys.readouterr()
    dataset = asqa_file(tmp_path)
    assert as_json(capsys, "build", "contexts", "--dataset", dataset, *given)["readings with a context"] == 2
    assert "no cosine" in fail(capsys, "build", "contexts", "--dataset", dataset, *given, "--threshold", "2")
    nothing = asqa_file(tmp_path, wikipages=[])
    assert "annotators viewed" in fail(capsys, "build", "contexts", "--dataset", nothing, *given)
