"""Plain text: encodings, titles, wrapped lines, and what is no text at all."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.read.read_helpers import Read, placed
from expound.corpus.read import Block, Document, read_file
from expound.corpus.read.plain_text import document_of
from expound.corpus.read.unwrap import unwrap
from expound.errors import BadInput
from expound.text.inline import render_inline


def test_the_first_short_line_is_the_title(read: Read) -> None:
    [document] = read("notes.txt", "Blood Clots\n\nA clot is a plug.\n\nIt dissolves.\n")
    assert document.title == "Blood Clots"
    assert document.blocks == (Block("A clot is a plug."), Block("It dissolves."))


@pytest.mark.parametrize("text", ["A first sentence.\n\nAnd more.", "one line", "lower case start\n\nmore", "A\nB\nC"])
def test_otherwise_the_file_name_is(read: Read, text: str) -> None:
    [document] = read("notes.txt", text)
    assert document.title == "notes"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_the_encoding_is_found(read: Read, encoding: str) -> None:
    [document] = read("a.txt", "Café “naïve” – 5 €.".encode(encoding))
    assert document.blocks[0].text == "Café “naïve” – 5 €."


@pytest.mark.parametrize(
    "content",
    [b"\x89PNG\r\n\x1a\n\0\0\0", b"\x01\x02\x03\x04abc" * 50, "hello".encode("utf-16-le"), bytes(range(1, 32)) * 9],
)
def test_binary_content_is_refused(read: Read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.txt: not a text file"):
        read("a.txt", content)


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(read: Read, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"a\.txt: empty"):
        read("a.txt", content)


def test_terminal_escapes_are_taken_out(read: Read) -> None:
    [document] = read("a.txt", "\x1b]0;owned\x07A \x1b[31mTitle\n\nRed \x1b[1mtext\u202e.")
    assert (document.title, document.blocks[0].text) == ("A Title", "Red text.")


def test_gzip_is_looked_through(read: Read) -> None:
    [document] = read("story.txt.gz", gzip.compress(b"some words"))
    assert (document.title, document.blocks[0].text) == ("story", "some words")


@pytest.mark.parametrize("name", ["a.txt.gz", "a.jsonl.gz", "a.csv.gz", "a.html.gz"])
@pytest.mark.parametrize(
    "damage", [lambda data: data[:-12], lambda _: b"no gzip", lambda d: d[:20] + b"\xff\xff" + d[22:]]
)
def test_damaged_gzip_is_refused(read: Read, name: str, damage: Callable[[bytes], bytes]) -> None:
    content = gzip.compress(b'{"id": "1", "text": "abc"}\n' * 200)
    with pytest.raises(BadInput, match=r"gzip data is cut short or damaged"):
        read(name, damage(content))


def test_a_gzip_bomb_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.corpus.read.raw.LARGEST_FILE", 1 << 20)
    with pytest.raises(BadInput, match="larger than 1 MB"):
        read("a.txt.gz", gzip.compress(b"a" * (2 << 20)))


def test_underlined_numbered_and_capital_lines_are_headings(read: Read) -> None:
    source = (
        "The Manual\n==========\n\nIntro text.\n\nSetup\n=====\n\nOne.\n\nOn Linux\n--------\nTwo.\n\n"
        "Use\n===\n\nThree.\n\n"
        "1. Basics\n\nFour.\n\n1.2 Deeper\n\nFive.\n\nSEE ALSO\n\nSix.\n"
    )
    [document] = read("a.txt", source)
    assert document.title == "The Manual"
    assert placed(document) == [
        ("paragraph", "Intro text.", ()),
        ("paragraph", "One.", ("Setup",)),
        ("paragraph", "Two.", ("Setup", "On Linux")),
        ("paragraph", "Three.", ("Use",)),
        ("paragraph", "Four.", ("Use", "1. Basics")),
        ("paragraph", "Five.", ("Use", "1. Basics", "1.2 Deeper")),
        ("paragraph", "Six.", ("Use", "SEE ALSO")),
    ]


@pytest.mark.parametrize("line", ["It was late.", "And then he said:", "2023 was hot", "NB", "a lower case line"])
def test_a_line_by_itself_is_mostly_no_heading(read: Read, line: str) -> None:
    [document] = read("a.txt", f"Some text.\n\n{line}\n\nMore text.")
    assert [block.text for block in document.blocks] == ["Some text.", line, "More text."]


def test_a_part_that_any_paper_has_is_a_heading_and_no_title(read: Read) -> None:
    [document] = read("paper.txt", "Abstract\n\nWe count terns.\n\nConclusion\n\nThere are fewer.\n")
    assert document.title == "paper"
    assert [(block.path, block.text) for block in document.blocks] == [
        (("Abstract",), "We count terns."),
        (("Conclusion",), "There are fewer."),
    ]


@pytest.mark.parametrize("row", ["F1 12.4 13.5 14.6", "# QA 120 240 360"])
def test_a_row_of_numbers_is_no_heading_in_capitals(read: Read, row: str) -> None:
    [document] = read("paper.txt", f"We count terns.\n\n{row}\n\nThere are fewer.\n")
    assert [block.path for block in document.blocks] == [(), (), ()]


def test_a_sentence_goes_on_behind_the_break_of_a_page(read: Read) -> None:
    text = "Terns\n\nWe count terns on all the islands that\n\ncan be reached by boat.\n\nIt rains.\n"
    [document] = read("paper.txt", text)
    assert [block.text for block in document.blocks] == [
        "We count terns on all the islands that can be reached by boat.",
        "It rains.",
    ]


@pytest.mark.parametrize(
    "notes",
    [
        "buy paint at the shop in town\n\nask about the roof on monday\n",
        "We count terns.\n\nthen we go home\n",
        "To buy\n\npaint and a brush\n",
    ],
)
def test_notes_in_small_letters_stay_apart(read: Read, notes: str) -> None:
    [document] = read("notes.txt", notes)
    assert sum(len(block.text.splitlines()) for block in document.blocks) + (document.title != "notes") == 2


def test_a_line_between_two_rules_is_a_heading_and_a_rule_is_nothing(read: Read) -> None:
    source = "A manual that says all.\n\n=====\nNOTE:\n=====\n\nOne.\n\n━━━━━━━━━━\n\nTwo.\n\n-----\nThree.\n"
    [document] = read("a.txt", source)
    assert placed(document)[1:] == [
        ("paragraph", "One.", ("NOTE:",)),
        ("paragraph", "Two.", ("NOTE:",)),
        ("paragraph", "Three.", ("NOTE:",)),
    ]


def test_a_heading_set_in_the_middle_of_its_line_has_single_spaces(read: Read) -> None:
    rule = "-" * 40
    [document] = read("a.txt", f"A manual that says all.\n\n{rule}\nA.            OVERVIEW\n{rule}\n\nOne.\n")
    assert placed(document)[1:] == [("paragraph", "One.", ("A. OVERVIEW",))]


def test_the_border_of_a_table_stays(read: Read) -> None:
    table = "----------------\nName        Age\n----------------\nTom         5\nAnn         61"
    assert placed(read("a.txt", f"Ages are these, in years.\n\n{table}\n")[0])[1:] == [("code", table, ())]


def test_a_table_of_contents_is_left_out_and_a_list_that_stands_twice_is_not(read: Read) -> None:
    contents = "Table of Contents\n\n1. Soup\n   2. Fish\n\n"
    source = f"A manual.\n\n{contents}1. Soup\n\nHot.\n\n=======\n2. Fish:\n=======\n\nCold.\n"
    assert [block.text for block in read("a.txt", source)[0].blocks][1:] == ["Hot.", "Cold."]
    twice = "Take these.\n\n- salt\n- oil\n\nAgain.\n\n- salt\n- oil\n"
    assert [block.text for block in read("a.txt", twice)[0].blocks].count("oil") == 2


def test_a_question_is_the_heading_of_its_answer(read: Read) -> None:
    source = (
        "Kettle\n\nQ: Why does it whistle?\nQ: Steam\n\nQ: Why does it whistle?\nA: The water boils.\n"
        "   Take it off.\n\n"
        "   It cools.\n\nQ: Steam\n\nA: It is hot.\n\nQ2. How long a lead\n   has it?\nOne metre.\n"
        "Q3. Red?\nA3. No.\n\nPARTS\n\nLid.\n"
    )
    assert placed(read("a.txt", source)[0]) == [
        ("paragraph", "The water boils.", ("Why does it whistle?",)),
        ("paragraph", "Take it off.", ("Why does it whistle?",)),
        ("paragraph", "It cools.", ("Why does it whistle?",)),
        ("paragraph", "It is hot.", ("Steam",)),
        ("paragraph", "One metre.", ("How long a lead has it?",)),
        ("paragraph", "No.", ("Red?",)),
        ("paragraph", "Lid.", ("PARTS",)),
    ]


def test_each_of_several_answers_to_a_question_is_a_paragraph_under_it(read: Read) -> None:
    source = "Kettle\n\nQ: Why is it cold?!\nA: It is off.\nA: It is\nempty.\nQ: Red?\nA: No.\nA: Blue.\n"
    assert placed(read("a.txt", source)[0]) == [
        ("paragraph", "It is off.", ("Why is it cold?!",)),
        ("paragraph", "It is empty.", ("Why is it cold?!",)),
        ("paragraph", "No.", ("Red?",)),
        ("paragraph", "Blue.", ("Red?",)),
    ]


CENTRED = """\tThe kettle.

