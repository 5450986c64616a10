"""`expound search` finds passages and says where they stand, without an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import expound
from expound.cli import execute
from expound.corpus import library
from expound.records import evidence_from
from expound.testing import write_toy_folder

Capture = pytest.CaptureFixture[str]
HANDBOOK = """# Handbook

## Backups

### Restoring

To restore a backup, copy the file back and start the server:

```sh
cp -a backup.db ledger.db
    systemctl start ledger
```
"""


@pytest.fixture
def toys(tmp_path: Path) -> str:
    folder = write_toy_folder(tmp_path / "toys")
    (folder / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    return str(folder)


def test_passages_are_shown_under_their_place(toys: str, capsys: Capture) -> None:
    assert execute(["search", "How do I restore a backup?", "--corpus", toys, "-k", "1", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[1] Handbook (handbook.md, “Backups > Restoring”)"
    assert lines[1] == "    To restore a backup, copy the file back and start the server:"
    assert "        cp -a backup.db ledger.db" in lines
    assert "            systemctl start ledger" in lines
    assert lines[-1].startswith("corpus toys · searched by words only · ")


def test_json_is_a_list_of_evidence(toys: str, capsys: Capture) -> None:
    assert execute(["search", "King of France", "--corpus", toys, "-k", "2", "--json", "--quiet"]) == 0
    found = [evidence_from(record) for record in json.loads(capsys.readouterr().out)]
    assert [item.number for item in found] == [1, 2]
    assert {item.passage.title for item in found} == {"Charles X", "Louis Philippe I"}


def test_the_same_from_python(toys: str) -> None:
    [found] = expound.search("Where does the Danube end?", corpus=toys, k=1)
    assert found.passage.source.file == "danube.md"


def test_one_long_document_may_fill_the_list(tmp_path: Path) -> None:
    sections = (
        f"## Port {number}\n\nThe harbour has pier {number}, where ships of kind {number} lie. " for number in range(12)
    )
    text = "\n\n".join(section + "Words that fill a section of its own up to a passage. " * 8 for section in sections)
    (tmp_path / "guide.md").write_text(f"# Guide\n\n{text}", encoding="utf-8")
    assert len(expound.search("Which harbour has a pier?", corpus=tmp_path / "guide.md", k=10)) == 10


def test_nothing_found_is_said(toys: str, capsys: Capture) -> None:
    assert execute(["search", "zxqv", "--corpus", toys, "--quiet"]) == 0
    assert "Nothing found" in capsys.readouterr().out


def test_the_same_file_in_two_corpora_is_found_once(toys: str, capsys: Capture) -> None:
    for name in ("one", "two"):
        library.add([Path(toys)], name=name)
    assert execute(["search", "Where does the Danube end?", "--json"]) == 0
    captured = capsys.readouterr()
    assert [record["title"] for record in json.loads(captured.out)].count("Danube") == 1
    assert "searching all of your corpora (one, two); choose with --corpus" in captured.err


@pytest.mark.parametrize("arguments", [["search", ""], ["search", "Who?", "-k", "0"], ["search"]])
def test_a_bad_call_is_a_users_mistake(arguments: list[str], capsys: Capture) -> None:
    assert execute([*arguments, "--quiet"]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize("command", ["ask", "search", "clarify"])
def test_a_question_without_quotation_marks_says_so(command: str, capsys: Capture) -> None:
    assert execute([command, "How", "do", "I", "print"]) == 2
    assert capsys.readouterr().err == f'error: put the question in quotation marks: expound {command} "How …"\n'


def test_a_question_in_another_language_is_said_and_answered_all_the_same(toys: str, capsys: Capture) -> None:
    assert execute(["search", "Wie stelle ich die Sicherung wieder her?", "--corpus", toys]) == 0
    assert "the question looks German, the corpus is English" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Как установить?", "Russian"),
        ("如何安装？", "Chinese"),
        ("メニューはどこ", "Japanese"),
        ("Πού είναι;", "Greek"),
    ],
)
def test_a_few_words_in_another_script_are_told(question: str, language: str, toys: str, capsys: Capture) -> None:
    assert execute(["search", question, "--corpus", toys]) in (0, 1)
    assert f"the question looks {language}, the corpus is English" in capsys.readouterr().err


@pytest.mark.parametrize("question", ["Who was Louis Philippe d'Orléans of France?", "Was kostet es?", "Danube"])
def test_what_may_be_english_gets_no_remark(question: str, toys: str, capsys: Capture) -> None:
    assert execute(["search", question, "--corpus", toys]) == 0
    assert "looks" not in capsys.readouterr().err
