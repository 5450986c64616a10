"""The metric cards keep what they promise: their examples run, and every metric has one."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from expound.plugins import names
from expound.score.profile import find_profile

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "score"
CARDS = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
HEADINGS = ["What it counts", "Example", "Parity", "Known failings", "Read it beside"]
ROWS = ["Names", "Profiles", "Unit and range", "Better when", "Source", "Class"]
METRICS = [(profile, metric.name) for profile in names("profile") for metric in find_profile(profile).metrics]

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
QUOTED = re.compile(r"`([^`]+)`")
NUMBER = re.compile(r"[@_](?:\d+|[kn])$")


def named(card: Path) -> str:
    return card.stem


def text_of(card: Path) -> str:
    return card.read_text(encoding="utf-8")


def quoted_in_row(card: Path, row: str) -> set[str]:
    """What the card's table has in quotes in that row, names without their number."""
    found = re.search(rf"^\| {row} \| (.*) \|$", text_of(card), re.MULTILINE)
    return {family(name) for name in QUOTED.findall(found[1])} if found else set()


def family(name: str) -> str:
    """A metric's name without its number: `recall` of `recall@5`."""
    return NUMBER.sub("", name)


@pytest.mark.parametrize("card", CARDS, ids=named)
def test_examples_print_what_the_card_shows(card: Path) -> None:
    blocks = "\n".join(BLOCK.findall(text_of(card)))
    example = doctest.DocTestParser().get_doctest(blocks, {}, card.name, str(card), 0)
    assert any(step.want for step in example.examples), "a card shows an example with its output"
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize(("profile", "metric"), METRICS, ids=[f"{profile}-{metric}" for profile, metric in METRICS])
def test_every_metric_of_every_profile_has_a_card(profile: str, metric: str) -> None:
    cards = [card for card in CARDS if family(metric) in quoted_in_row(card, "Names")]
    assert any(profile in quoted_in_row(card, "Profiles") for card in cards), f"no card for {metric} of {profile}"


@pytest.mark.parametrize("card", CARDS, ids=named)
def test_a_card_has_its_table_and_its_headings_in_order(card: Path) -> None:
    text = text_of(card)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
    assert re.findall(r"^\| ([A-Z][a-z ]+) \| ", text, re.MULTILINE)[: len(ROWS)] == ROWS


@pytest.mark.parametrize("page", [FOLDER / "README.md", *CARDS], ids=named)
def test_relative_links_lead_to_files(page: Path) -> None:
    for target in LINK.findall(text_of(page)):
        assert (page.parent / target).is_file(), f"{page.name} links to {target}"


def test_the_index_links_every_card_and_names_every_metric() -> None:
    index = text_of(FOLDER / "README.md")
    assert {target for target in LINK.findall(index) if "/" not in target} == {card.name for card in CARDS}
    names = {family(name) for name in QUOTED.findall(re.sub(r"```.*?```", "", index, flags=re.DOTALL))}
    assert {family(metric) for _, metric in METRICS} <= names


@pytest.mark.parametrize("part", names("score"))
def test_every_metric_that_a_spec_can_name_has_a_card(part: str) -> None:
    classes = [re.search(r"^\| Class \| (.*) \|$", text_of(card), re.MULTILINE) for card in CARDS]
    assert any(found and re.search(rf"`{part}[`(]", found[1]) for found in classes), f"no card has the class {part}"