It boils water.


\tHow to use.

Fill it.  Then see this:

\tkettle --on


\t"Quick" mode.

It is quick.
"""


def test_lines_amid_the_page_with_two_blank_ones_above_are_headings_where_the_text_stands_at_the_margin(
    read: Read,
) -> None:
    [document] = read("a.txt", CENTRED)
    assert document.title == "The kettle"
    assert placed(document) == [
        ("paragraph", "It boils water.", ()),
        ("paragraph", "Fill it.  Then see this:", ("How to use",)),
        ("code", "kettle --on", ("How to use",)),
        ("paragraph", "It is quick.", ('"Quick" mode',)),
    ]


def test_one_line_amid_the_page_is_no_heading(read: Read) -> None:
    [document] = read("a.txt", "Kettle\n\nIt boils.\n\n\n        Some Thing\n\nIt cools.\n")
    assert {block.path for block in document.blocks} == {()}


def test_a_numbered_question_of_two_lines_is_a_heading(read: Read) -> None:
    question = "1.12 Can I build up the palace or the throne room as in all of the other games\nof this kind?"
    [document] = read("a.txt", f"Some text of it.\n\n-------\n\n{question}\n\n   No.\n")
    assert placed(document)[1:] == [("paragraph", "No.", (question.replace("\n", " "),))]


def test_without_a_question_the_mark_of_an_answer_is_text(read: Read) -> None:
    assert placed(read("a.txt", "Some text of it.\n\nA: the area\n")[0])[1][1] == "A: the area"


def test_a_line_that_names_a_version_above_what_is_new_in_it_is_a_heading(read: Read) -> None:
    source = "A kettle boils.\n\nChanges in version 1.0 (2001/11/17)\n- It boils\n\nChanged (2002)\n\n- It cools\n"
    source += "\nChanges in version 1.0 matter to you.\n"
    [document] = read("a.txt", source)
    assert placed(document) == [
        ("paragraph", "A kettle boils.", ()),
        ("item", "It boils", ("Changes in version 1.0 (2001/11/17)",)),
        ("item", "It cools", ("Changed (2002)",)),
        ("paragraph", "Changes in version 1.0 matter to you.", ("Changed (2002)",)),
    ]


def test_items_marked_by_a_letter_are_items_and_a_word_of_one_letter_is_none(read: Read) -> None:
    [document] = read("a.txt", "Changes of the year 2001\no It boils\n  all day\no It cools\n")
    assert [(b.kind, b.text) for b in document.blocks[1:]] == [("item", "It boils all day"), ("item", "It cools")]
    prose = (
        "O barco que atravessa todos os dias a baia parte as oito e leva\n"
        "o correio e as pessoas que trabalham do outro lado da cidade, mas\no capitao.\n"
    )
    assert [block.kind for block in read("a.txt", prose)[0].blocks] == ["paragraph"]


def test_items_have_their_marks(read: Read) -> None:
    [document] = read("a.txt", "Do this:\n- apples and\n  pears\n- [3] plums\n\n1. first\n2) second\n(c) third\n")
    assert [(b.kind, b.text, b.mark) for b in document.blocks] == [
        ("paragraph", "Do this:", ""),
        ("item", "apples and pears", "-"),
        ("item", "[3] plums", "-"),
        ("item", "first", "1."),
        ("item", "second", "2)"),
        ("item", "third", "(c)"),
    ]


@pytest.mark.parametrize(
    "laid_out",
    [
        "NAME      AGE\nAnn        5\nBob Lee   12",
        "    $ make all\n      --fast\n    items[0] = Server()",
        "    # comment\n    if x {\n        y();\n    }",
    ],
)
def test_what_is_laid_out_by_spaces_is_kept_line_by_line(read: Read, laid_out: str) -> None:
    [document] = read("a.txt", f"Some text.\n\n{laid_out}\n\nMore text.")
    assert placed(document)[1] == ("code", dedent(laid_out), ())


def test_an_indented_sentence_is_a_paragraph(read: Read) -> None:
    [document] = read("a.txt", "Some text.\n\n    An indented first line of a\n    paragraph that goes on.\n")
    assert placed(document)[1] == ("paragraph", "An indented first line of a paragraph that goes on.", ())


def test_wiki_headings_make_it_wiki_prose(read: Read) -> None:
    [document] = read("foxes.txt", "Foxes are small.[3]\n\n== Diet ==\n\nThey eat mice.\n")
    assert (document.title, document.is_wiki) == ("foxes", True)
    assert placed(document) == [("paragraph", "Foxes are small.[3]", ()), ("paragraph", "They eat mice.", ("Diet",))]


def test_wrapped_lines_are_joined() -> None:
    lines = [
        "This sentence goes on and on until the line is full and must be",
        "continued on the next one, where it comes to its end. Then another",
        "One follows.",
        "A new paragraph.",
    ]
    assert unwrap(lines) == [" ".join(lines[:3]), lines[3]]


def test_lists_and_headings_are_not_joined() -> None:
    lines = ["Shopping", "- apples and", "- pears", "1. first", "2. second", "== History ==", "it began"]
    assert unwrap(lines) == lines


def test_labels_in_columns_are_not_joined() -> None:
    places = ["(Windows)  Start/Menu/All Programs/Editor/Options/File", "(Linux)    ~/.editor/editor.conf"]
    assert unwrap(places) == places
    prose = [
        "The engine of the boat is old and has to be warmed up.",
        "Wait.  Then turn the key and let it run on for some time.",
    ]
    assert unwrap(prose) == [" ".join(prose)]
    justified = [
        "A few other commands use the  prefix  to  request  that",
        "operating    via   menu   is  done  for  this  one  time.",
    ]
    assert unwrap(justified) == [" ".join(justified)]


def test_long_lines_are_paragraphs() -> None:
    lines = ["word " * 60 + "end", "and word " * 60 + "end"]
    assert unwrap(lines) == lines


def test_broken_words_are_made_whole() -> None:
    assert unwrap(["the photo-", "synthesis of plants"]) == ["the photosynthesis of plants"]
    assert unwrap(["in the Austro-", "Hungarian empire"]) == ["in the Austro-Hungarian empire"]
    assert unwrap(["a well-known case, and the well-", "known end"]) == ["a well-known case, and the well-known end"]


def test_words_broken_with_the_hyphen_of_typesetters_are_made_whole() -> None:
    assert unwrap(["it sends re\u2010", "minders of it"]) == ["it sends reminders of it"]
    assert unwrap(["the Austro\u2010", "Hungarian one"]) == ["the Austro\u2010Hungarian one"]
    assert unwrap(["a well\u2010known case, and the well\u2010", "known end"]) == [
        "a well\u2010known case, and the well\u2010known end"
    ]


HEAD = "FERRY(1)                        User Commands                        FERRY(1)"
FOOT = "ferry 2.1                        2024-05-03                         FERRY(1)"
PRINTED = f"""{HEAD}

