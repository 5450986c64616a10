"""Pages become passages under their headings; headings become questions."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from expound.datasets.document_parts import part_by_id, project_part
from expound.train.data.document_sets import label_passages, without_questions
from expound.train.data.manuals import base_form, manual_cases, manual_of, question_of
from expound.train.data.page_passages import format_of, page_passages

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
    assert "door | 5" in text


def test_underlined_headings_and_directives_of_restructuredtext() -> None:
    first, second = page_passages("oven.rst", "", RST)
    assert first.path == ("Ovens",)
    assert second.path == ("Ovens", "Why is it cold?")
    assert "oven --light" in second.text
    assert "toctree" not in second.text


def test_long_text_is_cut_and_nothing_is_lost() -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(200))
    passages = page_passages("long.txt", "", text)
    assert len(passages) > 1
    assert " ".join(passage.text for passage in passages) == text
    assert {passage.section for passage in passages} == {0}


@pytest.mark.parametrize(
    ("name", "text", "suffix"),
    [
        ("faq.md", "plain", ".md"),
        ("guide.mdx", "plain", ".md"),
        ("docs/faq.txt", RST, ".rst"),
        ("docs/faq.txt", "# Ovens\n\nBread.", ".md"),
        ("emanual/TV/section_97", "Bread needs heat.", ".txt"),
    ],
)
def test_a_page_is_read_as_what_it_is_written_in(name: str, text: str, suffix: str) -> None:
    assert format_of(name, text) == suffix


def test_a_page_without_a_heading_has_no_path() -> None:
    assert [passage.path for passage in page_passages("a.txt", "Oven", "Bread needs heat.")] == [()]


def test_a_page_that_cannot_be_read_has_no_passages() -> None:
    assert page_passages("empty.md", "", "") == []


def test_question_headings_are_taken_out_of_the_text() -> None:
    document = {"text": "Why?\nBecause.", "question_heading_spans": [[0, 4]]}
    assert without_questions(document).strip() == "Because."


def test_the_passage_with_the_opening_of_the_gold_is_right_and_the_rest_of_it_neutral() -> None:
    gold = ["The oven is cold because nobody lit the fire.", "Light it with long matches every morning."]
    later = "Ashes from yesterday must be carried outside before lighting anything."
    passages = page_passages("a", "", f"# A\n{' '.join(gold)}\n# B\n{later}\n# C\nBread is sold on Mondays.")
    assert label_passages(passages, [*gold, later], "opening") == ([0], [1])


def test_documents_and_projects_have_their_side_for_good() -> None:
    assert part_by_id("emanual/TV/section_97") == "choose"
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
    assert question_of(heading, "oven", VERBS, rng=random.Random(1)) == ""


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
