"""Man pages of both macro packages: structure, no markup left, what is no man page, hostile files."""

from __future__ import annotations

import gzip
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.read.read_helpers import Read, make_files, read_document
from expound.corpus.content_types import suffix_for
from expound.corpus.read.formats import can_read, read_file
from expound.corpus.read.man_escapes import Strings
from expound.corpus.read.unread import POINTER, find, how_to_read
from expound.errors import BadInput

PAGE = r"""'\" t
.\" A comment.
.de Vb
.nf
..
.ie \n(.g .ds Aq \(aq
.el .ds Aq '
.TH FERRY 1 2024 "ferry 2" "User Commands"
.SH NAME
ferry \- carry files \" over
.SH SYNOPSIS
.B ferry
.RI [ option ...]
.SH "THE OPTIONS"
.SS Common
.TP
.BR \-f ", " \-\^\-force
Overwrite what is \fIthere\fR,
even if it\*(Aqs new.
.IP
A second paragraph.
.TP
\fB\-q\fP
.TQ
.B \-\-quiet
Say nothing.
.PD 0
.IP \(bu 2
First
point.
.IP 2. 3
Second.
.PP
So:
.RS 4
.EX
ferry \-\-to=x \e
    y
.EE
.RE
.PP
\fB\-\-port\fR=\fIN\fR
.RS 4
The port\(emits number.
.sp
.if t Only on paper.
More of it.
.RE
.UR https://example.org/
The site
.UE .
.TS
allbox tab(|);
lb lb
l l.
Name|Size
a.txt|T{
ten
.B big
T}|
.TE
"""

MDOC = r""".Dd May 3, 2024
.Dt FERRYD 8
.Os
.Sh NAME
.Nm ferryd
.Nd the harbour's
.Tn UNIX
server
.Sh SYNOPSIS
.Nm
.Op Fl dv
.Op Fl p Ar port | Ar name Ns Op : Ns Ar n
.Sh DESCRIPTION
.Nm
reads
.Pa /etc/ferry.conf ,
see
.Xr ferry.conf 5 .
.Pp
It takes
.Dq two words
and
.Fn call "int a" "char *b" ;
.Bl -tag -width Ds
.It Fl d , Fl -debug
Stay.
.Pp
Print more.
.It Xo
.Ic go Ar where
.Op Ar when
.Xc
Leaves.
.Bl -enum -compact
.It
One.
.It
Two.
.El
.El
.Bd -literal -offset indent
ferryd -d \e
  -v
.Ed
.Bl -column a b
.It Sy Key Ta Sy Value
.It Dv A Ta 1
.It Dv B	2
.El
.Bl -bullet
.It
Mark.
.El
.Dl ferryd Fl d
.Sm off
.Ar a : Ar b
.Sm on
stands
.Oo
.Ar alone
.Oc
.Ap s .
"""


def test_every_kind_of_block_is_told_apart(read: Read) -> None:
    [document] = read("ferry.1", PAGE)
    assert document.title == "ferry(1) - carry files"
    common = ("THE OPTIONS", "Common")
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", "ferry - carry files", ("NAME",), "", 0),
        ("paragraph", "ferry [option...]", ("SYNOPSIS",), "", 0),
        ("definition", "-f, --force\nOverwrite what is there, even if it's new.", common, "", 0),
        ("paragraph", "A second paragraph.", common, "", 1),
        ("definition", "-q, --quiet\nSay nothing.", common, "", 0),
        ("item", "First point.", common, "•", 0),
        ("item", "Second.", common, "2.", 0),
        ("paragraph", "So:", common, "", 0),
        ("code", "ferry --to=x \\\n    y", common, "", 1),
        ("definition", "--port=N\nThe port—its number.", common, "", 0),
        ("paragraph", "More of it.", common, "", 1),
        ("paragraph", "The site <https://example.org/>.", common, "", 0),
        ("table", "Name | Size\na.txt | ten big", common, "header", 0),
    ]