NAME
       ferry - carry files over

DESCRIPTION

       The   recursive   modes   `newer'   and   `missing'   of  it  conflict   with
       --scan-all-first,   --depth-first,   and   with   every   setting  that   re\u2010
       minds one of them.

       A page ends amid what is

                                        2

{FOOT}



{HEAD}

       said of it.

EXIT STATUS
       0   All went well, and there is
           nothing more to say.

{FOOT}
"""


def test_a_printed_manual_is_read_without_its_heads_and_by_its_sections(read: Read) -> None:
    [document] = read("a.txt", PRINTED)
    assert document.title == "FERRY(1)"
    assert placed(document) == [
        ("paragraph", "ferry - carry files over", ("NAME",)),
        (
            "paragraph",
            "The recursive modes `newer' and `missing' of it conflict with --scan-all-first, --depth-first, and with "
            "every setting that reminds one of them.",
            ("DESCRIPTION",),
        ),
        ("paragraph", "A page ends amid what is said of it.", ("DESCRIPTION",)),
        ("paragraph", "0 All went well, and there is nothing more to say.", ("EXIT STATUS",)),
    ]


def test_the_heads_of_numbered_pages_are_dropped_and_rows_of_tables_are_not(read: Read) -> None:
    head = "Harbour Rules                    Ostrand                      [Page {}]"
    pages = "\n\n".join(f"Rule {n} is kept.\n\n{head.format(n)}" for n in range(1, 5))
    assert [block.text for block in read("a.txt", pages)[0].blocks] == [f"Rule {n} is kept." for n in range(1, 5)]
    rows = "Text above.\n\n" + "a   b   c\n\n" * 4 + "Section 3      see page 2\n\nVersion 1.2      3 May      Ann\n"
    assert sum(block.text == "a   b   c" for block in read("a.txt", rows)[0].blocks) == 4
    assert {"Section 3      see page 2", "Version 1.2      3 May      Ann"} <= {
        block.text for block in read("a.txt", rows)[0].blocks
    }


def test_capitals_above_code_that_goes_back_to_the_margin_are_no_heading(read: Read) -> None:
    [document] = read("a.txt", "Some text of it.\n\nSELECT\n    a, b\nFROM t\n\nUSE\n  it so.\n")
    assert [block.path for block in document.blocks[-1:]] == [("USE",)]
    assert all(block.path == () for block in document.blocks[:-1])


@pytest.mark.parametrize(
    "table",
    [
        "name of it      what it is      how old\nthe old ferry   a white ship    very\nthe quay of it  built    yes",
        "│a key    │ what the word does │\n│b key    │ what another does  │\n│c key    │ what it does not    │",
    ],
)
def test_columns_that_are_equally_long_are_no_prose(read: Read, table: str) -> None:
    assert read("a.txt", f"Some text.\n\n{table}\n\nMore text.")[0].blocks[1].kind == "code"


@pytest.mark.parametrize("line", [HEAD, FOOT, "", "12", " " * 80, "a   b   c   " * 6, HEAD + " " * 1000 + "x"])
def test_heads_are_looked_for_in_linear_time(read: Read, line: str) -> None:
    started = time.process_time()
    for between in ("\n", "\n\n", "\nword\n\n"):
        with suppress(BadInput):
            read("a.txt", (line + between) * 20_000)
    assert time.process_time() - started < 20


def test_headings_amid_the_page_are_looked_for_in_linear_time() -> None:
    started = time.process_time()
    document_of("    Abc Def\n\n\n" * 100_000, "notes")
    assert time.process_time() - started < 20


@pytest.mark.parametrize("unit", ["word ", "a", "*", "[", "`", "<", "_a", "\x1b]", "([", "| ", "- ", "]( ", "<!--"])
@pytest.mark.parametrize("suffix", [".txt", ".md"])
def test_a_huge_single_line_takes_linear_time(read: Read, unit: str, suffix: str) -> None:
    started = time.process_time()
    with suppress(BadInput):
        read("a" + suffix, "x " + unit * (1_000_000 // len(unit)))
    assert time.process_time() - started < 20


def test_fifty_megabytes_in_one_line_are_read(read: Read) -> None:
    started = time.process_time()
    [document] = read("a.txt", b"The cat sat on the mat. " * (50_000_000 // 24))
    assert len(document.blocks[0].text) > 49_000_000
    assert time.process_time() - started < 40


@given(
    content=st.binary() | st.text().map(str.encode), suffix=st.sampled_from([".txt", ".md", ".html", ".csv", ".jsonl"])
)
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    with suppress(BadInput):
        assert all(not isinstance(item, Document) or item.blocks for item in read_file(path))


def test_settings_that_are_explained_in_comments_keep_their_lines_and_are_cut_at_bare_marks(read: Read) -> None:
    source = "# set depth=31\n#\n# Type: number\n# How deep it is,\n# in metres.\n# \nset width=7\n"
    [document] = read("harbour.txt", source)
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("code", "# set depth=31"),
        ("code", "# Type: number\n# How deep it is,\n# in metres."),
        ("code", "set width=7"),
    ]


def test_a_heading_with_a_mark_above_its_sentence_is_no_settings_file(read: Read) -> None:
    [document] = read("a.txt", "Harbour\n\n# Depth\nIt is deep.\n")
    assert {block.kind for block in document.blocks} == {"paragraph"}


def test_restructured_text_is_read_as_such_whatever_its_suffix(read: Read) -> None:
    source = "FAQ\n===\n\n.. _one:\n\nSee :ref:`the guide <x>`.\n\n.. note::\n\n    Mind :setting:`DEBUG`.\n"
    [document] = read("faq.txt", source)
    assert [block.text for block in document.blocks] == ["See :ref:`the guide <x>`.", "Mind :setting:`DEBUG`."]
    assert [render_inline(block.text, "faq.txt") for block in document.blocks] == ["See the guide.", "Mind `DEBUG`."]


def test_a_text_that_names_a_role_once_stays_plain_text(read: Read) -> None:
    source = "Notes\n\nSphinx writes :ref:`x` for a link.\n\n    a = 1\n"
    assert [block.text for block in read("notes.txt", source)[0].blocks] == [
        "Sphinx writes :ref:`x` for a link.",
        "a = 1",
    ]


def test_lines_set_in_behind_a_colon_keep_their_breaks_and_sentences_do_not(read: Read) -> None:
    code = "2.  Unpack it:\n\n        tar xf a.tar\n        cd a\n\n3.  Go on.\n\n"
    prose = (
        "He said:\n\n    It was a long way from there\n    to the harbour.\n\nTake:\n\n    - the boat\n    - the oars\n"
    )
    [document] = read("a.txt", f"{code}{prose}")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("item", "Unpack it:"),
        ("code", "tar xf a.tar\ncd a"),
        ("item", "Go on."),
        ("paragraph", "He said:"),
        ("paragraph", "It was a long way from there to the harbour."),
        ("paragraph", "Take:"),
        ("item", "the boat"),
        ("item", "the oars"),
    ]
