"""A list that goes on behind what was found is quoted to its end, and sections that enumerate are named."""

from __future__ import annotations

from collections.abc import Sequence

from expound.answer.continued import continue_extracts
from expound.answer.entries import entries_of, join_entries
from expound.answer.extracts import Extract, Lengths
from expound.answer.kinds import QuestionKind
from expound.corpus.read.document import Block, Document
from expound.corpus.split import split
from expound.types import Evidence

TALK = " ".join(
    f"Remark {n} is made at some length, so that the passage is full before the list begins and no more fits in."
    for n in range(5)
)
SIGNS = tuple(
    f"{sign} that does not go away when you sit down for a while, or that comes back as soon as you stand up again."
    for sign in ("Dizziness", "Altered vision", "A twitch", "A pain")
)


def evidence_of(*blocks: Block) -> list[Evidence]:
    passages = split(Document("Guide", blocks), file="guide.md")
    return [Evidence(passage, number, 0.5) for number, passage in enumerate(passages, start=1)]


def continued(evidence: Sequence[Evidence], kind: QuestionKind, lengths: Lengths | None = None) -> list[Extract]:
    first = Extract(1, tuple(entries_of(evidence[0].passage)))
    return continue_extracts([first], evidence, kind, lengths or Lengths())


def text_of(extracts: Sequence[Extract]) -> str:
    return join_entries([entry for extract in extracts for entry in extract.entries])


def test_a_list_in_the_next_passage_of_the_section_answers_what_asks_for_one() -> None:
    items = [Block(name, "item", ("Safety",), "•") for name in SIGNS]
    evidence = evidence_of(Block(TALK, path=("Safety",)), Block("Stop if you notice:", path=("Safety",)), *items)
    assert [extract.number for extract in continued(evidence, "list")] == [1, 2]
    assert text_of(continued(evidence, "list")).endswith(
        "\n".join(["Stop if you notice:", *(f"• {sign}" for sign in SIGNS)])
    )
    assert [extract.number for extract in continued(evidence, "why")] == [1]


def test_steps_go_on_where_a_passage_was_full() -> None:
    steps = [
        Block(f"Step {n} is to press a key and to wait until it is done.", "item", (), f"{n}.") for n in range(1, 16)
    ]
    evidence = evidence_of(Block("Do this:"), *steps)
    assert len(evidence) == 2
    assert "15. Step 15" in text_of(continued(evidence, "how-to"))


def test_what_begins_something_else_is_not_taken_for_the_rest() -> None:
    evidence = evidence_of(Block(TALK), Block(TALK.replace("Remark", "Hint")))
    assert len(evidence) > 1
    assert [extract.number for extract in continued(evidence, "how-to")] == [1]
    assert [extract.number for extract in continued(evidence, "list")] == [1]


def test_sections_below_the_one_that_was_found_are_named_with_how_they_begin() -> None:
    evidence = evidence_of(
        Block("Some tests come before everything else.", path=("Tests",)),
        Block("Friends are let in. More follows.", path=("Tests", "Allow list")),
        Block("Enemies are kept out.", path=("Tests", "Deny list")),
        Block("Unrelated.", path=("Other",)),
    )
    lines = text_of(continued(evidence, "list")).split("\n")
    assert lines[1:] == ["• Allow list: Friends are let in.", "• Deny list: Enemies are kept out."]
    assert [entry.source_text for extract in continued(evidence, "list")[1:] for entry in extract.entries] == [
        "Allow list\nFriends are let in.",
        "Deny list\nEnemies are kept out.",
    ]
    assert len(continued(evidence, "how-to")) == 1


def test_one_section_below_another_enumerates_nothing() -> None:
    evidence = evidence_of(Block("A test.", path=("Tests",)), Block("It is quick.", path=("Tests", "Details")))
    assert len(continued(evidence, "list")) == 1


def test_what_has_no_room_is_left_out_whole() -> None:
    sections = [Block(f"This is what section {n} says at its beginning.", path=("All", f"Part {n}")) for n in range(9)]
    evidence = evidence_of(Block("There are parts.", path=("All",)), *sections)
    assert len(continued(evidence, "list")) == 10
    assert len(continued(evidence, "list", Lengths(total=20))) == 1


def test_an_extract_that_stops_early_does_not_go_on() -> None:
    items = [Block(name, "item", (), "•") for name in SIGNS]
    evidence = evidence_of(Block(TALK), Block("Stop if you notice:"), *items)
    cut = Extract(1, tuple(entries_of(evidence[0].passage)[:1]))
    assert continue_extracts([cut], evidence, "list", Lengths()) == [cut]


def test_no_step_is_missing_between_two_that_are_quoted() -> None:
    steps = [
        Block(f"Step {n} is to press a key, to wait until it is done, and to look at the lamp.", "item", (), f"{n}.")
        for n in range(1, 25)
    ]
    evidence = evidence_of(Block("Do this:"), *steps)
    assert len(evidence) >= 3
    ends = [Extract(item.number, tuple(entries_of(item.passage))) for item in (evidence[0], evidence[2])]
    found = continue_extracts(ends, evidence, "how-to", Lengths(beyond=5.0))
    assert [extract.number for extract in found] == [1, 2, 3, *range(4, len(evidence) + 1)][: len(found)]
    assert [extract.number for extract in continue_extracts(ends, evidence, "how-to", Lengths(beyond=1.0))] == [1, 3]
    assert [extract.number for extract in continue_extracts(ends, evidence, "value", Lengths(beyond=5.0))] == [1, 3]


def test_rows_go_on_as_a_list_and_not_as_steps() -> None:
    rows = [Block("\n".join(f"row {n} | {word}" for n in range(30)), "table") for word in ("one", "two")]
    evidence = evidence_of(*rows)
    assert len(evidence) > 1
    assert len(continued(evidence, "list", Lengths(total=900))) > 1
    assert len(continued(evidence, "how-to", Lengths(total=900))) == 1


def test_what_is_to_be_done_does_not_end_right_before_the_example() -> None:
    blocks = (Block("Set it to red."), Block("For example, write:"), Block("colour = red", "code"), Block("It shines."))
    [item] = evidence_of(*blocks)
    first = Extract(item.number, tuple(entries_of(item.passage))[:1])

    def shown(kind: QuestionKind, lengths: Lengths) -> list[str]:
        [extract] = continue_extracts([first], [item], kind, lengths)
        return [entry.text for entry in extract.entries]

    assert shown("how-to", Lengths()) == ["Set it to red.", "For example, write:", "colour = red"]
    assert shown("why", Lengths()) == ["Set it to red."]
    # Without room for all of it there is none of it.
    assert shown("how-to", Lengths(total=4)) == ["Set it to red."]
