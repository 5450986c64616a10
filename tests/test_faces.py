"""The public face: what `import expound` and each package give, and no name that is two things."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest

import expound

FACES = {
    "expound": (
        "Answer Comparison Evidence Interpretation Judgment MetricResult Passage Prediction Question Sentence System "
        "__version__ ask compare open_system run search"
    ),
    "expound.datasets": "import_dataset layouts open_dataset open_preferences read_predictions",
    "expound.records": (
        "VOLATILE answer_from answer_record evidence_from evidence_record interpretation_from interpretation_record "
        "is_lines judgment_from judgment_record manifest_path parse_json passage_from passage_record placed_record "
        "prediction_from prediction_record question_from question_id read_json read_judgments read_lines readable "
        "without_surrogates write_manifest write_records"
    ),
    "expound.score": "Options Profile Scorer Scores profile_named score",
    "expound.study": (
        "Collected Earlier Field ForeignAnswer Form FormExport Item ItemSources Option Problem Study SystemAnswer "
        "View YES_NO analyze_source analyze_study back_up export_file export_text find_form form_names "
        "judgments_of links listen make_study open_study read_annotations read_earlier read_sheet scale "
        "serve_study sides status_of take_in write_analysis"
    ),
    "expound.train": "Description Loss TrainingFiles TrainingRequest TrainingSettings fulfil rehearse train",
}
"""Whoever changes what a package gives changes it here too, and in the changelog."""

MODULES = sorted(module.name for module in pkgutil.walk_packages(expound.__path__, "expound."))


@pytest.mark.parametrize("package", sorted(FACES))
def test_a_package_gives_what_is_written_down(package: str) -> None:
    assert sorted(importlib.import_module(package).__all__) == FACES[package].split()


@pytest.mark.parametrize("package", [name for name in MODULES if name.count(".") == 1])
def test_what_is_not_written_down_is_not_given(package: str) -> None:
    assert package in FACES or not hasattr(importlib.import_module(package), "__all__")


def test_no_name_is_both_a_module_and_what_its_package_gives() -> None:
    packages = [importlib.import_module(name) for name in FACES]
    twice = [f"{package.__name__}.{name}" for package in packages for name in package.__all__]
    assert not set(twice) & set(MODULES)


def test_every_module_can_be_imported_by_its_own_name() -> None:
    light = [name for name in MODULES if not name.startswith(("expound.study.", "expound.testing"))]
    code = "import sys\n" + "".join(f"import {name}\n" for name in light if not name.endswith("__main__"))
    code += "\n".join(f"assert {name} is sys.modules[{name!r}], {name!r}" for name in light if "__main__" not in name)
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2000:]