def test_macros_that_name_what_a_word_is_are_seen_as_man_prints_them(read: Read) -> None:
    [document] = read("ferryd.8", MDOC)
    assert document.title == "ferryd(8) - the harbour's UNIX server"
    text = ("DESCRIPTION",)
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", "ferryd — the harbour's UNIX server", ("NAME",), "", 0),
        ("paragraph", "ferryd [-dv] [-p port | name[:n]]", ("SYNOPSIS",), "", 0),
        ("paragraph", "ferryd reads /etc/ferry.conf, see ferry.conf(5).", text, "", 0),
        ("paragraph", "It takes “two words” and call(int a, char *b);", text, "", 0),
        ("definition", "-d, --debug\nStay.", text, "", 0),
        ("paragraph", "Print more.", text, "", 1),
        ("definition", "go where [when]\nLeaves.", text, "", 0),
        ("item", "One.", text, "1.", 1),
        ("item", "Two.", text, "2.", 1),
        ("code", "ferryd -d \\\n  -v", text, "", 0),
        ("table", "Key | Value\nA | 1\nB | 2", text, "header", 0),
        ("item", "Mark.", text, "•", 0),
        ("code", "ferryd -d", text, "", 0),
        ("paragraph", "a:b stands [alone]'s.", text, "", 0),
    ]


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (r"\fBa\fR\f[B]b\f(CWc\fP \s-1UNIX\s0 \s+2x\s0", "abc UNIX x"),
        (r"a\-b \(em \[u00E9] \[:a] \('e \[e aa] \N'65' \[char66]", "a-b — é ä é é A B"),
        (r"\*(lqword\*(rq \*[unheard]x \[unheard]y", "word x y"),
        (r"\h'-04'\(bu\h'+03'x \v'-.2m'y\w'a\w'b'c'", "•x y"),
        (r"a\&b\|c\^d\%e\:f\/g\,h \~\0i", "abcdefgh   i"),
        (r"C:\e\en \\ \. \(rs \' \` \q", r"C:\\n \ . \ ' ` q"),
        (r"left \[open \h'open \f(", r"left [open h'open f("),
        (r"\(*a\(*W \m[red]x\m[] \X'tty: x'y \o'ab'", "αΩ x y a"),
    ],
)
def test_escapes_are_seen_as_what_they_print(source: str, seen: str) -> None:
    assert Strings({"lq": "", "rq": ""}).seen(source) == seen


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        ([".if n yes", ".if t no", ".if !t yes"], "yes yes"),
        ([".ie t \\{\\", "no", ".if n \\{ no \\}", ".\\}", ".el yes"], "yes"),
        ([".nr L 1", ".if \\nL yes", ".if \\n(XY no", ".if \\n(.g=1 yes"], "yes yes"),
        ([".ds X a", ".as X b", ".if 'ab'\\*X' \\*X", ".if d X yes", ".if d Y no"], "ab yes"),
        ([".de Q", "<\\\\$1>", "..", ".Q word", ".Q"], "<word> <>"),
        ([".de Q", ".Q \\\\$1 again", "..", "a", ".Q b", "c"], "a c"),
        ([".ig", "hidden", "..", "seen \\", "on"], "seen on"),
        ([".am X", ".  ..", "hidden", ". .", "seen"], "seen"),
        ([".unheard of", ".", "'br", "seen", ".ft B", ".EQ", "x over y", ".EN"], "seen"),
        (["one\\c", "two"], "onetwo"),
    ],
)
def test_conditions_and_definitions_do_what_they_say(read: Read, lines: list[str], seen: str) -> None:
    [document] = read("x.1", "\n".join([".TH X 1", ".SH NAME", *lines]))
    assert " ".join(block.text for block in document.blocks) == seen


def test_a_text_between_items_of_docbook_and_a_heading_without_text_are_kept(read: Read) -> None:
    drawn = ".RS 4\n.ie n \\{\\\n\\h'-04'\\(bu\\h'+03'\\c\n.\\}\n.el \\{\\\n.IP \\(bu 2.3\n.\\}\nPoint.\n.RE\n"
    [document] = read(
        "x.1", f".TH X 1\n.SH NAME\n{drawn}.SS Only a heading\n.SH\nEND\nText.\n.IP 1. 4\n.nf\na = 1\n.fi\n"
    )
    assert [(b.kind, b.text, b.path[0]) for b in document.blocks] == [
        ("item", "Point.", "NAME"),
        ("paragraph", "Only a heading", "NAME"),
        ("paragraph", "Text.", "END"),
        ("paragraph", "1.", "END"),
        ("code", "a = 1", "END"),
    ]


