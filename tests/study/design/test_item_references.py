"""Items keep the references of their questions, for metrics that are held against the judgments; no rater sees them."""

from __future__ import annotations

from pathlib import Path

from expound.datasets.judgment_lines import JudgmentLines
from expound.study.design.items import Item, item_from, item_record, view_of
from expound.study.design.pairing import gather_answers, make_items
from expound.testing import write_jsonl

REFERENCES = ("It is 31 metres deep.", "31 metres.")


def make_item(folder: Path, *names: str, references: bool = False) -> Item:
    """The item of a pair: the answers of the named systems, and the first reference if it competes."""
    dataset = write_jsonl(folder / "dev.jsonl", [{"id": "1", "question": "How deep?", "references": list(REFERENCES)}])
    rows = [{"id": "1", "question": "How deep?", "answer": "Deep."}]
    systems = {name: write_jsonl(folder / f"{name}.jsonl", rows) for name in names}
    found = gather_answers(f"qa:{dataset}", systems, references=references, pairing="random", limit=0, seed=0)
    [item] = make_items("pairs", found, pairing="random", seed=0)
    return item


def test_an_item_keeps_the_references_of_its_question(tmp_path: Path) -> None:
    item = make_item(tmp_path, "one", "two")
    assert item.references == REFERENCES
    assert item_from(item_record(item)) == item


def test_a_reference_that_competes_is_none_of_its_item(tmp_path: Path) -> None:
    assert make_item(tmp_path, "one", references=True).references == REFERENCES[1:]


def test_no_rater_sees_a_reference(tmp_path: Path) -> None:
    assert "31 metres" not in repr(view_of(make_item(tmp_path, "one", "two"), "ab"))


def test_exported_judgments_have_the_references_of_their_items(tmp_path: Path) -> None:
    item = make_item(tmp_path, "one", "two")
    write_jsonl(tmp_path / "judged.items.jsonl", [item_record(item)])
    judged = {
        "study": "s", "form": "f", "item": item.id, "question_id": "1", "rater": "Ann", "criterion": "overall",
        "a": "one", "b": "two", "choice": "a", "value": None, "shown": "ab", "seconds": 1.0, "domain": "",
        "comment": "", "at": "",
    }  # fmt: skip
    [preference] = JudgmentLines(write_jsonl(tmp_path / "judged.jsonl", [judged]))
    assert preference.question.references == REFERENCES
