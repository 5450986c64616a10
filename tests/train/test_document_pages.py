"""Pages become passages under their headings; headings become questions."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from expound.train.document_pages import iter_blocks, page_passages
from expound.train.document_sets import label, part_of, project_part, without_questions
from expound.train.manuals import asked, base_form, manual_cases, manual_of

MARKDOWN = """---
title: Ovens
---
# Ovens

Bread needs heat.

## Cleaning the oven {#clean}

Run this:

```sh
oven --clean
```

| Part | Minutes |
| --- | --- |
| door | 5 |
"""

RST = """
Ovens
=====

Bread needs heat. See :ref:`the parts <parts>`.

Why is it cold?
---------------

Because nobody lit it::

    oven --light

.. toctree::

   other
"""


def test_a_passage_has_the_headings_above_it() -> None:
    first, second = page_passages("oven.md", "Kitchen", MARKDOWN)
    assert first.read() == "Kitchen > Ovens. Bread needs heat."
    assert second.read().startswith("Kitchen > Ovens > Cleaning the oven. Run this:")
    assert second.read(leaf=False).startswith("Kitchen > Ovens. Run this:")


def test_code_and_tables_stay_with_their_lead() -> None:
    text = page_passages("oven.md", "", MARKDOWN)[1].text
    assert "oven --clean" in text
    assert "| door | 5 |" in text


def test_underlined_headings_and_directives_of_restructuredtext() -> None:
    kinds = [block.kind for block in iter_blocks(RST)]
    assert kinds == ["heading", "text", "heading", "text", "code"]
    first, second = page_passages("oven.rst", "", RST)
    assert "See the parts." in first.text
    assert second.path == ("Ovens", "Why is it cold?")


def test_long_text_is_cut_and_nothing_is_lost() -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(200))
    passages = page_passages("long.txt", "", text)
    assert all(len(passage.text.split()) <= 120 for passage in passages)
    assert " ".join(passage.text for passage in passages) == text


def test_a_long_table_repeats_its_header() -> None:
    rows = "\n".join(f"| part {number} | {number} |" for number in range(60))
    passages = page_passages("table.md", "", f"| Part | Minutes |\n{rows}")
    assert len(passages) > 1
    assert all(passage.text.startswith("| Part | Minutes |") for passage in passages)


def test_question_headings_are_taken_out_of_the_text() -> None:
    document = {"text": "Why?\nBecause.", "question_heading_spans": [[0, 4]]}
    assert without_questions(document).strip() == "Because."


def test_the_passage_with_the_opening_of_the_gold_is_right_and_the_rest_of_it_neutral() -> None:
    gold = ["The oven is cold because nobody lit the fire.", "Light it with long matches every morning."]
    later = "Ashes from yesterday must be carried outside before lighting anything."
    passages = page_passages("a", "", f"# A\n{' '.join(gold)}\n# B\n{later}\n# C\nBread is sold on Mondays.")
    assert label(passages, [*gold, later], "opening") == ([0], [1])


def test_documents_and_projects_have_their_side_for_good() -> None:
    assert part_of("emanual/TV/section_97") == "choose"
    assert project_part("django/django") == "decide"
    assert project_part("golang/website") == "train"


VERBS = Counter({"configure": 9, "run": 9, "set": 5})


@pytest.mark.parametrize(
    ("word", "verb"), [("Configuring", "configure"), ("Running", "run"), ("Mailing", ""), ("A", "")]
)
def test_the_verb_of_a_heading(word: str, verb: str) -> None:
    assert base_form(word, VERBS) == verb


@pytest.mark.parametrize("heading", ["Introduction", "See also", "3.2.1 changes", "Table of Contents"])
def test_some_headings_ask_nothing(heading: str) -> None:
    assert asked(heading, "oven", VERBS, rng=random.Random(1)) == ""


def test_a_heading_asks_and_its_section_answers() -> None:
    pages = "# Guide\nAll about the oven and how people bake with it today.\n\n## Why is the oven cold?\n"
    pages += "Because nobody has lit it yet this morning, so light it first. " * 4
    record = {"package": "oven", "licence": "MIT", "licence_text": "", "classifiers": [], "docs": [("guide.md", pages)]}
    manual = manual_of(record | {"docs": [("guide.md", pages + " " * 400)]})
    assert manual is not None
    (case,), passages = manual_cases(manual, VERBS, rng=random.Random(1))
    assert case.question == "Why is the oven cold?"
    assert "nobody has lit it" in passages[case.positives[0]].text


@pytest.mark.parametrize("licence", ["GPL-3.0", "", "MIT OR GPL-2.0"])
def test_only_permissive_manuals_are_read(licence: str) -> None:
    record = {"package": "x", "licence": licence, "licence_text": "", "classifiers": [], "docs": [("a.md", "a" * 500)]}
    assert manual_of(record) is None
