"""Debris is seen where prose is damaged, and nowhere else."""

from __future__ import annotations

import math

import pytest

from expound.score.debris import AnswerPiece, Debris, damages, pieces_of, prose_pieces
from expound.types import Answer, Evidence, Part, Passage, Prediction, Question, Sentence, Source

DAMAGED = {
    "markup": [
        "Set the **retention period** to a week.",
        "The option is described in [the guide](guide.md).",
        "It has the [Apache 2.0](https://example.org/licence) licence.",
        "The list is in [Keycodes](keycodes).",
        "See :ref:`storage` for more.",
        'The result is <div class="note"> a table.',
        "It takes up to&nbsp;ten minutes.",
        "| Name |---| Value |",
        "The encryption is straight\\-forward.",
        "Use @samp{--help} to see them all.",
        "It is described below {#below}.",
    ],
    "navigation": [
        "Next: Installation, Previous: Overview, Up: Top",
        "Prev Up Home Next",
        "Previous | Next",
        "The end. Prev Up Next Chapter 2. Basics Home",
        "Skip to main content Search the manual.",
    ],
    "contents line": ["3.2 Configuration ........ 41", "Options . . . . . . . . 12"],
    "page number": ["Page 12 of 80", "– 17 –", "Page 7", "The rest is on Page 3 of 9 of the file."],
    "empty brackets": [
        "The daemon () listens on all ports.",
        "The field is called “ ” in the file.",
        "It stops (, then).",
    ],
    "missing word": ["Use the , which is thread-safe.", "For the details see ."],
    "title in brackets": [
        "[4.2. Packages] is recommended for servers.",
        "[Chapter 3: Storage] has to be mounted first.",
        "It is slow. [295579] should be faster.",
    ],
    "doubled word": ["Restart the the server.", "It is written to to the disk."],
    "hyphenated": ["Change the configu- ration of the daemon."],
    "lost character": ["The caf\ufffd is closed.", "Itâ€™s the default.", "Press \ue001 to go on."],
    "list in a line": ["Supported are • Linux • macOS • Windows."],
    "broken brackets": ["The default (see below is ten.", "The default is ten see below)."],
}
SOUND = [
    "Call Server() and then items[0] with f(x, y).",
    "Write `**bold**` or `[text](address)` to mark it.",
    "Patterns such as **/*.md find files in depth, and 2 ** 3 is eight.",
    "Pass **kwargs on to the function.",
    "Pre- and post-processing are done by plug-ins.",
    "He said that that was right.",
    "A number in [0, 1) is drawn (uniformly).",
    "Either a) wait or b) start anew.",
    "Choose Next to go to the next page, or Up to return.",
    "The value 17 is the default.",
    "Versions 1.2... and later are read.",
    "Files such as .bashrc and ./configure are read from the current folder.",
    "See [RFC 5321] for the protocol, and [7] for its history.",
    "The handlers[0](event) is called first.",
    "The operators <, > and <= compare numbers; AT&T uses <enter>.",
    "Use C:\\Users\\.config or \\\\server\\share on Windows.",
    "Ratios are written as a:b:c, and times as 10:30.",
    "It is what it is (really).",
    "It works like magic :)",
    "It is bar based.⁸ A bar has beats (mostly four).¹² That is all.",
    "You will want to change them (and read this again :).",
    "Logging in to the server is easy.",
    'Write the address inside "[]", and keep the () around the name.',
    "A line ends with a <br> element.",
    "Please write if (), while () and for () with a space, and none within ().",
    "The separator is Comma(,) or Semicolon(;).",
    "The first press of ; looks at the tile.",
    "Previous Next: Displays the previous or the next file.",
    "17",
]


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in DAMAGED.items() for text in texts])
def test_damage_is_seen_and_named(rule: str, text: str) -> None:
    assert rule in [found.split(":")[0] for found in damages(list(prose_pieces(text)))]


@pytest.mark.parametrize("text", SOUND)
def test_sound_prose_is_left_alone(text: str) -> None:
    assert damages(list(prose_pieces(text))) == []


