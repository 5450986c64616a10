"""Whatever a command is given: one clear line, exit 2, and nothing half written; a few rows of each in `make test`.

`fuzz_rows` crosses a legal line of every command with tables of what no one would type, and of what no file should be.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import pytest

from fuzz.fuzz_rows import Row, all_rows, leaf_commands, reader_rows, spread
from fuzz.fuzz_runner import Outcome, run_row
from fuzz.fuzz_world import build_world
from fuzz.legal_lines import LINES
from fuzz.legal_odds import codes_of, is_named

NEED_FILES = ("recipe", "train reader-figures")
"""Commands that ask for their fetched files before they look at ours."""
MOST_A_COMMAND, MOST_A_READER, QUICK_A_COMMAND = 30, 20, 2
FOUND = (
    "ask | --system | wrong type",
    "ask | --threads | above all",
    "audit predictions | --train | gzip cut off",
    "recipe all | --corpus | blank",
    "recipe all | --out | below a file",
    "recipe ambigqa-table4 | --model | unknown",
    "recipe asqa-table3 | --sentences | unknown",
    "recipe asqa-table3 | --train | binary",
    "recipe eli5-figure7-data | files1 | cut in half",
    "run | --jobs | above all",
    "runs list | --metric | unknown",
    "score | --dataset | path NUL",
    "score | --dataset | path home of nobody",
    "score | --dataset | unknown",
    "score | --reader | unknown",
    "score | --samples | above all",
    "score | predictions1 | fifo",
    "serve | --model | markup",
    "study analyze | --seed | below all",
    "study analyze | source1 | nothing",
    "study backup | --out | below a file",
    "study import | answers2 | UTF-16",
    "study import | answers2 | deep objects",
    "study import | answers2 | nothing",
    "study new | --corpus | unknown",
    "study new | --items | nulls",
    "train ranker-data | --asqa-dev | null",
    "train reader-figures | --model | UTF-16",
    "train tagger | --dev | blank lines",
    "train tagger | --rate | above",
)
"""Rows that once found something: they stay in the sample."""

_BY_PLACE = attrgetter("place")


def _table() -> tuple[list[Row], frozenset[Row]]:
    """The rows that are kept, and those of them that `make test` has."""
    every, readers = all_rows(), reader_rows()
    found = [row for row in every if row.name in FOUND]
    of_readers = spread(readers, most=MOST_A_READER, by=_BY_PLACE)
    kept = dict.fromkeys([*found, *spread(every, most=MOST_A_COMMAND), *of_readers])
    quick = [*found, *spread(every, most=QUICK_A_COMMAND), *spread(readers, most=1, by=_BY_PLACE)]
    return list(kept), frozenset(quick)


_ROWS, _QUICK = _table()


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that all rows start from, made once."""
    folder = tmp_path_factory.mktemp("fuzz") / "world"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("EXPOUND_HOME", str(folder / "home"))
        build_world(folder)
    return folder


@pytest.fixture
def own_world(world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A world that a row may do anything to."""
    folder = tmp_path / "world"
    shutil.copytree(world, folder, symlinks=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EXPOUND_HOME", str(folder / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    yield folder
    shutil.rmtree(folder)


def test_every_command_has_a_line_to_start_from() -> None:
    assert set(leaf_commands()) == set(LINES)


def test_the_table_has_a_thousand_rows_and_the_sample_has_every_command() -> None:
    assert len({row.name for row in _ROWS}) == len(_ROWS) > 1000
    assert {row.command for row in _QUICK} == set(LINES)
    assert set(FOUND) <= {row.name for row in _QUICK}


def cases() -> Iterator[object]:
    for row in _ROWS:
        yield pytest.param(row, id=row.name, marks=() if row in _QUICK else pytest.mark.slow)


@pytest.mark.parametrize("row", list(cases()))
def test_an_odd_input_is_one_clear_line(row: Row, own_world: Path, request: pytest.FixtureRequest) -> None:
    if row.command.startswith(NEED_FILES):
        request.getfixturevalue("use_resources")("minilm", "minilm-tokenizer", "punkt")
    outcome = run_row(row, own_world)
    assert outcome.code in codes_of(row.name), outcome.err
    if outcome.code < 2:
        assert outcome.err == ""
        assert ('"error": ' in outcome.out) == bool(outcome.code)
        return
    assert_one_clear_line(outcome)
    assert outcome.changed == ()
    if row.file and is_named(row.name):
        assert Path(row.file).name.partition(".")[0] in outcome.err


def assert_one_clear_line(outcome: Outcome) -> None:
    """One line for people, of a length that can be read."""
    [line] = outcome.err.splitlines()
    assert line.startswith("error: ")
    assert len(line) < 2000
    assert "mistake in expound" not in line
    assert line.isprintable()


# --- memory ---------------------------------------------------------------------------------------

MOST_BYTES = 3_000_000_000
"""Of addresses, most of which libraries reserve and never touch."""
BOMBS = {
    "predictions": ["score", "bomb.json.gz", "--dataset", "qa:qa.jsonl", "--metric", "str_em"],
    "lines of predictions": ["score", "bomb.jsonl.gz", "--dataset", "qa:qa.jsonl", "--metric", "str_em"],
    "questions": ["datasets", "info", "qa:bomb.jsonl.gz"],
    "a list of questions": ["datasets", "import", "ambignq:bomb.json.gz"],
    "a document": ["corpus", "add", "bomb.txt.gz", "--name", "bomb"],
    "judgments": ["study", "analyze", "bomb.jsonl.gz"],
    "training groups": "train ranker --train bomb.jsonl.gz --base base --dry-run --out out".split(),
}
LIMITED = (
    "import resource, sys; from expound.cli import main; most = int(sys.argv[1]);"
    "resource.setrlimit(resource.RLIMIT_AS, (most, most)); main(sys.argv[2:])"
)


@pytest.mark.slow
@pytest.mark.parametrize("what", BOMBS)
def test_a_small_file_that_unpacks_to_four_gigabytes_is_refused_by_name(what: str, own_world: Path) -> None:
    [name] = [word for word in BOMBS[what] if "bomb." in word]
    one = gzip.compress(b"[" * 40_000_000)
    (own_world / name.rpartition(":")[2]).write_bytes(one * 100)
    command = [sys.executable, "-P", "-c", LIMITED, str(MOST_BYTES), "--quiet", *BOMBS[what]]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2, ended.stderr
    assert_one_clear_line(Outcome(ended.returncode, ended.stdout, ended.stderr, ()))
    assert "bomb" in ended.stderr
