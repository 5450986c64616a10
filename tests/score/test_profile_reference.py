"""Every metric of every profile has a value of the tool that it stands for, on texts of our own making."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from expound import resource_table, resources
from expound.datasets.predictions import (
    read_fills,
    read_log_probabilities,
    read_predictions,
    read_probabilities,
    read_short_answers,
    with_meta,
)
from expound.datasets.spec import open_dataset
from expound.plugins import names
from expound.score.profile import find_profile
from expound.score.results import Scorer
from golden import TOLERANCE

# Where metrics ask a model, no tool has their values: each is held against a second implementation in its own tests.
PROFILES = [
    name
    for name in names("profile")
    if set(resources.list_needed(find_profile(name).metrics)) <= {resource_table.PUNKT}
]
REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "profiles.json").read_text(encoding="utf-8"))
SIDE_FILES: dict[str, Callable[[Path], Mapping[str, object]]] = {
    "short_answers": read_short_answers,
    "no_answer_probability": read_probabilities,
    "log_probabilities": read_log_probabilities,
    "fills": read_fills,
}
LINES = ("kilt", "nq-open", "qa")


def written(path: Path, content: Any) -> Path:
    """The content in its official layout: a list of records is one a line where that is the layout."""
    lines = "".join(json.dumps(row) + "\n" for row in content) if path.suffix == ".jsonl" else json.dumps(content)
    path.write_text(lines, encoding="utf-8")
    return path


def values(name: str, folder: Path) -> dict[str, float]:
    """What the profile makes of its case."""
    case = REFERENCE[name]
    suffix = ".jsonl" if case["layout"] in LINES else ".json"
    dataset = written(folder / f"dataset{suffix}", case["dataset"])
    is_list = isinstance(case["predictions"], list)
    predictions = read_predictions(written(folder / f"said.json{'l' * is_list}", case["predictions"]))
    for side, read in SIDE_FILES.items():
        if side in case:
            predictions = with_meta(predictions, side, read(written(folder / f"{side}.json", case[side])))
    scores = Scorer(name, samples=1).score(predictions, list(open_dataset(f"{case['layout']}:{dataset}")))
    return {result.metric: result.value for result in scores.results}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_has_the_values_of_its_tools(name: str, tmp_path: Path, punkt_file: Path) -> None:
    assert values(name, tmp_path) == pytest.approx(REFERENCE[name]["expected"], abs=TOLERANCE)


@pytest.mark.parametrize("name", PROFILES)
def test_every_metric_has_a_reference_value_that_names_its_tool(name: str) -> None:
    metrics = [metric.name for metric in find_profile(name).metrics]
    assert sorted(REFERENCE[name]["expected"]) == sorted(metrics)
    by_tool = {metric: tool for names, tool in REFERENCE[name]["tools"].items() for metric in names.split(", ")}
    assert sorted(by_tool) == sorted(metrics)
    assert all(re.search(r"\d\.\d|\b[0-9a-f]{7}\b", tool) for tool in by_tool.values()), "a tool has its version"


@pytest.mark.parametrize("name", PROFILES)
def test_no_reference_value_is_one_that_a_broken_metric_would_have(name: str) -> None:
    trivial = {metric: value for metric, value in REFERENCE[name]["expected"].items() if value in (0, 100)}
    assert not trivial.keys() - {"no_answer_exact", "no_answer_f1"}