def test_a_sentence_that_begins_amid_another_is_damaged() -> None:
    assert damages([AnswerPiece("of the server is set in the file.")])
    assert damages([AnswerPiece("It has a file."), AnswerPiece("and is read at start.")])


def test_a_program_may_begin_a_sentence_in_lower_case() -> None:
    assert not damages([AnswerPiece("curl follows redirects with -L."), AnswerPiece("etcd keeps them.")])


@pytest.mark.parametrize("before", [AnswerPiece("x = 1", "code"), AnswerPiece("It runs when:")])
def test_a_sentence_goes_on_after_code_or_a_colon(before: AnswerPiece) -> None:
    assert not damages([before, AnswerPiece("and the file is there.")])


def test_a_bracket_that_the_author_forgot_to_close_is_no_damage() -> None:
    text = "The file (normally in /etc is read first."
    assert damages(list(prose_pieces(text)))
    assert not damages(list(prose_pieces(text)), [Evidence(Passage("p", f"It is so.\n{text}"), 1, 0.5)])


def test_a_mail_may_go_on_in_lower_case_behind_its_greeting() -> None:
    text = "Hi all,\nwe move on Saturday."
    pieces = [AnswerPiece("we move on Saturday.", starts_line=False)]
    assert damages(pieces, [Evidence(Passage("1", text), 1, 1.0)]) == []
    assert damages(pieces, [Evidence(Passage("1", text.replace(",", "")), 1, 1.0)])


def test_an_item_of_the_source_may_begin_in_lower_case() -> None:
    passage = Passage(
        "p", "It needs:\nthe name of the host\nthe port", parts=(Part("item", 10, 30), Part("item", 31, 39))
    )
    piece = AnswerPiece("the name of the host")
    assert damages([piece])
    assert not damages([piece], [Evidence(passage, 1, 1.0)])


def test_a_sentence_without_a_stop_before_another_is_damaged_unless_a_line_ends_there() -> None:
    assert damages([AnswerPiece("Installing the server"), AnswerPiece("The server is a package.")])
    assert not damages([AnswerPiece("Install the server"), AnswerPiece("Start it.", starts_line=True)])
    assert not damages([AnswerPiece("Run this"), AnswerPiece("make install", "code")])


def test_a_bracket_may_close_in_a_later_sentence() -> None:
    assert not damages(list(prose_pieces("It stops. (This takes a while. Wait for it.) Then go on.")))


def test_code_is_judged_for_lost_characters_only_and_rows_for_markup_too() -> None:
    text = "the the **x** ( &nbsp;"
    assert not damages([AnswerPiece(text, "code")])
    assert [found.split(":")[0] for found in damages([AnswerPiece(text, "rows")])] == ["markup"]
    assert damages([AnswerPiece("caf\ufffd", "code")])


def test_a_bare_number_is_a_page_number_in_a_pdf() -> None:
    found = [Evidence(Passage("p", "17", source=Source("manual.pdf")), 1, 1.0)]
    assert damages([AnswerPiece("17")], found)


def test_slips_of_the_author_are_no_debris() -> None:
    text = "Restart the the server from the pop- up menu (now."
    found = [Evidence(Passage("p", text, parts=(Part("paragraph", 0, len(text)),)), 1, 1.0)]
    assert damages([AnswerPiece(text)])
    assert not damages([AnswerPiece(text)], found)


def test_lines_of_the_answer_are_kept_apart() -> None:
    entries = (Sentence("Do this", "Do this", (1,)), Sentence("It works.", "It works.", (1,)))
    assert damages(pieces_of(Answer("Do this It works.", entries)))
    assert not damages(pieces_of(Answer("Do this\nIt works.", entries)))


def test_the_metric_is_100_with_debris_0_without_and_undefined_for_an_abstention() -> None:
    question = Question("q", "Why?")

    def count(text: str, *, abstained: bool = False) -> float:
        return Debris().count(question, Prediction("q", "Why?", "demo", Answer(text), abstained=abstained))

    assert count("Because the the wind blows.") == 100
    assert count("Because the wind blows.") == 0
    assert math.isnan(count("", abstained=True))
