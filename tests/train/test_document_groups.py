"""Groups of questions to documents: near passages are wrong, parts of the answer are neither."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from expound.errors import UserError
from expound.train.data.document_data import build_document_data
from expound.train.data.document_groups import Mix, WordIndex, group_of_candidates, iter_document_groups
from expound.train.data.document_sets import DocumentCase
from expound.train.data.group_files import Group, read_groups
from expound.train.data.page_passages import PagePassage
from expound.train.data.write_data import write_document_data

OVEN = [
    PagePassage(document="oven.md", title="Oven", path=("Heat", f"Part {number}"), text=text, section=number)
    for number, text in enumerate(
        [
            "Light the oven with long matches.",
            "The oven door is heavy.",
            "Ashes of the oven are grey.",
            "Bread is sold on Mondays.",
            "Bakers rise early.",
            "Lighting takes ten minutes.",
        ]
    )
]
CASE = DocumentCase(
    question="How do I light the oven?",
    kind="how-to",
    origin="docfaq",
    collection="oven",
    positives=(0,),
    neutral=(5,),
    part="train",
)
MILL = [
    PagePassage(document="mill.md", title="Mill", path=(), text=f"The mill wheel {number}.", section=0)
    for number in range(30)
]
COLLECTIONS = {"oven": OVEN, "mill": MILL}


def groups_of(case: DocumentCase, mix: Mix) -> list[Group]:
    nearest = [1, 2, 3]
    return list(iter_document_groups([case], COLLECTIONS, mix, nearest=lambda _: nearest, rng=random.Random(1)))


def test_words_find_the_passage() -> None:
    index = WordIndex(passage.read() for passage in OVEN)
    assert index.best("lighting with matches", 1) == [0]
    assert index.best("zebra", 3) == []


def test_a_part_of_the_answer_is_neither_right_nor_wrong() -> None:
    group = groups_of(CASE, Mix(foreign_share=0))[0]
    assert group.positives == ("Oven > Heat > Part 0. Light the oven with long matches.",)
    assert not any("ten minutes" in text for text in group.negatives)
    assert any("door" in text for text in group.negatives)


def test_a_heading_that_asks_stands_in_no_passage_of_its_group() -> None:
    case = replace(CASE, question="lighting", kind="heading", origin="manual_heading", neutral=())
    group = groups_of(case, Mix(foreign_share=0, keep_heading_share=0))[0]
    assert not any("Part" in text for text in (*group.positives, *group.negatives))


def test_a_held_out_question_has_its_candidates_and_a_part_of_the_answer_is_wrong() -> None:
    group = group_of_candidates(CASE, OVEN, [5, 1, 0])
    assert group.positives == ("Oven > Heat > Part 0. Light the oven with long matches.",)
    assert [text.split(". ")[1] for text in group.negatives] == [
        "Lighting takes ten minutes.",
        "The oven door is heavy.",
    ]


DOCUMENT = """# Oven

## Heat

Light the oven with long matches every morning before the bakers come, and keep the door open.

## Door

The oven door is heavy, so that two bakers lift it together; ask another baker before you touch it.
"""


def write_set(folder: Path, name: str, documents: int) -> None:
    """Questions on pages that differ in their title only."""
    lines = [
        {
            "question": f"How do I light oven {number}?",
            "kind": "how-to",
            "documents": [{"id": f"project/ovens/{number}.md", "title": f"Oven {number}", "text": DOCUMENT}],
            "gold_sentences": ["Light the oven with long matches every morning before the bakers come."],
            "meta": {},
        }
        for number in range(documents)
    ]
    with gzip.open(folder / f"{name}.jsonl.gz", "wt") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))


def test_sets_become_files_of_groups_and_no_document_is_in_two(tmp_path: Path) -> None:
    write_set(tmp_path, "medquad_subset", 40)
    contents = write_document_data(tmp_path, tmp_path / "out", seed=1)
    assert set(contents) == {"train.jsonl", "choose.jsonl", "decide.jsonl"}
    asked = [{g.question for g in read_groups([tmp_path / "out" / name])} for name in contents]
    assert sum(map(len, asked)) == len(set().union(*asked)) == 40
    first = read_groups([tmp_path / "out" / "train.jsonl"])[0]
    assert "long matches" in first.positives[0]
    assert any("two bakers" in text for text in first.negatives)


def test_a_manual_gives_questions_of_its_headings(tmp_path: Path) -> None:
    write_set(tmp_path, "medquad_subset", 2)
    page = "# Guide\n\n## Why is the oven cold?\n\n" + "Because nobody has lit it yet this morning, so light it. " * 9
    record = {"package": "oven", "licence": "MIT", "licence_text": "", "classifiers": [], "docs": [["guide.md", page]]}
    (tmp_path / "manuals").mkdir()
    with gzip.open(tmp_path / "manuals" / "oven.json.gz", "wt") as file:
        json.dump(record, file)
    groups = build_document_data(tmp_path, tmp_path / "manuals", seed=1)
    assert "why is the oven cold" in {group.question for part in groups.values() for group in part}


@pytest.mark.parametrize(("sets", "manuals", "said"), [("", None, "has none of the sets"), ("s", "m", "has no manual")])
def test_a_folder_without_data_is_named(tmp_path: Path, sets: str, manuals: str | None, said: str) -> None:
    for name in ("s", "m"):
        (tmp_path / name).mkdir()
    write_set(tmp_path / "s", "medquad_subset", 2)
    with pytest.raises(UserError, match=said):
        build_document_data(tmp_path / sets, tmp_path / manuals if manuals else None, seed=1)
