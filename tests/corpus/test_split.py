"""Passages are short, whole, and know where they stand."""

from __future__ import annotations

import time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.corpus.read.document import Block, Document, Kind
from expound.corpus.split import FEWEST_WORDS, MOST_CHARACTERS, MOST_WITH_LEAD_IN, MOST_WORDS, split
from expound.types import Passage

SENTENCE = "The quick brown fox jumps over the lazy dog near the river bank."
LONG = " ".join([SENTENCE] * 8)
"""104 words."""


def passages_of(*blocks: Block) -> list[Passage]:
    return list(split(Document("T", blocks), file="f"))


def kinds(passage: Passage) -> list[str]:
    return [part.kind for part in passage.parts]


def test_passages_end_at_sentence_boundaries() -> None:
    passages = passages_of(Block(" ".join([SENTENCE] * 20), path=("Habits",)))
    assert len(passages) > 1
    assert all(passage.text.endswith("bank.") and len(passage.text.split()) <= MOST_WORDS for passage in passages)


def test_passages_know_title_heading_page_and_offsets() -> None:
    blocks = (Block("One here.", path=("Chapter", "First"), page=3), Block("Two here.", path=("Second",), page=4))
    one, two = split(Document("Foxes", blocks, "http://x", {"year": 1990}), file="foxes.pdf")
    assert (one.title, one.source.heading, one.source.page) == ("Foxes", "Chapter > First", 3)
    assert (one.source.url, one.meta) == ("http://x", {"year": 1990})
    assert (two.source.start, two.source.end) == (10, 19)
    assert (one.id, two.id) == ("foxes.pdf#1", "foxes.pdf#2")


def test_a_passage_stays_under_one_heading() -> None:
    passages = passages_of(Block("One."), Block("Two.", path=("A",)), Block("Three.", path=("A",)), Block("Four."))
    assert [(passage.source.heading, passage.text) for passage in passages] == [
        ("", "One."),
        ("A", "Two.\nThree."),
        ("", "Four."),
    ]


def test_mere_paragraphs_have_no_parts() -> None:
    [passage] = passages_of(Block("One."), Block("Two."))
    assert (passage.text, passage.parts) == ("One.\nTwo.", ())


def test_parts_say_what_stands_where() -> None:
    [passage] = passages_of(
        Block("Do this:"), Block("Open it.", "item", mark="1."), Block("x = 1\n  y", "code", mark="python", level=1)
    )
    assert [(part.kind, passage.text[part.start : part.end], part.mark, part.level) for part in passage.parts] == [
        ("paragraph", "Do this:", "", 0),
        ("item", "Open it.", "1.", 0),
        ("code", "x = 1\n  y", "python", 1),
    ]


@pytest.mark.parametrize("kind", ["code", "table"])
def test_a_lead_in_stays_with_what_it_introduces(kind: Kind) -> None:
    lines = "\n".join(f"line {n} here" for n in range(30))
    first, second = passages_of(Block(LONG), Block("Call it like this"), Block(lines, kind))
    assert first.text == LONG
    assert kinds(second) == ["paragraph", kind]
    assert len(second.text.split()) <= MOST_WITH_LEAD_IN


def test_a_sentence_that_goes_on_after_code_stays_with_it() -> None:
    code = Block("\n".join(f"port {n} is free" for n in range(30)), "code")
    [passage] = passages_of(Block("Write"), code, Block("where the port is free."))
    assert kinds(passage) == ["paragraph", "code", "paragraph"]
    assert len(passages_of(Block("Write"), code, Block(f"Then go on. {SENTENCE} {SENTENCE}"))) == 2


def test_a_list_stays_with_the_line_that_announces_it() -> None:
    items = [Block(f"Take step {n} with care.", "item", mark=f"{n}.") for n in range(8)]
    first, second = passages_of(Block(LONG), Block("Do the following:"), *items)
    assert first.text == LONG
    assert kinds(second) == ["paragraph", *["item"] * 8]


def test_what_stands_within_an_item_stays_with_it() -> None:
    within = (Block("go", "item", mark="1."), Block("make all", "code", level=1), Block("Then wait.", level=1))
    first, second = passages_of(Block(" ".join([SENTENCE] * 9)), *within, Block(LONG))
    assert kinds(first) == []
    assert kinds(second)[:3] == ["item", "code", "paragraph"]


