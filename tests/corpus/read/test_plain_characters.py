"""Text that is safe to print."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from expound.text.plain import plain, plain_line, visible

HOSTILE = st.text(st.sampled_from("\x1b\x9b\x9d\x07\\[]P0;mH \r\n\t\u202eab\ud800"))


@given(st.text() | HOSTILE)
@example("\x1b]0;title\x07\x9b31mred\x85\ud800\u202e\r")
def test_no_control_character_is_left(text: str) -> None:
    left = [c for c in plain(text) if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t"]
    assert left == []
    assert not set(plain(text)) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(st.text() | HOSTILE)
def test_making_plain_twice_changes_nothing(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@given(st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")).filter(lambda c: c < "\U000e0000")))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b1;31mred", "red"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]never closed", "never closed"),
        ("a\r\nb\rc\fd", "a\nb\nc\nd"),
        ("abc\u202edef", "abcdef"),
        ("a\u061cb\u200ec\u200fd\u206ae\ufff9f", "abcdef"),
        ("a\U000e0049\U000e007fb\U000e0101c", "abc"),
        ("می\u200cخواهم 👩\u200d🚀 ❤\ufe0f", "می\u200cخواهم 👩\u200d🚀 ❤\ufe0f"),
        ("a\ud800b", "a\ufffdb"),
        ("tab\tand\nnewline", "tab\tand\nnewline"),
        ("naïve 日本 “quotes”", "naïve 日本 “quotes”"),
    ],
)
def test_escape_sequences_go_as_a_whole(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_a_line_has_single_spaces() -> None:
    assert plain_line(" two\n\x1b[1mwords\t ") == "two words"


@pytest.mark.parametrize("unit", ["\x1b]", "\x9d", "\x1b[", "\x1b[0", "\x9b;", "\x1bP ", "\x1b"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.process_time()
    plain(unit * 300_000)
    assert time.process_time() - started < 15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay\u200bpal\u2060 \ufeffnow\u180e\u034f", "paypal now"),
        ("ad\u200cm\u200d\u200cin", "admin"),
        ("\u200dstart", "start"),
        ("Donau\xaddampf\u3164\uffa0\u17b4\ufff0", "Donaudampf"),
        ("a\ufe00\ufe01\ufe0eb \u115f\u1160c\u180b", "ab c"),
        ("😀\ufe0f\ufe01\ufe02 ᠠ\u180b ᄀ\u1160", "😀\ufe0f ᠠ\u180b ᄀ\u1160"),
        ("می\u200cخواهم 👩\u200d🚀 ❤\ufe0f", "می\u200cخواهم 👩\u200d🚀 ❤\ufe0f"),
    ],
)
def test_a_screen_shows_no_character_without_width_except_where_it_joins(text: str, expected: str) -> None:
    assert visible(text) == expected
