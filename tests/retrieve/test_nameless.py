"""Claims about questions that name what the whole corpus is about."""

import pytest

from expound.retrieve.nameless import without_names

SHARES = {"Icinga": 0.9, "LinuxCNC": 1.0, "HAL": 0.3, "Sphinx": 0.6}


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How do I switch on two-factor login for the Icinga web interface?", "… for the web interface?"),
        ("Which laser controllers can be driven by LinuxCNC?", "Which laser controllers can be driven by it?"),
        ("LinuxCNC runs HAL files. What is LinuxCNC's default?", "it runs HAL files. What is its default?"),
        ("Sphinx builds it. How?", "Sphinx builds it. How?"),
        ("What is Sphinx-Gallery?", "What is Sphinx-Gallery?"),
        ("Which commands has HAL?", "Which commands has HAL?"),
        ("What is LinuxCNC?", "What is LinuxCNC?"),
        ("Who is Icinga for?", "Who is Icinga for?"),
        ("How do I start?", "How do I start?"),
    ],
)
def test_a_name_that_is_said_everywhere_gives_way(question: str, shown: str) -> None:
    assert without_names(question, lambda word: SHARES.get(word, 0.0)).endswith(shown.removeprefix("…"))
