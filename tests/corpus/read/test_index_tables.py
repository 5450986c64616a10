"""An overview that only repeats how the sections of its document open is left out; every other table stays."""

from __future__ import annotations

from expound.corpus.read.document import Block, Document
from expound.corpus.read.index_tables import drop_index_tables

SETTINGS = ("depth", "speed", "colour", "sound", "light", "heat")


def document_of(overview: str, *, openings: int = len(SETTINGS)) -> Document:
    """An overview, and a section for some of the settings in it."""
    sections = [
        block
        for name in SETTINGS[:openings]
        for block in (
            Block(f"How much {name} there is. It is measured.", path=(name,)),
            Block(f"Default: 3 of {name}", path=(name,)),
        )
    ]
    return Document("Kettle", (Block(overview, "table", mark="header"), *sections))


def overview_of(*names: str) -> str:
    return "\n".join(["Setting | Description", *(f"{name} | How much {name} there is." for name in names)])


def test_an_overview_of_the_sections_below_it_is_left_out() -> None:
    document = document_of(overview_of(*SETTINGS))
    assert [block.kind for block in drop_index_tables(document).blocks] == ["paragraph"] * 12


def test_a_row_that_is_said_nowhere_else_keeps_no_overview_and_many_such_rows_keep_it() -> None:
    document = document_of(overview_of(*SETTINGS), openings=5)
    assert all(block.kind != "table" for block in drop_index_tables(document).blocks)
    document = document_of(overview_of(*SETTINGS), openings=4)
    assert drop_index_tables(document) == document


def test_a_table_of_few_rows_and_one_of_values_stay() -> None:
    for table in (overview_of(*SETTINGS[:4]), "\n".join(f"{name} | 3 of {name}" for name in SETTINGS)):
        document = document_of(table)
        assert drop_index_tables(document) == document


def test_the_meaning_of_a_term_opens_a_section_too() -> None:
    terms = tuple(Block(f"{name}\nHow much {name} there is. It is measured.", "definition") for name in SETTINGS)
    document = Document("Kettle", (Block(overview_of(*SETTINGS), "table", mark="header"), *terms))
    assert drop_index_tables(document).blocks == terms