def test_a_long_table_is_cut_between_lines_and_says_its_header_again() -> None:
    rows = [f"| river{n} | {n} km long |" for n in range(60)]
    passages = passages_of(Block("\n".join(["| Name | Length |", *rows]), "table", mark="header"))
    assert len(passages) > 2
    assert all(passage.text.startswith("| Name | Length |\n| river") for passage in passages)
    assert [line for passage in passages for line in passage.text.split("\n")[1:]] == rows
    assert all(len(passage.text.split()) <= MOST_WORDS for passage in passages)
    assert passages[-1].source.end == len("\n".join(["| Name | Length |", *rows]))


def test_the_last_rows_of_a_table_stand_under_their_header() -> None:
    rows = [f"river{n} is {n} km" for n in range(31)]
    *_, last = passages_of(Block("\n".join(["Name and length", *rows]), "table", mark="header"))
    assert last.text == "Name and length\nriver29 is 29 km\nriver30 is 30 km"


def test_long_code_is_cut_between_lines() -> None:
    lines = [f"    call(x[{n}])  # {n} times" for n in range(60)]
    passages = passages_of(Block("\n".join(lines), "code"))
    assert [line for passage in passages for line in passage.text.split("\n")] == lines
    assert len(passages) > 1


def test_long_code_is_cut_before_an_entry_and_not_within_it() -> None:
    entry = "--speed\n" + "\n".join(f"        how fast it goes {n} of all that there is" for n in range(5))
    parts = passages_of(Block("\n".join([entry] * 6), "code"))
    assert all(part.text.startswith("--speed") and len(part.text.split()) <= MOST_WORDS for part in parts)
    # One that fills more than half of a passage by itself is cut somewhere.
    long = "--speed\n" + "\n".join(f"        how fast it goes {n} of all that there is" for n in range(40))
    assert [part.text.startswith("--speed") for part in passages_of(Block(long, "code"))][:2] == [True, False]


@pytest.mark.parametrize("kind", ["code", "table", "paragraph"])
def test_a_line_longer_than_a_passage_is_cut_between_words(kind: Kind) -> None:
    passages = passages_of(Block("word " * 300 + "end.", kind))
    assert [len(passage.text.split()) for passage in passages] == [MOST_WORDS, MOST_WORDS, 61]


@pytest.mark.parametrize("kind", ["code", "table", "paragraph"])
def test_a_line_without_blanks_is_cut_by_its_characters(kind: Kind) -> None:
    text = '{"key":12345},' * 1500
    passages = passages_of(Block(text, kind))
    assert "".join(passage.text for passage in passages) == text
    assert max(len(passage.text) for passage in passages) == MOST_CHARACTERS


def test_a_script_without_blanks_is_cut_behind_a_sentence() -> None:
    sentences = [f"船在第{number}天离开港口，载着木材和盐。" for number in range(600)]
    passages = passages_of(Block("".join(sentences)))
    assert "".join(passage.text for passage in passages) == "".join(sentences)
    assert all(passage.text.endswith("。") and len(passage.text) <= MOST_CHARACTERS for passage in passages)


def test_many_paragraphs_without_blanks_are_several_passages() -> None:
    passages = passages_of(*[Block("彼は港で船を待っていた。" * 8) for _ in range(100)])
    assert len(passages) >= 4
    assert all(len(passage.text) <= 1.3 * MOST_CHARACTERS for passage in passages)


def test_a_header_that_is_longer_than_a_passage_is_said_once() -> None:
    header, rows = "column," * 1000, [f"row {number}" for number in range(200)]
    passages = passages_of(Block("\n".join([header, *rows]), "table", mark="header"))
    assert sum(len(passage.text) for passage in passages) < len(header) + 2000


def test_what_goes_on_with_a_definition_has_its_term_in_the_heading() -> None:
    first, second, third = passages_of(
        Block("-f FILE\n" + LONG, "definition", ("Options",)),
        Block(LONG, path=("Options",), level=1),
        Block("Unrelated. " + LONG, path=("Options",)),
    )
    assert [passage.source.heading for passage in (first, second, third)] == [
        "Options",
        "Options > -f FILE",
        "Options",
    ]
    assert kinds(first) == ["definition"]


