"""Messages and mailboxes: who, what, what is quoted; attachments are named; hostile files."""

from __future__ import annotations

import gzip
import time
from contextlib import suppress
from email.message import EmailMessage

import pytest

from corpus.read.read_helpers import Read
from expound.errors import BadInput

PLAIN = """\
From: Ann <ann@example.org>
To: bob@example.org
Date: Tue, 3 May 2022 10:00:00 +0000
Subject: =?utf-8?q?The_caf=C3=A9?=

Hello Bob,

On Monday you wrote:
> Shall we meet?
>> Earlier still.

Yes.
--\x20
Ann, somewhere
"""


def test_the_subject_is_the_title_and_quoted_lines_are_quotations(read: Read) -> None:
    [document] = read("a.eml", PLAIN)
    assert document.title == "The café"
    assert document.meta == {
        "from": "Ann <ann@example.org>", "to": "bob@example.org", "date": "Tue, 3 May 2022 10:00:00 +0000",
    }  # fmt: skip
    assert [(b.kind, b.text, b.level) for b in document.blocks] == [
        ("paragraph", "Hello Bob,", 0),
        ("paragraph", "On Monday you wrote:", 0),
        ("quotation", "Shall we meet?", 0),
        ("quotation", "Earlier still.", 1),
        ("paragraph", "Yes.", 0),
    ]
    assert all(block.text in PLAIN for block in document.blocks)


@pytest.mark.parametrize("name", ["Letter", "Letter.gz"])
def test_a_message_without_a_suffix_is_told_by_its_headers(read: Read, name: str) -> None:
    [document] = read(name, gzip.compress(PLAIN.encode()) if name.endswith(".gz") else PLAIN)
    assert (document.title, document.meta["from"]) == ("The café", "Ann <ann@example.org>")


def test_a_mailbox_without_a_suffix_is_read_without_its_marks_and_attachments(read: Read) -> None:
    packed = message()
    packed.set_content("See the plan.")
    packed.add_attachment(b"\0" * 900, maintype="image", subtype="png", filename="plan.png")
    start = "From - Tue May 03 10:00:00 2022\nX-Status: 1\n"
    first, second = read("Inbox", f"{start}{PLAIN}\n{start}From: ann@example.org\n{packed}")
    assert (first.title, second.title) == ("The café", "News")
    assert [block.text for block in second.blocks] == ["See the plan."]
    assert second.meta["attachments"] == ["plan.png"]


@pytest.mark.parametrize(
    "text",
    ["From here on\nNote: all is well.\n\nEnd.", "Date: today\nFrom: home\n", "From: A\nDate: B\nand so on\n\nC"],
)
def test_a_text_that_begins_with_from_is_no_mail(read: Read, text: str) -> None:
    [document] = read("notes", text)
    assert (document.title, document.meta) == ("notes", {})


def test_items_and_what_is_laid_out_are_told(read: Read) -> None:
    [document] = read("a.eml", "Subject: T\n\nDo this:\n\n- go\n- stop\n\n    if x[0]:\n        run()\n")
    assert [(b.kind, b.text, b.mark) for b in document.blocks] == [
        ("paragraph", "Do this:", ""),
        ("item", "go", "-"),
        ("item", "stop", "-"),
        ("code", "if x[0]:\n    run()", ""),
    ]


def message(**more: str) -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = "News"
    for name, value in more.items():
        made[name] = value
    return made


def test_plain_text_is_preferred_and_attachments_are_named_only(read: Read) -> None:
    made = message()
    made.set_content("The text.")
    made.add_alternative("<p>The page.</p>", subtype="html")
    made.add_attachment("secret words", filename="notes.txt")
    made.add_attachment(b"\x00", maintype="application", subtype="pdf", filename="plan.pdf")
    [document] = read("a.eml", made.as_bytes())
    assert [block.text for block in document.blocks] == ["The text."]
    assert document.meta["attachments"] == ["notes.txt", "plan.pdf"]


def test_a_page_alone_is_read_as_a_page(read: Read) -> None:
    made = message()
    made.set_content("<html><body><h2>Part</h2><p>The <b>page</b>.</p><script>x</script></body></html>", subtype="html")
    [document] = read("a.eml", made.as_bytes())
    assert [(block.text, block.path) for block in document.blocks] == [("The page.", ("Part",))]


def test_a_mailbox_is_a_document_a_message(read: Read) -> None:
    box = "".join(f"From ann Tue May 3\nSubject: No {n}\n\nText {n}.\n>From here on.\n\n" for n in (1, 2))
    documents = read("a.mbox", box)
    assert [(d.title, [b.text for b in d.blocks]) for d in documents] == [
        ("No 1", ["Text 1.", "From here on."]),
        ("No 2", ["Text 2.", "From here on."]),
    ]


def test_an_unknown_character_set_does_no_harm(read: Read) -> None:
    source = b"Subject: =?nonsense?q?a?=\nContent-Type: text/plain; charset=nonsense\n\ncaf\xe9"
    [document] = read("a.eml", source)
    assert document.blocks[0].text == "café"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.mbox", "no mail at all", "not a mailbox"),
        ("a.eml", "Subject: nothing\n\n", "empty, no text in it"),
        ("a.eml", "", "empty|not a message"),
    ],
)
def test_what_holds_no_message_is_refused(read: Read, name: str, content: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        read(name, content)


@pytest.mark.parametrize("header", ["From", "Subject", "Content-Type", "Content-Disposition", "Date"])
@pytest.mark.parametrize("piece", ["(", '"', "=?utf-8?q?a?= ", "a,", ";a*0=b", "<", "\\"])
def test_hostile_headers_take_little_time(read: Read, header: str, piece: str) -> None:
    start = time.process_time()
    with suppress(BadInput):
        read("a.eml", f"{header}: {piece * 50_000}\n\nText.")
    assert time.process_time() - start < 5


def test_parts_nested_without_end_are_one_clear_line_at_worst(read: Read) -> None:
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2000))
    with pytest.raises(BadInput, match=r"a\.eml: "):
        read("a.eml", nested + "\nText.")


def test_a_thread_says_nothing_twice(read: Read) -> None:
    first = b"From a\nSubject: Fees\n\nThe fee is 75. Pay it\nin May.\n\nRegards\n\n"
    quoted = b"On Monday, A wrote:\n> The fee is 75.\n> Pay it in May.\n\n"
    second = b"From b\nSubject: Re: Fees\n\n" + quoted + b"To whom?\n\n> Unheard of.\n\n"
    third = b"From c\nSubject: Fwd: Fees\n\n> The fee is 75.\n\n"
    documents = read("a.mbox", first + second + third)
    assert [[block.text for block in document.blocks] for document in documents] == [
        ["The fee is 75. Pay it in May.", "Regards"],
        ["To whom?", "Unheard of."],
        ["The fee is 75."],
    ]
