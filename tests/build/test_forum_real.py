"""The raw submissions and ELI5-Category's answers, where they are at hand: what joins, and how texts are cleaned."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from expound.build.forum_text import Names, clean_text, clean_title
from expound.recipes import Ingredients, find_recipe, measure
from golden import SHARED

ELI5 = SHARED / "data" / "eli5"
SUBMISSIONS = ELI5 / "reddit_eli5_submissions_raw_30417.jsonl.gz"
ANSWERS = (ELI5 / "eli5_category_test_5411.jsonl.gz", ELI5 / "eli5_category_validation_2_2375.jsonl.gz")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not SUBMISSIONS.exists(), reason="needs the raw submissions")]


def read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def letters(text: str) -> str:
    """Without spaces and the numbers of tokens, which other tools give in another order."""
    return re.sub(r"\s|(?<=URL_)\d+", "", text)


def test_every_submission_with_answers_joins() -> None:
    done = measure(find_recipe("eli5-table1"), Ingredients(files=(SUBMISSIONS, *ANSWERS)))
    values = {finding.row.name: finding.values["mean"] for finding in done.findings}
    assert values["submissions read"] == values["submissions kept"] == 30_417
    assert (values["comments kept"], values["questions"], values["answers"]) == (20_046, 2_692, 6_612)


def test_titles_and_texts_are_cleaned_as_others_cleaned_them() -> None:
    """ELI5-Category keeps a dash or a stop after `ELI5` and names of people: nothing else differs."""
    raw = {record["id"]: record for record in read(SUBMISSIONS)}
    pairs = [(raw[row["q_id"]], row) for path in ANSWERS for row in read(path) if row["q_id"] in raw]
    titles = sum(letters(clean_title(one["title"], Names())) == letters(other["title"]) for one, other in pairs)
    texts = sum(letters(clean_text(one["selftext"], Names())) == letters(other["selftext"]) for one, other in pairs)
    assert (len(pairs), titles, texts) == (2_692, 2_675, 2_690)
