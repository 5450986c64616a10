"""A learned preference on judgments of another study: trained on four files, held against people on the fifth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from expound.meta.evaluation import LENGTH, Meta, meta
from expound.meta.judged import read_people
from expound.meta.learning import PreferenceRequest, learn_preference
from expound.meta.meta_rows import ACCURACY, DIFFERENCE
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.printing import Column, count_column, measured_column, name_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.resource_table import TOKENIZER
from expound.score.learned_preference import LearnedPreference
from expound.stats.proportions import Figure
from expound.train.bases import MINILM
from expound.train.training_settings import PREFERENCE, PreferenceSettings

LAYOUTS = ("qa-feedback", "haluquestqa", "ragchecker", "alce-utility", "wikieval")
# One thread, and as many steps as fit into half an hour of one core for all ten runs.
_SETTINGS = replace(PREFERENCE, steps=40, threads=1)


@dataclass(frozen=True)
class Studies:
    """The files by layout, and where the models go."""

    files: dict[str, Path]
    folder: Path
    given: Ingredients

    def spec(self, layout: str) -> str:
        """The file as `--people` has it."""
        return f"{layout}:{self.files[layout]}"


def name_studies(given: Ingredients) -> Studies:
    """Which file is of which study; one that cannot be read says so before anything is trained."""
    for layout, file in zip(LAYOUTS, given.files, strict=True):
        read_people([f"{layout}:{file}"])
    return Studies(dict(zip(LAYOUTS, given.files, strict=True)), given.folder, given)


def leave_out(studies: Studies, row: Row) -> Values:
    """Train on the others, or take what was trained, and ask the study that was left out."""
    left_out, sees_evidence = row.how
    folder = studies.folder / f"{left_out}{'-evidence' if sees_evidence else ''}"
    # Whole studies are left out, not pairs: raters of one study share their instructions and their taste.
    others = tuple(studies.spec(layout) for layout in LAYOUTS if layout != left_out)
    request = PreferenceRequest(others, settings=_SETTINGS, shown=PreferenceSettings(sees_evidence=sees_evidence))
    figures = learn_preference(request, folder, report=studies.given.report)
    metric = LearnedPreference(str(folder))
    found = meta([studies.spec(left_out)], [metric], report=studies.given.report)
    numbers = {"accuracy": _percent(found, repr(metric), ACCURACY), "Length": _percent(found, LENGTH, ACCURACY)}
    return {
        **numbers,
        "less Length": _percent(found, repr(metric), DIFFERENCE),
        "pairs": figures["train"],
        "CPU-seconds": figures["cpu_seconds"],
    }


def _percent(found: Meta, metric: str, measure: str) -> Figure:
    one = next(row for row in found.rows if (row.metric, row.measure, row.setting) == (metric, measure, "all"))
    return in_percent(Figure(one.value, one.low, one.high, one.n))


RECIPE = Recipe(
    name="preference-left-out",
    title="A learned preference on the judgments of a study that it was not trained on",
    files=tuple(f"judgments of people (layout {layout})" for layout in LAYOUTS),
    resources=(MINILM, TOKENIZER),
    rows=tuple(
        Row(f"{layout}{', with evidence' if sees_evidence else ''}", how=(layout, sees_evidence))
        for sees_evidence in (False, True)
        for layout in LAYOUTS
    ),
    prepare=name_studies,
    run_row=leave_out,
    tables=table_of(
        name_column("left out"),
        measured_column("accuracy, %", "accuracy"),
        measured_column("Length, %", "Length"),
        measured_column("less Length", "less Length"),
        count_column("accuracy"),
        Column("trained on, pairs", lambda finding: finding.values.get("pairs", "")),
        Column("CPU-seconds", lambda finding: finding.values.get("CPU-seconds", "")),
    ),
    why="Chance is 50 %. MiniLM, 40 steps of 8 pairs, 128 tokens a text. The experts of Xu et al. 2023 are "
    "never trained on.",
)
