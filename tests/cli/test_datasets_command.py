"""`expound datasets`: what can be read, what is in it, a copy under a name, and the papers' numbers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import expound.cli
from commands import Capture, fail

NQ = [{"question": f"who won cup {number}", "answer": [f"Ann {number}", "Ann"]} for number in range(20)]
XU = {
    "question_text": "Why?", "answer1": "Because.", "answer2": "So.", "answer1_label": "HMM[8]", "id": 3,
    "BetterAnswer": "Answer B", "DifficultToChoose": "No.", "comments": "Clear.", "domain": "Law",
    "annotator_file": "Law_1",
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    if "datasets" not in expound.cli.COMMANDS:
        monkeypatch.setattr(expound.cli, "COMMANDS", (*expound.cli.COMMANDS, "datasets"))
    (tmp_path / "nq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in NQ), encoding="utf-8")
    (tmp_path / "xu.jsonl").write_text(json.dumps(XU), encoding="utf-8")
    return tmp_path


@pytest.fixture
def datasets(capsys: Capture) -> Callable[..., str]:
    def succeed(*arguments: str) -> str:
        code = expound.cli.execute(["datasets", *arguments])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return captured.out

    return succeed


def test_list_names_layouts_and_imports(datasets: Callable[..., str]) -> None:
    before = datasets("list")
    assert "ambignq" in before
    assert "nothing imported yet" in before
    datasets("import", "nq-open:nq.jsonl", "--name", "small")
    record = json.loads(datasets("list", "--json"))
    assert [(item["name"], item["records"]) for item in record["imported"]] == [("small", 20)]
    assert {"layout", "holds", "what"} == set(record["layouts"][0])
    assert "small" in datasets("list")


def test_info_says_what_is_there_and_shows_one(datasets: Callable[..., str]) -> None:
    record = json.loads(datasets("info", "nq-open:nq.jsonl", "--json"))
    assert record["questions"] == 20
    assert record["fields"]["references"] == {"questions": 20, "per_question": 2.0}
    assert record["example"]["question"] == "who won cup 0"
    shown = datasets("info", "nq-open:nq.jsonl")
    assert "question: who won cup 0" in shown


def test_import_once_then_the_name_is_enough(datasets: Callable[..., str], folder: Path) -> None:
    assert "small: 20 records" in datasets("import", "nq-open:nq.jsonl", "--name", "small")
    assert "has this content already" in datasets("import", "nq-open:nq.jsonl", "--name", "other")
    (folder / "nq.jsonl").unlink()
    assert json.loads(datasets("info", "small", "--json"))["questions"] == 20
    assert json.loads(datasets("import", "small", "--json"))["is_new"] is False


def test_sample_is_seeded_and_in_the_order_of_the_file(datasets: Callable[..., str]) -> None:
    def drawn(*arguments: str) -> list[str]:
        records: list[dict[str, Any]] = json.loads(datasets("sample", "nq-open:nq.jsonl", "--json", *arguments))
        return [record["question"] for record in records]

    assert len(drawn()) == 5
    assert drawn("--seed", "1") == drawn("--seed", "1") != drawn("--seed", "2")
    assert drawn("-n", "99") == [row["question"] for row in NQ]
    assert datasets("sample", "nq-open:nq.jsonl", "-n", "1").count("answer: ") == 2


def test_a_sample_is_a_file_of_the_layout_qa(datasets: Callable[..., str], folder: Path) -> None:
    records = json.loads(datasets("sample", "nq-open:nq.jsonl", "--json"))
    (folder / "mine.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert json.loads(datasets("info", "qa:mine.jsonl", "--json"))["questions"] == 5


def test_stats_prints_a_table_json_and_markdown(datasets: Callable[..., str]) -> None:
    record = json.loads(datasets("stats", "nq-open:nq.jsonl", "--json"))
    shares = {item["name"]: item["value"] for item in record if item["group"] == "first word"}
    assert shares["who"] == 100
    assert "ELI5 Figure 2" in datasets("stats", "nq-open:nq.jsonl")
    assert datasets("stats", "nq-open:nq.jsonl", "--format", "markdown").startswith("| group | name |")


@pytest.mark.parametrize("name", ["plot.png", "plot.svg"])
def test_stats_are_drawn(name: str, datasets: Callable[..., str], folder: Path) -> None:
    pytest.importorskip("matplotlib")
    datasets("stats", "nq-open:nq.jsonl", "--plot", name)
    assert (folder / name).read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")
    assert not list(folder.glob(".*partial*"))


def test_without_matplotlib_a_plot_says_what_to_install(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    message = fail(capsys, "datasets", "stats", "nq-open:nq.jsonl", "--plot", "plot.png")
    assert "pip install 'expound[report]'" in message


def test_judgments_have_their_own_description(datasets: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    from expound import plugins

    if "xu2023" not in plugins.names("preferences"):
        pytest.skip("the entry points are not installed")
    assert json.loads(datasets("info", "xu2023:xu.jsonl", "--json"))["choices"] == {"b": 1}
    assert " * human: So." in datasets("sample", "xu2023:xu.jsonl")
    assert "overall choice" in datasets("stats", "xu2023:xu.jsonl")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("info", "asqa:nq.jsonl"), "nq.jsonl"),
        (("info", "nothing"), "no dataset named 'nothing'"),
        (("stats", "asqa:hub://owner"), "OWNER/NAME"),
        (("stats", "nq-open:nq.jsonl", "--plot", "plot.pdf"), "ends in .png or .svg"),
        (("import", "nq-open:none.jsonl"), "no such file"),
        (("import", "nq-open:nq.jsonl", "--name", "a/b"), "cannot be a dataset name"),
        (("sample", "nq-open:nq.jsonl", "-n", "0"), "greater than or equal to 1"),
    ],
)
def test_a_mistake_is_one_line(arguments: tuple[str, ...], message: str, capsys: Capture) -> None:
    assert message in fail(capsys, "datasets", *arguments)


def test_text_from_a_file_cannot_steer_the_terminal(datasets: Callable[..., str], folder: Path) -> None:
    row = {"question": "who \x1b[31mwon [bold]x[/bold]", "answer": ["Ann"]}
    (folder / "odd.jsonl").write_text(json.dumps(row), encoding="utf-8")
    for command in ("info", "sample"):
        shown = datasets(command, "nq-open:odd.jsonl")
        assert "\x1b" not in shown
        assert "[bold]x[/bold]" in shown
