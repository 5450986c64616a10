"""What recipes print on small data, word by word, as it was printed before they had one shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expound.cli import execute
from expound.testing import write_jsonl

EXPECTED: dict[str, str] = json.loads(Path(__file__).with_name("printed_tables.json").read_text(encoding="utf-8"))
GIVEN = ("", "_wdoc", "_wranddoc", "_wbingdoc", "_whudoc")
SYSTEMS = ("webgpt", *(f"{model}{given}" for model in ("gpt3", "alpaca") for given in GIVEN))
FILLER = ("Ships sail far.", "Waves come and go.", "The moon is bright.", "Sand is warm.", "Fish swim.")


def write_webgpt(folder: Path) -> None:
    """Ten questions with the answers of twelve systems and their documents."""
    rows, documents = [], []
    for number in range(10):
        said = f"The cup {number} shines since silver reflects light." if number % 2 else "Nobody knows that at all."
        answers = {
            f"{name}_answer": f"Silver reflects light, says {name}. {FILLER[(number + place) % 5]}"
            for place, name in enumerate(SYSTEMS)
        }
        asked = {"question_id": number, "question": f"Why does the cup {number} shine?", "human_answer": said}
        rows.append(asked | answers)
        text = f"{FILLER[number % 5]} The cup {number} shines. Silver reflects light. {' '.join(FILLER)}"
        documents.append({"question_id": number, "docs": [{"doc_id": f"d{number}", "title": "Cups", "text": text}]})
    other = [{**row, "docs": [{"doc_id": "r", "title": "", "text": "Paris is a city."}]} for row in documents]
    sets = {"webgpt": documents, "bing": documents[::-1], "human": documents, "random": other}
    (folder / "answers.json").write_text(json.dumps(rows))
    (folder / "documents.json").write_text(json.dumps(sets))


def write_others(folder: Path) -> None:
    def asked(id: str, title: str, *answers: str) -> dict[str, Any]:
        scores = [1] * len(answers)
        return {"q_id": id, "title": title, "selftext": "", "answers": {"text": list(answers), "score": scores}}

    questions = ("Why is the sky blue?", "How do magnets attract iron?", "What is fire?")
    rows = [asked(f"a{n}", title, f"Light {title}", "It is so.") for n, title in enumerate(questions)]
    write_jsonl(folder / "one.jsonl", rows)
    write_jsonl(
        folder / "other.jsonl", [asked("b1", "Why is the sky so blue?", "Air."), asked("b2", "Who won?", "Bo.")]
    )
    outputs = [[f"one two three four {n}", "one two", f"five {n}"] for n in range(4)]
    write_jsonl(folder / "several.jsonl", [{"input": f"Why {n}?", "outputs": said} for n, said in enumerate(outputs)])
    pairs = [{"question": "Who won in 1990?", "answer": ["Ann"]}, {"question": "Who won in 1991?", "answer": ["Bo"]}]
    annotations = [{"type": "multipleQAs", "qaPairs": pairs}]
    ambiguous = [{"id": f"{n}", "question": "Who won?", "annotations": annotations} for n in range(3)]
    (folder / "ambig.json").write_text(json.dumps(ambiguous))


def commands(folder: Path) -> dict[str, list[str]]:
    """What each recipe is given of the files in a folder."""
    web, files = ["--dataset", "web"], [str(folder / "answers.json"), str(folder / "documents.json")]
    row = ["--row", "always the prompt question"]
    asked, train = (f"eli5-category:{folder / name}" for name in ("one.jsonl", "other.jsonl"))
    return {
        "eli5-figure7": [*web, "--out", str(folder / "figure7")],
        "eli5-figure8": [*web, "--out", str(folder / "figure8"), "--format", "csv"],
        "eli5-table3-web": [*web, "--out", str(folder / "web"), "--train", train],
        "hurdles-table7": ["--dataset", asked, "--train", train, "--out", str(folder / "table7")],
        "ambigqa-table4": ["--dataset", f"ambignq:{folder / 'ambig.json'}", "--out", str(folder / "table4"), *row],
        "hurdles-tables-2-4": files,
        "hurdles-random-documents": [*files, "--format", "latex"],
        "hurdles-table5": [str(folder / "one.jsonl"), str(folder / "other.jsonl")],
        "hurdles-table11": [str(folder / "several.jsonl"), "--format", "text"],
    }


def write_all(folder: Path) -> None:
    write_webgpt(folder)
    write_others(folder)
    files = [f"webgpt:{folder / 'answers.json'}", "--evidence", str(folder / "documents.json")]
    assert execute(["--quiet", "datasets", "import", *files, "--name", "web"]) == 0


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_is_printed_as_ever(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_all(tmp_path)
    capsys.readouterr()
    assert execute(["--quiet", "recipe", name, *commands(tmp_path)[name]]) == 0
    assert unaligned(capsys.readouterr().out) == unaligned(EXPECTED[name])


def unaligned(table: str) -> str:
    """Which columns of a Markdown table are flush right is no matter of what it says."""
    return table.replace("---:", "---")