@pytest.mark.parametrize(
    ("title", "name", "first", "called"),
    [
        ("FERRY 1", "x.1", "ferry \\- carries", "ferry(1) - carries"),
        ("FERRY 1", "ferry.1", "x \\- carries", "ferry(1) - carries"),
        ("Ferry::Boat 3pm", "y.3pm", "x", "Ferry::Boat(3pm)"),
        ("FERRY 1", "ferry-load.1", "ferry\\-load \\- loads", "ferry-load(1) - loads"),
        ('"FERRY\\-LOAD" "1"', "x.1", "ferry\\-load", "ferry-load(1)"),
        ("", "x.1", "nothing", "x"),
    ],
)
def test_a_page_is_called_as_one_calls_it(read: Read, title: str, name: str, first: str, called: str) -> None:
    [document] = read(name, f".TH {title}\n.SH NAME\n{first}\n")
    assert document.title == called


def test_only_the_section_that_names_a_page_says_what_it_is_for(read: Read) -> None:
    page = ".TH FERRY 1\n.SH SYNOPSIS\nferry - carries\n.SH NAME\nferry \\- carries\n"
    assert read("ferry.1", page)[0].title == "ferry(1)"
    # A page may tell its whole story there.
    [document] = read("ferry.1", f".TH FERRY 1\n.SH NAME\nferry \\- carries {'people and ' * 50}goods\n")
    assert document.title.startswith("ferry(1) - carries people")
    assert len(document.title) < 120


@pytest.mark.parametrize("name", ["a.1", "a.3pm", "a.8ssl", "a.1p", "a.n", "a.man", "a.5.gz", "README.1"])
def test_pages_of_every_section_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(PAGE.encode()) if name.endswith(".gz") else PAGE.encode())
    assert read_document(path).blocks[0].path == ("NAME",)


@pytest.mark.parametrize(
    "content",
    [
        "2024-05-03 started\n2024-05-03 stopped\n",
        "notes\n\n.TH is the title macro\n",
        ".SUFFIXES: .c .o\n",
        ".gitignore\n.so.1\n",
        "",
        "\x00\x01\x02",
    ],
)
def test_what_only_is_called_like_a_man_page_is_not_read(tmp_path: Path, content: str) -> None:
    path = tmp_path / "app.log.1"
    path.write_text(content)
    assert not can_read(path)
    with pytest.raises(BadInput, match=r"unknown format; .* and man pages \(\.1 to \.9\)"):
        list(read_file(path))
    assert how_to_read(".1") == "save it as .txt"


def test_a_page_that_only_names_another_is_counted_and_said(tmp_path: Path) -> None:
    make_files(tmp_path, "a.txt")
    pointer = tmp_path / "gunzip.1"
    pointer.write_text('.\\" made by hand\n.so man1/gzip.1\n')
    assert [path.name for path in find([tmp_path]).files] == ["a.txt"]
    assert find([tmp_path]).unread == {POINTER: 1}
    assert "the page that it names" in how_to_read(POINTER)
    with pytest.raises(BadInput, match=r"gunzip\.1: only points to man1/gzip\.1; add that page"):
        list(read_file(pointer))


def test_a_page_from_an_address_is_told_by_what_it_holds() -> None:
    assert suffix_for("x", "/man/ferry.1", "text/plain", PAGE.encode()) == ".1"
    assert suffix_for("x", "/v1.2", "text/plain", b"Version two.") == ".txt"


@pytest.mark.parametrize(
    "source",
    [
        ".TS\ntab(|)\nl l\n",
        ".TS\nl l.\na\tT{\nopen",
        ".nf\nopen\n.SH B\nmore",
        ".de X\nnever",
        ".if t \\{\nnever",
        ".RE\n.RE\ntext\n.TP\n",
        ".El\n.It x\n.Ed\n.Xc\n.Fc\n.Re",
        ".Bl -tag\n.It Xo\n.Fl a\n.Bl -column\n.It a\n",
        ".Op Oo Oc Oc Ns Pf Xr Fn Fl Sm Nm St -p Ns\n.%A\n",
        ".TP\n.TP\n.IP\n.TQ\n.SH\n.SS\n",
    ],
)
def test_what_is_never_closed_or_never_opened_does_no_harm(read: Read, source: str) -> None:
    for first in (".TH X 1\n.SH A\nword\n", ".Dd x\n.Dt X 1\n.Sh A\nword\n"):
        assert read("x.1", first + source)[0].blocks[0].text.startswith("word")


