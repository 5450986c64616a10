"""Wikitext as a reader sees it: the words of templates stay, and what is left out leaves no brackets behind."""

from __future__ import annotations

import time

import pytest

from expound.build.wikitext import read_wikitext


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        (
            "{{Nihongo|'''Aikido'''|合気道|Aikidō|lead=yes}} {{IPA-ja|a}} is an art.",
            "Aikido (合気道, Aikidō) is an art.",
        ),
        ("'''Albedo''' ({{IPAc-en|æ|l}}) or reflection", "Albedo or reflection"),
        ("Alabama ({{IPAc-en|a}}; born 1819) is", "Alabama (born 1819) is"),
        ("Albania ({{lang-sq|Shqipëria}}; {{IPA-sq|x}}), is", "Albania (Shqipëria), is"),
        ("The function main() has (  ) brackets.", "The function main() has ( ) brackets."),
        ("Atoms {{citation needed}}, and others.", "Atoms, and others."),
        ("{{As of|2010}}, three groups; {{as of|2014|3|lc=y}}", "As of 2010, three groups; as of 2014-03"),
        (
            "In {{flag|Tennessee}} and {{flag|Georgia (U.S. state)|name=Georgia}}",
            "In Tennessee and Georgia",
        ),
        ("Alkanes ({{chem|C|''n''|H|2''n''+2}}) burn.", "Alkanes (CnH2n+2) burn."),
        ("It is {{val|6.241|e=18|u=C}} long.", "It is 6.241×10^18 C long."),
        ("Press {{keypress|Tab}} {{small|twice}}.", "Press Tab twice."),
        ("{{hlist|[[Biology]]|[[Zoology]]}}", "Biology, Zoology"),
        ("{{quote|text=To be, or not to be.|author=H}}", "To be, or not to be."),
        ("The lateral {{IPA|[ɬ]}}, a sound", "The lateral [ɬ], a sound"),
        ("[[Buddhism]]{{·}}[[Immanuel Kant]]", "Buddhism, Immanuel Kant"),
        ("Signed on {{dts|1777|12|16}}.", "Signed on 1777-12-16."),
        ("[[CSI: Miami]] and [[fr:Anarchie]] [[be-x-old:Анархія]] [[simple:Anarchy]]", "CSI: Miami and"),
    ],
)
def test_a_sentence_reads_as_on_the_page(wikitext: str, text: str) -> None:
    assert [block.text for block in read_wikitext(wikitext).blocks] == [text]


def test_the_looks_of_a_cell_are_no_text() -> None:
    table = (
        '{|\n! Actor !! S1\n|-\n| Purcell || colspan="5" {{cMain}}\n|-\n| bgcolor=white colspan="3" {{x}} || a = b\n|}'
    )
    [block] = read_wikitext(table).blocks
    assert block.text == "Actor | S1\nPurcell\na = b"


def test_an_item_that_begins_with_a_flag_still_begins_with_its_link() -> None:
    assert read_wikitext("* {{flagicon|US}} [[Holm (ship)]], a ship").listed == ("Holm (ship)",)


@pytest.mark.parametrize("text", ["({{a}}" * 2_000, "{{a}}" * 5_000 + ")", "(" * 5_000 + "{{a}},; " * 2_000])
def test_many_templates_take_linear_time(text: str) -> None:
    started = time.process_time()
    read_wikitext(text)
    assert time.process_time() - started < 20


def test_a_cell_beside_several_rows_is_said_in_each() -> None:
    table = """{|
! Award !! Name !! How many
|-
| Most awards || rowspan="2" | [[Cedric Gibbons]] || 11
|-
| Most nominations || 39
|-
! rowspan=3 | 1928
|-
| colspan="2" | Nobody
|-
| Hans Dreier || 2
|}"""
    [block] = read_wikitext(table).blocks
    assert block.text.split("\n")[1:] == [
        "Most awards | Cedric Gibbons | 11", "Most nominations | Cedric Gibbons | 39",
        "1928", "1928 | Nobody", "1928 | Hans Dreier | 2",
    ]  # fmt: skip


def test_an_infobox_says_nothing_of_its_pictures() -> None:
    [block] = read_wikitext(
        "{{Infobox language\n|name=Brahui\n|map=Sprachen.png\n|speakers={{sigfig|4.22|1}} million\n}}"
    ).blocks
    assert block.text == "name | Brahui\nspeakers | 4.22 million"


def test_the_caption_of_a_table_stands_before_it() -> None:
    caption, table = read_wikitext("{|\n|+ Alkali metals\n|-\n! Name !! Number\n|-\n| Lithium || 3\n|}").blocks
    assert (caption.text, caption.kind) == ("Alkali metals", "paragraph")
    assert table.text == "Name | Number\nLithium | 3"


def test_a_picture_that_is_not_closed_leaves_nothing() -> None:
    assert not read_wikitext("[[File:Tree.svg|thumb|An odd ''description").blocks
