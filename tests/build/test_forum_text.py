"""The text of posts: addresses and people become tokens, habits of the forum and entities go."""

from __future__ import annotations

import pytest

from expound.build.forum_text import Names, clean_text, clean_title, is_gone

NOBODY = Names()


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("ELI5: Why is the sea salt?", "Why is the sea salt?"),
        ("[ELI5] Why is the sea salt?", "Why is the sea salt?"),
        ("eli5 - why is the sea salt?", "why is the sea salt?"),
        ("ELI5:ELI5: Why?", "Why?"),
        ("ELIF; Why?", "Why?"),
        ("How did ELI5: begin?", "How did ELI5: begin?"),
        ("Believing in elifs", "Believing in elifs"),
    ],
)
def test_a_title_loses_what_every_title_begins_with(written: str, wanted: str) -> None:
    assert clean_title(written, NOBODY) == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("see https://a.org/x?y=1&amp;z=2.", "see URL_0 ."),
        ("[this](http://a.org/b_(c)) and [that](http://d.org)", "[this]( URL_0 ) and [that]( URL_1 )"),
        ("http://a.org twice: http://a.org", "URL_0 twice: URL_0"),
        ("it is on youtu.be/abc, or on example.com", "it is on URL_0 , or on URL_1"),
        ("e.g. 3.5 and a.m. and so.on", "e.g. 3.5 and a.m. and so.on"),
        ("a &lt; b &amp;gt; c\n\nnew   line&#x200B;", "a < b > c new line"),
        ("ask u/Some-One_1 or /u/another", "ask USER or USER"),
        ("U/tmahfan117 covers it, /user/another too, and r/u_third", "USER covers it, USER too, and USER"),
        (r"as u/some\_one\_else said", "as USER said"),
        ("by @PM_ME_YOUR_AIRFOIL, @ noon", "by USER, @ noon"),
        ("ask [someone](/u/someone) or [**one**](https://www.reddit.com/user/one/)", "ask USER or USER"),
        ("User/executive and SETI@home", "User/executive and SETI@home"),
        ("mail me at some.one@example.org", "mail me at USER"),
        ("half and/or u/ nothing", "half and/or u/ nothing"),
    ],
)
def test_addresses_and_people_are_tokens(written: str, wanted: str) -> None:
    assert clean_text(written, NOBODY) == wanted


@pytest.mark.parametrize("text", ["[removed]", " [Deleted] ", "", "[deleted by user]"])
def test_what_was_removed_leaves_nothing(text: str) -> None:
    assert is_gone(text)
    assert clean_text(text, NOBODY) == ""


def test_notes_about_edits_stay_unless_they_are_to_go() -> None:
    text = "It is the rods.\n\n**Edit:** spelling\nEdit 2: thanks!\nAn edited text stays."
    assert "spelling" in clean_text(text, NOBODY)
    assert clean_text(text, NOBODY, keep_edits=False) == "It is the rods. An edited text stays."


def test_a_salt_gives_a_person_the_same_hash_everywhere_and_another_salt_another() -> None:
    names, others = Names.salted("pepper"), Names.salted("paprika")
    assert names.token("Someone") == names.token("someone") != others.token("someone")
    assert clean_text("ask u/someone", names) == f"ask {names.token('someone')}"
    assert "someone" not in names.token("someone")


def test_the_salt_is_in_nothing_that_is_printed_or_written() -> None:
    assert "pepper" not in repr(Names.salted("pepper"))
    assert Names.salted("pepper").mark != Names.salted("paprika").mark


def test_the_name_of_the_author_goes_from_the_text_unless_it_is_a_word() -> None:
    assert clean_text("Greetings, Deep_Thought_42 (deep_thought_42)", Names(), author="Deep_Thought_42") == (
        "Greetings, USER (USER)"
    )
    assert clean_text("I like science.", Names(), author="science") == "I like science."
    assert clean_title("ELI5: why SkyWatcher?", Names(), author="SkyWatcher") == "why USER?"
    assert clean_text("Yours, SkyWatcher", Names.salted("pepper"), author="SkyWatcher") == (
        f"Yours, {Names.salted('pepper').token('skywatcher')}"
    )
