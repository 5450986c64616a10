"""The kind of a question is told by its form."""

from __future__ import annotations

import pytest

from expound.answer.kinds import question_kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I restore a backup?", "how-to"),
        ("Can I run two servers on one machine?", "how-to"),
        ("What is the easiest way to rename a file?", "how-to"),
        ("It stopped in the night. How can I get it back?", "how-to"),
        ("What do I have to do to get a new key?", "how-to"),
        ("I want both files, which options do that?", "list"),
        ("Why does the compiler warn?", "why"),
        ("What is the purpose of the cache?", "why"),
        ("What is the default port?", "value"),
        ("What is the capital of Mongolia?", "value"),
        ("What is the meaning of life?", "definition"),
        ("Which setting turns off the cache?", "value"),
        ("Which settings exist?", "list"),
        ("How is the cache cleared?", "how-to"),
        ("How is a small boat called?", "definition"),
        ("How many columns may a table have?", "value"),
        ("After how many days does a session end?", "value"),
        ("Who wrote the manual?", "value"),
        ("What is a chart of accounts?", "definition"),
        ("What does CHD stand for?", "definition"),
        ("chart of accounts", "definition"),
        ("turn on the second screen", "how-to"),
        ("What is the difference between a hard and a soft link?", "comparison"),
        ("Which file formats can be read?", "list"),
        ("What are the supported platforms?", "list"),
        ("What quick checks does the server make?", "list"),
        ("What does the server do?", "definition"),
        ("What address does the server use?", "value"),
        ("Does it run on a tablet?", "yes-no"),
        ("Am I allowed to bring a dog?", "yes-no"),
        ("Can it tell me when a backup fails?", "yes-no"),
        ("Do you know when the tower was built?", "value"),
        ("Is it known who built the tower?", "value"),
        ("Does the manual say what the default port is?", "value"),
        ("Population of Rome at its peak?", "value"),
    ],
)
def test_the_form_tells_the_kind(question: str, kind: str) -> None:
    assert question_kind(question) == kind
