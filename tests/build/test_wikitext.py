"""Wikitext as a reader sees it: the words of templates stay, and what is left out leaves no brackets behind."""

from __future__ import annotations

import time

import pytest

from expound.build.wiki_markup import simplify
from expound.build.wikitext import read_wikitext, takes_too_long


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
        ("An angle of 1{{sfrac|1|4}} or {{frac|3}}{{snd}}or {{frac|1|2|3}}.", "An angle of 1 1/4 or 1/3 – or 1 2/3."),
        ("At {{convert|6|ft|4|in|cm}} tall, {{convert|20|cm|0|abbr=on}} wide", "At 6 ft 4 in tall, 20 cm wide"),
        ("From {{convert|1600|to|1800|mm|abbr=on}} of rain", "From 1600 to 1800 mm of rain"),
        ("It cost $5 (${{Inflation|US|5|1929}} today).", "It cost $5 ($… today)."),
        ("Some ${{formatnum:{{Inflation|US|8|1861}}}} and {{formatnum: 3003}}.", "Some $… and 3003."),
        ("''Eagle''{{'s}} landing beside {{HMS|Ajax|22|6}}", "Eagle's landing beside HMS Ajax"),
        ("the ''Iliad'''s end, and '''''both'''''", "the Iliad's end, and both"),
        ("'''A'''s and ''b''s", "As and bs"),
        ("a [''[[Art of Being Right]]''] {''x''}", "a [ Art of Being Right ] {x}"),
        ("<math>f''(x)</math> is ''not'' italic", "f''(x) is not italic"),
        ("about {{sigfig|45678|2}} and {{sigfig|0.01234|2}} or {{sigfig|many|2}}", "about 46000 and 0.012 or many"),
        ("{{SimpleNuclide2|lithium|7}} in A{{Music|flat}}, 300{{e|9}} kg", "lithium-7 in A♭, 300×10^9 kg"),
        ("{{marriage|[[Mary Todd]]|1842|1865|reason=his death}}", "Mary Todd (1842–1865)"),
        ("{{ill|de|Gymnasium Gotha|Gymnasium illustre}} or {{ill|Gotha|de}}", "Gymnasium Gotha or Gotha"),
        ("Workers' [[wikt:solidarity|solidarity]] ([[:zh:算盤|算盤]])", "Workers' solidarity (算盤)"),
        ("The [[Kruskal&ndash;Wallis test]]", "The Kruskal–Wallis test"),
        ("It is so.<ref>[[A#B|A]]<ref>Twice opened", "It is so."),
        ("One<br/ >two<li>three", "One two three"),
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
    assert block.text == "Actor | S1\nPurcell | Main\na = b"


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
    assert block.text == "name | Brahui\nspeakers | 4 million"


def test_the_caption_of_a_table_stands_before_it() -> None:
    caption, table = read_wikitext("{|\n|+ Alkali metals\n|-\n! Name !! Number\n|-\n| Lithium || 3\n|}").blocks
    assert (caption.text, caption.kind) == ("Alkali metals", "paragraph")
    assert table.text == "Name | Number\nLithium | 3"


def test_a_picture_that_is_not_closed_leaves_nothing() -> None:
    assert not read_wikitext("[[File:Tree.svg|thumb|An odd ''description").blocks


def test_a_table_whose_looks_are_out_of_order_is_a_table_all_the_same() -> None:
    looks = '{| class="wikitable" font-size:80%;"\n|- style="x\n! Affiliation !! Percent\n'
    rows = "|-\n| style=\"a\"| Christian\n|align=right| '''{{bartable|87.5||2||background:darkblue}}\n"
    crossed = "|-\n| [[1992 Championships|'''W]]'''\n| colspan=2 {{CMain}}\n|}"
    [block] = read_wikitext(looks + rows + crossed).blocks
    assert (block.kind, block.text) == ("table", "Affiliation | Percent\nChristian | 87.5\nW | Main")


def test_a_clade_is_a_list_within_lists() -> None:
    clade = "{{clade|label1=Fish|1={{clade|1=[[Gar]]s|2={{clade|1=Tetra|2=Carp}}|label3=Lobed|3=Lungfish}}}}"
    blocks = read_wikitext(f"{{{{cladogram|1={clade}}}}}").blocks
    assert [(block.text, block.level) for block in blocks] == [
        ("Fish", 0),
        ("Gars", 1),
        ("Tetra", 1),
        ("Carp", 1),
        ("Lobed Lungfish", 1),
    ]
    assert {block.kind for block in blocks} == {"item"}


def test_a_clade_of_any_depth_ends() -> None:
    blocks = read_wikitext("{{clade|1=a " * 35 + "}}" * 35).blocks
    assert 0 < len(blocks) < 35


def test_lists_in_columns_are_lists() -> None:
    columns = "{{Columns-list|2|\n* [[Alto]]\n* Antilla\n}}{{columns|width=13em|col1=\n* Ayo\n}}"
    blocks = read_wikitext(columns + "{{ordered list|start=1|One|1984}}").blocks
    assert [block.text for block in blocks] == ["Alto", "Antilla", "Ayo", "One", "1984"]


@pytest.mark.parametrize(
    ("wikitext", "rows"),
    [
        ("{{US Census population\n|1800= 1250\n|1810= 9046\n|footnote=x}}", "1800 | 1250\n1810 | 9046"),
        ("{{Historical populations|title=Thousands|1856|2496|1872|2416}}", "1856 | 2496\n1872 | 2416"),
        (
            "{{bar box|title=Religion|bars=\n{{bar percent|[[Islam]]|green|98}}\n{{bar percent|None|gray|0.4}}}}",
            "Religion\nIslam | 98\nNone | 0.4",
        ),
        ("{{Bar chart|title=Output|label1=China|data1=5|label2=India|data2=3}}", "Output\nChina | 5\nIndia | 3"),
        ("{{Spaceflight crew|position1=Pilot|crew1_up=[[Collins]]}}", "position1 | Pilot\ncrew1 up | Collins"),
    ],
)
def test_charts_and_populations_are_tables(wikitext: str, rows: str) -> None:
    [block] = read_wikitext(wikitext).blocks
    assert (block.kind, block.text) == ("table", rows)


@pytest.mark.parametrize("text", ["<math></code>" * 20_000, "''" * 50_000 + "'''s"])
def test_marks_without_an_end_take_linear_time(text: str) -> None:
    started = time.process_time()
    simplify(text)
    assert time.process_time() - started < 5


def test_a_number_below_zero_is_no_row_of_a_table() -> None:
    [block] = read_wikitext("It is {{convert\n|-5\n|C}} cold.").blocks
    assert block.text == "It is -5 C cold."


@pytest.mark.parametrize("text", ["{{a|" * 100_000, "{{clade|1=" * 5_000 + "}}" * 5_000, "<math></code>" * 10_000])
def test_what_would_keep_the_parser_busy_is_known_before(text: str) -> None:
    assert takes_too_long(text)


def test_a_long_page_of_sound_markup_is_read() -> None:
    assert not takes_too_long("{{a|{{b}}}} [[c]] <ref name=d /> <b>e</b> <!-- f --> {|\n| g\n|}\n" * 5_000)