@pytest.mark.parametrize(
    "piece",
    [
        *(".TP\n", ".TP\na\n", ".RS\n", ".RS\n.TP\na\nb\n", ".IP \\(bu\na\n", ".SH a\n", ".nf\n", ".TS\n", "T{\n"),
        *(".if n ", ".ie n \\{", ".if t \\{\n", ".el\n", ".de X\n", ".X\n", ".ds a \\*a\\*a\n", "\\*a", "a\\c\n"),
        *("a\\\n", " ", "T}\tT{\n", "a ", "\\ "),
        *("\\", "\\h'", "\\w'", "\\[", "\\*[", "\\f", "\\(", '"', ' "', '\\"', " .Op", ".Oo\n", ".Bl -tag\n.It a\n"),
        *(".Bl -tag\n.It Xo\n", ".Op Op Op\n", ".Fo a\n.Fa b\n", ".Rs\n.%A a\n", ".Ns\n", ".Sm\na\n", ".UR a\n", "a\t"),
        *(".tr ab\n", ".TQ\n", ".nr a 1\n", ".am\n", "'\n", ".\n", ".so a\n", ".It a Ta b\n", ".%A a\n"),
    ],
)
@pytest.mark.parametrize(
    "first", [".TH X 1\n.SH A\nx\n.B a", ".Dd x\n.Sh A\nx\n", ".SH A\n.ds a aa\n.TS\nl l.\na\tT{\n", ".SH A\nx\n.TP\n"]
)
def test_hostile_text_takes_linear_time(read: Read, piece: str, first: str) -> None:
    start = time.process_time()
    with suppress(BadInput):
        read("a.1", first + piece * (200_000 // len(piece)))
    assert time.process_time() - start < 5


def test_macros_that_call_one_another_end(read: Read) -> None:
    tower = "".join(f".de M{n}\n" + f".M{n + 1}\n" * 50 + "..\n" for n in range(9))
    start = time.process_time()
    [document] = read("a.1", f".TH X 1\n.SH A\nword\n{tower}.de M9\ntext\n..\n.M0\n")
    assert document.blocks[0].text.startswith("word")
    assert time.process_time() - start < 20


def test_a_line_that_goes_on_behind_a_link_keeps_the_blank_it_begins_with(read: Read) -> None:
    page = ".TH X 1\n.SH A\nUse the \\c\n.UR http://x\nqueue\n.UE \\c\n\\ module, \\c\nwhich waits.\n\\ So.\n"
    [document] = read("a.1", page)
    assert [block.text for block in document.blocks] == ["Use the queue <http://x> module, which waits. So."]


MACROS = """TP TQ IP PP HP RS RE SH SS B BR nf fi EX EE TS TE UR UE SY OP sp br Sh Ss Pp Bl El It Bd Ed Nm Fl Ar Op Oo
Oc Xo Xc Ns Pf Ap Sm Fn Fo Fc Dl Nd Rs Re %A Ta St Lk At Bx Xr Ex Rv In Fd de .. ie if el \\} nr ds""".split()
ARGUMENTS = ["", " a", ' "a b"', " \\c", " -tag", " -column a", " -enum", " Xo", " \\(bu", " n \\{", " Ns"]
LINES = ["text", "", " set in", "a\\c", "T{", "a\tb"]


@given(
    lines=st.lists(st.sampled_from([f".{macro}{words}" for macro in MACROS for words in ARGUMENTS] + LINES)),
    first=st.sampled_from([".TH X 1", ".Dd X"]),
)
def test_any_order_of_macros_is_read_or_refused(tmp_path: Path, lines: list[str], first: str) -> None:
    path = tmp_path / "a.1"
    path.write_text("\n".join([first, *lines]))
    with suppress(BadInput):
        assert read_document(path).blocks


@given(content=st.text(st.sampled_from(".'\\\"\n\t THSPBRIEnfiTSOoXcBlItdeC{}*([fh'$|ax1&")))
def test_any_text_is_read_or_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.1"
    path.write_text(f".TH X 1\n{content}" if len(content) % 2 else f".Dd X\n{content}")
    with suppress(BadInput):
        assert all(block.text.isprintable() or "\n" in block.text for block in read_document(path).blocks)
