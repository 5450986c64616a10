"""Blinding: one surface for all systems, ids that say nothing, and marks that give a system away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expound.study.design.blinding import check_blinding, find_giveaways, same_surface
from expound.study.design.items import Item, SystemAnswer
from expound.study.design.making import ItemSources, make_study
from study.study_helpers import Make


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (" The king.", "The king."),
        ("One. \r\nTwo.\r", "One.\nTwo."),
        ("One.\n\n\n\nTwo.", "One.\n\nTwo."),
        ("He said “no”, ``yes'' and ‘perhaps’.", 'He said "no", "yes" and \'perhaps\'.'),
        ("  ", ""),
    ],
)
def test_what_only_a_program_put_there_is_the_same_for_all(written: str, shown: str) -> None:
    assert same_surface(written) == shown


def test_answers_that_start_with_a_blank_are_shown_without_it(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(
        json.dumps({"id": "q", "question": "Who?", "references": ["“X” "]}), encoding="utf-8"
    )
    (tmp_path / "mine.json").write_text(json.dumps({"q": " Charles."}), encoding="utf-8")
    sources = ItemSources(f"qa:{tmp_path}/q.jsonl", {"mine": tmp_path / "mine.json"}, references=True)
    make_study(tmp_path / "study.toml", "eli5-preference", sources, overlap=1, seed=1)
    items = (tmp_path / "study.items.jsonl").read_text(encoding="utf-8")
    assert {one["text"] for one in json.loads(items)["candidates"]} == {"Charles.", '"X"'}


def test_the_number_of_an_item_does_not_name_its_system(make: Make) -> None:
    study = make("eli5-rating", systems=("first", "second", "third"))
    systems = [(placed.item.id[-1], placed.item.candidates[0].system) for placed in study.items.values()]
    assert len(set(systems)) > 3  # three numbers, each of which would stand for one of three systems


def items_of(*systems: Callable[[int], str], count: int = 30) -> list[Item]:
    return [
        Item(
            id=f"q{n}",
            question_id=f"q{n}",
            question="Why?",
            candidates=tuple(SystemAnswer(f"s{place}", write(n)) for place, write in enumerate(systems)),
        )
        for n in range(count)
    ]


def test_a_mark_that_one_system_has_and_the_other_has_not_is_found() -> None:
    found = find_giveaways(items_of(lambda n: f"- Point {n}.", lambda n: f"A point {n}."), seed=0)
    assert found[0].mark == "bullets or numbers"
    assert found[0].right == 1
    assert found[0].is_one
    assert 0.5 <= found[0].chance < 0.65
    assert not next(one for one in found if one.mark == "markup").is_one


def test_systems_that_look_alike_are_not_told_apart() -> None:
    write = lambda n: "word " * (n % 7 + 1) + ("[1]" if n % 3 else ".")  # noqa: E731 - twice the same
    found = find_giveaways(items_of(write, write), seed=0)
    assert not any(one.is_one for one in found)


def test_one_system_has_nobody_to_be_told_from() -> None:
    assert find_giveaways(items_of(lambda n: str(n)), seed=0) == []


def test_the_check_reads_the_items_of_a_plan(make: Make, tmp_path: Path) -> None:
    make()
    assert {one.p_value for one in check_blinding(tmp_path / "study.toml")} == {1.0}
