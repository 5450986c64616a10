"""The plan of an experiment: what it may say, and what is said of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.errors import BadInput
from expound.runs.plan import Plan, read_plan


def written(folder: Path, text: str) -> Path:
    path = folder / "first.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_plan_has_defaults_and_takes_its_name_from_the_file(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, 'dataset = "asqa:dev.json"\ncorpus = "wiki"\nscore = ["asqa", "answer-only"]'))
    assert plan == Plan("first", "asqa:dev.json", corpus=("wiki",), score=("asqa", "answer-only"))
    assert Plan("x", "ambignq:dev.json").profiles == ("ambigqa",)


def test_the_command_line_wins(tmp_path: Path) -> None:
    assert read_plan(written(tmp_path, 'dataset = "qa:x"\nlimit = 5'), limit=2).limit == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('dataset = "qa:x"\nanswr = "Extractive"', "no setting named 'answr'; did you mean 'answer'"),
        ('dataset = "qa:x"\nzzz = 1', "no setting named 'zzz'; there are: name, dataset"),
        ('dataset = "qa:x"\nlimit = "5"', "limit must be a whole number, found '5'"),
        ('dataset = "qa:x"\nwords = 0', "words must be"),
        ('dataset = "qa:x"\nscore = [1]', "score must be a text or a list of texts"),
        ("dataset = 3", "dataset must be a text"),
        ('corpus = "wiki"', "which dataset"),
        ("dataset = ", "cannot be read as TOML"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_plan(written(tmp_path, text))


def test_a_missing_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_plan(tmp_path / "none.toml")


def test_sampling_must_be_a_number_in_its_range(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('dataset = "qa:x"\ntemperature = 0.6\ntop_p = 0.9\n')
    assert read_plan(path).temperature == 0.6
    path.write_text('dataset = "qa:x"\ntop_p = 1.5\n')
    with pytest.raises(BadInput, match="top_p must be a number from 0 to 1"):
        read_plan(path)
