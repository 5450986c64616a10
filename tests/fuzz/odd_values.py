"""What no one would type, by name: words, numbers, places on a disk, and contents of files."""

from __future__ import annotations

import gzip
import io
import os
import socket
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

LONG = "x" * 5000
UNKNOWN = "no-such-thing"

WORDS: Mapping[str, str] = {
    "empty": "",
    "blank": " ",
    "not UTF-8": os.fsdecode(b"caf\xe9"),
    "NUL": "a\0b",
    "5,000 characters": LONG,
    "unknown": UNKNOWN,
    "markup": "[red]x[/red]",
    "escape": "\x1b[2Jx",
    "parent folders": "../../../no-such-thing",
    "call": "__import__('os').getpid()",
}
"""For whatever takes a text."""

PARTS: Mapping[str, str] = {
    "unclosed": "Lexical(",
    "no such argument": "Extractive(colour=1)",
    "positional": "Extractive(80)",
    "code": "Extractive(words=__import__('os').getpid())",
    "nested deeply": "Extractive(words=" + "(" * 500 + "1" + ")" * 500 + ")",
    "wrong type": "Extractive(words='many')",
    "class": "Extractive(words=print)",
    "two": "Extractive();Lexical()",
}
"""For whatever takes the spec of a part, beside the words."""

WHOLE: Mapping[str, str] = {
    "no number": "many",
    "fraction": "1.5",
    "below all": "-9223372036854775809",
    "above all": "9" * 40,
    "5,000 digits": "9" * 5000,
    "NaN": "nan",
    "infinite": "inf",
    "empty": "",
}
"""For whatever takes a whole number."""

REAL: Mapping[str, str] = {
    "no number": "many",
    "NaN": "nan",
    "infinite": "inf",
    "below": "-1e308",
    "above": "1e308",
    "empty": "",
}
"""For whatever takes any number."""

CHOICES: Mapping[str, str] = {"unknown": UNKNOWN, "blank": " ", "empty": "", "5,000 characters": LONG}
"""For whatever takes one of a few words."""


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    # The name of a socket has room for about 100 bytes: it is made beside us, and moved.
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def _closed(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _nothing(path: Path) -> None:
    pass


def _folder(path: Path) -> None:
    path.mkdir()


PLACES: Mapping[str, Callable[[Path], None]] = {
    "missing": _nothing,
    "folder": _folder,
    "fifo": _fifo,
    "socket": _socket,
    "link to itself": _loop,
    "link to nothing": _dangling,
} | ({} if os.geteuid() == 0 else {"closed": _closed})  # root may read everything
"""For whatever reads a file: what stands in its place."""

NAMED_PLACES: Mapping[str, str] = {
    "empty": "",
    "blank": " ",
    "not UTF-8": os.fsdecode(b"caf\xe9"),
    "NUL": "a\0b",
    "5,000 characters": LONG,
    "below a file": "toys/danube.md/x",
    "device": "/dev/null",
    "unreadable": "/proc/self/mem",
    "address": "https://example.invalid/x.jsonl",
    "standard input": "-",
    "home of nobody": "~no-such-user/x",
}
"""The same by name alone."""

OUTS: Mapping[str, str] = {
    "empty": "",
    "NUL": "a\0b",
    "not UTF-8": os.fsdecode(b"caf\xe9"),
    "5,000 characters": LONG,
    "below a file": "toys/danube.md/x",
    "below a device": "/dev/null/x",
}
"""For whatever is written."""


def _zip(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("inside.json", content)
    return file.getvalue()


CONTENTS: Mapping[str, bytes] = {
    "nothing": b"",
    "blank lines": b" \n\r\n\t\n",
    "binary": bytes(range(256)) * 20,
    "NUL bytes": b"\0" * 1000,
    "prose": b"Once upon a time\nthere was a file.\n",
    "HTML": b"<!doctype html><title>404</title><p>Not found",
    "null": b"null",
    "number": b"1",
    "JSON text": b'"hello"',
    "empty list": b"[]",
    "empty object": b"{}",
    "numbers": b"[1, 2, 3]",
    "numbers in lines": b"1\n2\n3\n",
    "texts": b'["a", "b"]',
    "list in lists": b"[[[]]]",
    "other columns": b'{"colour": "red", "size": 3}\n{"colour": "blue", "size": 4}\n',
    "other columns in a list": b'[{"colour": "red"}, {"colour": "blue"}]',
    "nulls": b'{"id": null, "question": null, "answer": null, "data": null, "text": null, "words": null}\n',
    "wrong types": b'{"id": [], "question": 3, "answer": 4, "data": 5, "text": {}, "words": 7, "annotations": 8}\n',
    "mixed types": b'[{"id": "a"}, 3, null, "x", []]',
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"id":' * 100_000,
    "huge number": b'{"id": ' + b"9" * 5000 + b"}\n",
    "huge fraction": b'{"id": 1e999}\n',
    "NaN": b'{"id": NaN}\n',
    "half character": b'{"id": "\\ud83d", "question": "\\ud83d"}\n',
    "key twice": b'{"id": "a", "id": "b"}\n',
    "no end": b'{"id": "a", "question": "Wh',
    "one long line": b'{"id": "' + b"x" * 3_000_000 + b'"}\n',
    "columns": b"id,question,answer\n1,Why?,Because\n",
    "ragged columns": b'id,question\n1,"Why?\n2\n,,,,,\n',
    "TOML": b'name = "x"\n[table]\nkey = [1, 2]\n',
    "wrong TOML": b"name = = 3\n",
    "zip": _zip(b"[]"),
    "gzip without its name": gzip.compress(b"[]"),
    "Parquet cut off": b"PAR1" + bytes(40),
    "SQLite cut off": b"SQLite format 3\0" + bytes(20),
    "PDF cut off": b"%PDF-1.7\n1 0 obj\n<<",
}
"""For whatever reads a file: what stands in it."""

CHANGES: Mapping[str, Callable[[bytes], bytes]] = {
    "UTF-16": lambda content: content.decode("utf-8", "replace").encode("utf-16"),
    "cut in half": lambda content: content[: len(content) // 2],
    "twice": lambda content: content + content,
    "bytes reversed": lambda content: content[::-1],
}
"""What is done to a file that was right."""

GZIPS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip cut off": lambda content: gzip.compress(content)[:-9],
    "gzip of nothing": lambda content: gzip.compress(b""),
    "no gzip at all": lambda content: content,
    "gzip in gzip": lambda content: gzip.compress(gzip.compress(content)),
    "gzip with a wrong sum": lambda content: gzip.compress(content)[:-8] + bytes(8),
}
"""The same for a file whose name ends in `.gz`."""


STDINS: Mapping[str, bytes] = {
    "nothing": b"",
    "blank lines": b"\n  \n\t\r\n",
    "not UTF-8": b"caf\xe9\n",
    "NUL": b"a\0b\n",
    "binary": bytes(range(256)) * 20,
    "one long line": b"x" * 3_000_000,
    "UTF-16": "Who won?\n".encode("utf-16"),
    "half character": b"\xed\xa0\xbd\n",
    "escape": b"\x1b[2Jx\n",
    "no such path": b"no-such-thing\n",
}
"""For whatever reads from standard input."""

ENDINGS = (
    ".1 .pdf .docx .odt .pptx .epub .html .ipynb .eml .mbox .tex .org .adoc .rst .md .csv .tsv .json .jsonl .txt.gz "
    ".zip"
).split()
"""What the name of a document may end in: each has a reader of its own."""