def test_a_definition_that_is_too_long_goes_on_as_prose_under_its_term() -> None:
    first, second = passages_of(Block(f"-f FILE\n{LONG} {LONG}", "definition"))
    assert (first.source.heading, second.source.heading) == ("", "-f FILE")
    assert (kinds(first), kinds(second)) == (["definition"], [])
    assert second.text.startswith("The quick")


def test_a_reference_has_short_passages_since_its_entries_are_looked_up_one_by_one() -> None:
    blocks = tuple(
        Block(f"--option{n}\nDoes what the program does {n} times over, and then stops.", "definition")
        for n in range(8)
    )
    manual, reference = (
        list(split(Document("tool", blocks, is_reference=is_reference), file="tool")) for is_reference in (False, True)
    )
    assert (len(manual), [passage.text.count("--option") for passage in reference]) == (1, [4, 4])


def test_the_innermost_term_is_named() -> None:
    blocks = (Block("class Server", "definition"), Block("run(port)\n" + LONG, "definition", level=1))
    *_, last = passages_of(*blocks, Block(LONG, level=2), Block(LONG, level=1))
    assert last.source.heading == "class Server"
    assert passages_of(*blocks, Block(LONG, level=2))[-1].source.heading == "run(port)"


def test_the_last_few_words_of_a_section_are_no_passage_of_their_own() -> None:
    stub = "And that is all there is."
    full = " ".join([SENTENCE] * 9)
    [passage] = passages_of(Block(full), Block(stub))
    assert passage.text == f"{full}\n{stub}"
    rest = " ".join(["Here is another sentence of some eight words."] * 4)
    assert len(rest.split()) >= FEWEST_WORDS
    assert len(passages_of(Block(full), Block(rest))) == 2


def test_only_wiki_prose_loses_its_reference_marks() -> None:
    blocks = (Block("It rained.[3] Call f(x)[1]."), Block("[4]"), Block("items[0]", "code"))
    [passage] = split(Document("T", blocks, is_wiki=True), file="f")
    assert passage.text == "It rained. Call f(x).\nitems[0]"
    [passage] = split(Document("T", blocks), file="f")
    assert passage.text == "It rained.[3] Call f(x)[1].\n[4]\nitems[0]"


TEXTS = st.lists(
    st.sampled_from([SENTENCE, "Short one:", "x = f(a)[0]", "word " * 130 + "stop."]), min_size=1, max_size=6
)
BLOCKS = st.builds(
    Block,
    text=st.tuples(TEXTS, st.sampled_from([" ", "\n"])).map(lambda pair: pair[1].join(pair[0])),
    kind=st.sampled_from(get_args(Kind)),
    path=st.sampled_from([(), ("A",), ("A", "B")]),
    level=st.integers(0, 2),
)


@given(st.lists(BLOCKS, max_size=8))
def test_no_word_is_lost(blocks: list[Block]) -> None:
    passages = passages_of(*blocks)
    assert " ".join(passage.text for passage in passages).split() == " ".join(block.text for block in blocks).split()


@given(st.lists(BLOCKS, max_size=8))
def test_passages_are_short_in_order_and_made_of_their_parts(blocks: list[Block]) -> None:
    passages = passages_of(*blocks)
    text = "\n".join(block.text for block in blocks)
    position = 0
    for passage in passages:
        assert len(passage.text.split()) <= MOST_WITH_LEAD_IN
        assert position <= passage.source.start < passage.source.end <= len(text)
        assert text[passage.source.start : passage.source.end].split() == passage.text.split()
        if passage.parts:
            assert "\n".join(passage.text[part.start : part.end] for part in passage.parts) == passage.text
        position = passage.source.end


@pytest.mark.parametrize(
    "block",
    [
        Block("a " * 200_000, "code"),
        Block("x" * 4_000_000, "code"),
        Block("。" * 1_000_000),
        Block("a b\n" * 100_000, "table", mark="header"),
        Block("term\n" + "A b. " * 50_000, "definition"),
    ],
)
def test_long_blocks_take_linear_time(block: Block) -> None:
    started = time.process_time()
    passages_of(block)
    assert time.process_time() - started < 20


def test_many_blocks_take_linear_time() -> None:
    started = time.process_time()
    passages_of(*[Block("Word:", "item", level=n % 3) for n in range(30_000)], *[Block("x", "code", level=9)] * 30_000)
    assert time.process_time() - started < 20
